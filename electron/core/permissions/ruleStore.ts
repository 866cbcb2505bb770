// The rules of all eight sources, for each open session. Files are read again whenever they changed.
import { join } from 'node:path';
import type { Behavior } from '#shared/permissions/decision';
import { type RuleSource, ruleSources } from '#shared/permissions/sources';
import type { RuleLifetime } from '#shared/session/ask';
import type { FileTexts } from '../settings/settingsWriter';
import { keysAdded, trustKeys } from './brought';
import {
  type CombineOptions,
  combineSources,
  type ExtraSource,
  noSources,
  type OwnRule,
  type Sources,
} from './combineSources';
import { endOf } from './draftFiles';
import { HeldBack } from './heldBack';
import { isAbsent, type LoadedFile, loadRuleFile, loadRuleValue, policySignature, signatureOf } from './ruleFile';
import type { SessionSettings, SettingsInForce } from './settingsInForce';
import { dropInFolder, type SettingsLocation, settingsLocations } from './settingsLocations';
import { SettingsWatch } from './settingsWatch';
import { cameWithFolder, type FolderTrust } from './trust';

/** What `--settings` gave: a file, which is watched, or JSON. */
export type FlagSettings = { readonly file: string } | { readonly value: unknown };

export interface RuleStoreOptions {
  readonly home: string;
  readonly claudeConfig: string;
  readonly managedSettings: string;
  /** User id that policy files must belong to; null where the system has none. */
  readonly managedOwner: number | null;
  readonly platform: 'linux' | 'darwin' | 'win32' | 'other';
  readonly flagSettings: FlagSettings | null;
  readonly extraSources: readonly ExtraSource[];
  /** Until a folder is trusted, the files that came with it can only restrict. */
  readonly trust: FolderTrust;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly onError: (what: string, error: unknown) => void;
}

interface Session {
  readonly folder: string;
  files: readonly LoadedFile[];
  readonly heldBack: HeldBack;
  /** Paths of the files that came with the folder. */
  foreign: readonly string[];
  own: readonly OwnRule[];
  /** Working folders of its own, absolute. */
  ownFolders: readonly string[];
  command: ExtraSource | null;
  sources: Sources;
}

/** All that is put together for a session or a folder, for those who try out changes. */
export interface SessionParts {
  readonly files: readonly LoadedFile[];
  /** What `--settings` gave as JSON. */
  readonly inline: LoadedFile | null;
  readonly own: readonly OwnRule[];
  readonly sources: Sources;
  readonly combine: Omit<CombineOptions, 'files' | 'own'>;
  /** Stands for the state of all files and rules in memory. */
  readonly signatures: string;
  /** The folder that a leading `/` of a source's rules stands for; null = the session's folder. */
  anchorOf(source: RuleSource): string | null;
}

/** Folders whose files are kept loaded without a session. */
const maxVisited = 500;

export class RuleStore {
  private readonly options: RuleStoreOptions;
  private readonly sessions = new Map<string, Session>();
  private readonly watch: SettingsWatch;
  private readonly stopTrust: () => void;
  private readonly listeners = new Set<(sessionId: string) => void>();
  private readonly inline: LoadedFile | null;
  private version = 0;
  /** Files of folders without a session, as they were loaded last. */
  private readonly visited = new Map<string, readonly LoadedFile[]>();
  /** Sessions whose files were looked at in this step of the program. */
  private readonly lookedAt = new Set<string>();

  constructor(options: RuleStoreOptions) {
    this.options = options;
    const { flagSettings } = options;
    this.inline = flagSettings !== null && 'value' in flagSettings ? loadRuleValue(flagSettings.value) : null;
    // Told in the middle of reading files, which is finished first.
    this.stopTrust = options.trust.onGrown(() => queueMicrotask(() => this.takeTrust()));
    // No decision waits for the watch, since each looks at the files itself; it tells people's views early.
    this.watch = new SettingsWatch({
      onChange: (folder) => {
        for (const [sessionId, session] of this.sessions) if (session.folder === folder) this.current(sessionId);
      },
      onError: (error) => options.onError('watching settings files', error),
    });
  }

  /** Reads and watches the files of a session's folder. Idempotent. */
  open(sessionId: string, folder: string): void {
    if (this.sessions.has(sessionId)) return;
    const session: Session = {
      folder,
      files: [],
      heldBack: new HeldBack(),
      foreign: [],
      own: [],
      ownFolders: [],
      command: null,
      sources: noSources(folder),
    };
    this.sessions.set(sessionId, session);
    this.read(session);
    this.watch.add({
      folder,
      files: this.locations(folder).map((one) => one.path),
      wholeFolders: [dropInFolder(this.options.managedSettings)],
    });
  }

  async close(sessionId: string): Promise<void> {
    const session = this.sessions.get(sessionId);
    this.sessions.delete(sessionId);
    if (session === undefined || [...this.sessions.values()].some((other) => other.folder === session.folder)) return;
    await this.watch.remove(session.folder);
  }

  /** What is in force now: changed files are read and ended rules dropped before this returns. */
  current(sessionId: string): Sources | null {
    const session = this.sessions.get(sessionId);
    if (session === undefined) return null;
    const now = this.options.now();
    const own = session.own.filter(({ until }) => typeof until !== 'number' || now < until);
    const ended = own.length !== session.own.length;
    session.own = own;
    const stale = this.isStale(session);
    this.noteLook(sessionId);
    if (stale) this.read(session);
    else if (ended) this.combine(session);
    else return session.sources;
    this.announce(sessionId);
    return session.sources;
  }

  /** What was in force at the last look, for those who go on from it: files are not looked at again. */
  seen(sessionId: string): Sources | null {
    return this.sessions.get(sessionId)?.sources ?? null;
  }

  /**
   * As `current`; but files that were looked at since the program last heard of anything are not looked at again. For those
   * who ask many times in one step and decide nothing by it.
   */
  recent(sessionId: string): Sources | null {
    return this.lookedAt.has(sessionId) ? this.seen(sessionId) : this.current(sessionId);
  }

  /** The files themselves, looked at as `recent` does. Null when the session is not open. */
  settings(sessionId: string): SessionSettings | null {
    const sources = this.recent(sessionId);
    const session = this.sessions.get(sessionId);
    if (sources === null || session === undefined) return null;
    const userFile = join(this.options.claudeConfig, 'settings.json');
    const ofFolder = (file: LoadedFile): boolean =>
      (file.source === 'projectSettings' || file.source === 'localSettings') && file.path !== userFile;
    const files = [...session.files, ...(this.inline === null ? [] : [this.inline])].map(
      (file): SettingsInForce => ({
        source: file.source,
        path: file === this.inline ? null : file.path,
        content: file.content,
        unknown: file.unknown,
        waits: ofFolder(file) && !sources.trust.trusted,
      }),
    );
    const rank = ({ source }: SettingsInForce): number => ruleSources[source].scalarRank ?? 0;
    return { version: sources.version, files: files.sort((one, other) => rank(one) - rank(other)) };
  }

  /** Adds allow rules that live as long as the session, or shorter. A rule that is there already gets the new end. */
  addSessionRules(sessionId: string, texts: readonly string[], lifetime: RuleLifetime): void {
    const session = this.sessions.get(sessionId);
    if (session === undefined) return;
    const until = endOf(lifetime, this.options.now());
    const fresh = [...new Set(texts)].map(
      (text): OwnRule => ({
        rule: { ref: { text, behavior: 'allow', source: 'session' }, sourceFolder: null },
        until,
      }),
    );
    session.own = [...session.own.filter(({ rule }) => !texts.includes(rule.ref.text)), ...fresh];
    this.combine(session);
    this.announce(sessionId);
  }

  /** Adds rules of any kind that live as long as the session. A rule that is there already gets the new end. */
  addSessionRulesOf(sessionId: string, behavior: Behavior, texts: readonly string[]): void {
    const session = this.sessions.get(sessionId);
    if (session === undefined) return;
    this.setOwn(sessionId, [
      ...session.own.filter(({ rule }) => rule.ref.behavior !== behavior || !texts.includes(rule.ref.text)),
      ...[...new Set(texts)].map((text): OwnRule => {
        return { rule: { ref: { text, behavior, source: 'session' }, sourceFolder: null }, until: null };
      }),
    ]);
  }

  /** Takes rules of one kind back; null takes all of that kind. */
  removeSessionRulesOf(sessionId: string, behavior: Behavior, texts: readonly string[] | null): void {
    const own = this.sessions.get(sessionId)?.own ?? [];
    this.setOwn(
      sessionId,
      own.filter(({ rule }) => rule.ref.behavior !== behavior || texts?.includes(rule.ref.text) === false),
    );
  }

  /** Working folders of the session's own, absolute, beside those of the sources. */
  changeSessionFolders(
    sessionId: string,
    change: { readonly add: readonly string[]; readonly remove: readonly string[] },
  ): void {
    const session = this.sessions.get(sessionId);
    if (session === undefined) return;
    const kept = session.ownFolders.filter((folder) => !change.remove.includes(folder));
    session.ownFolders = [...new Set([...kept, ...change.add])];
    this.combine(session);
    this.announce(sessionId);
  }

  /** False when the session has no such rule. */
  removeSessionRule(sessionId: string, text: string): boolean {
    const session = this.sessions.get(sessionId);
    const own = session?.own.filter(({ rule }) => rule.ref.text !== text) ?? [];
    if (session === undefined || own.length === session.own.length) return false;
    session.own = own;
    this.combine(session);
    this.announce(sessionId);
    return true;
  }

  /** Rules of the command or skill that runs in the session's turn; null = none any more. */
  setCommandRules(sessionId: string, rules: Omit<ExtraSource, 'source'> | null): void {
    const session = this.sessions.get(sessionId);
    if (session === undefined || (rules === null && session.command === null)) return;
    session.command = rules === null ? null : { ...rules, source: 'command' };
    this.combine(session);
    this.announce(sessionId);
  }

  /** Ends what was granted for the turn. */
  endTurn(sessionId: string): void {
    const session = this.sessions.get(sessionId);
    if (session === undefined) return;
    const own = session.own.filter(({ until }) => until !== 'turn');
    if (own.length === session.own.length && session.command === null) return;
    session.own = own;
    session.command = null;
    this.combine(session);
    this.announce(sessionId);
  }

  /** Trusts a session's folder, or stops trusting it; counts for every session on the same folder. */
  setTrust(sessionId: string, trusted: boolean): void {
    const session = this.sessions.get(sessionId);
    if (session === undefined) return;
    this.options.trust.set(session.folder, trusted, this.keysOf(session));
    this.takeTrust();
  }

  /** Puts in force what has become of the trust in the folders of all sessions. */
  private takeTrust(): void {
    for (const [otherId, other] of this.sessions) {
      if (this.options.trust.isTrusted(other.folder) === other.sources.trust.trusted) continue;
      this.combine(other);
      this.announce(otherId);
    }
  }

  /** Remembers that the person saved these rules to the folder's files, so that they count there without trust. */
  noteSaved(sessionId: string, texts: readonly string[]): void {
    const session = this.sessions.get(sessionId);
    if (session === undefined) return;
    this.options.trust.noteWritten(session.folder, texts);
    this.combine(session);
  }

  /** A file is about to be written by the person's hand: what that adds to a folder's own file is theirs, and trusted. */
  noteWriting(text: FileTexts): void {
    for (const { folder, files } of this.sessions.values())
      for (const file of files.filter((one) => one.path === text.path))
        this.options.trust.accept(folder, keysAdded(file, text));
  }

  /** Path of an editable source's file for a session. */
  pathOf(sessionId: string, source: RuleSource): string | null {
    const session = this.sessions.get(sessionId);
    if (session === undefined) return null;
    return this.locations(session.folder).find((one) => one.source === source)?.path ?? null;
  }

  /** Whether a file of any open session has switched the mode off. */
  modeDisabled(mode: 'auto' | 'bypassPermissions'): boolean {
    return [...this.sessions.values()].some(({ sources }) =>
      mode === 'auto' ? sources.autoDisabled : sources.bypassDisabled,
    );
  }

  onChange(listener: (sessionId: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async dispose(): Promise<void> {
    this.stopTrust();
    this.sessions.clear();
    this.listeners.clear();
    await this.watch.dispose();
  }

  /** What a session's sources are made of, as of the last look; null when it is not open. */
  parts(sessionId: string): SessionParts | null {
    const session = this.sessions.get(sessionId);
    return session === undefined ? null : this.partsOf(session);
  }

  /**
   * The same for any folder, as if a session were opened there; the rules in memory are those of `sessionId`, null: none.
   * Files are looked at anew.
   */
  partsFor(folder: string, sessionId: string | null): SessionParts {
    const own = sessionId === null ? undefined : this.sessions.get(sessionId);
    const known = this.visited.get(folder);
    const session: Session = {
      folder,
      files: known ?? [],
      heldBack: new HeldBack(),
      foreign: [],
      own: own?.own ?? [],
      ownFolders: own?.ownFolders ?? [],
      command: null,
      sources: noSources(folder),
    };
    this.read(session);
    if (this.visited.size >= maxVisited) this.visited.clear();
    this.visited.set(folder, session.files);
    return this.partsOf(session);
  }

  /** Reads the files of all sessions again that changed. */
  lookAgain(): void {
    for (const sessionId of this.sessions.keys()) this.current(sessionId);
  }

  /** Keeps a changed file's former content in force until it is released or the file changes again. Nobody is told. */
  holdBack(sessionId: string, path: string): void {
    const session = this.sessions.get(sessionId);
    if (session !== undefined) this.putInForce(session, session.heldBack.hold(session.files, path));
  }

  /** Lets a file that is held back count. */
  release(sessionId: string, path: string): void {
    const session = this.sessions.get(sessionId);
    if (session !== undefined && this.putInForce(session, session.heldBack.release(session.files, path)))
      this.announce(sessionId);
  }

  /** Puts the rules of a session's own in the place of those it has. */
  replaceOwn(sessionId: string, own: readonly OwnRule[]): void {
    this.setOwn(sessionId, own);
  }

  private partsOf(session: Session): SessionParts {
    const { files, own, ownFolders, sources, folder } = session;
    const anchors = new Map(this.locations(folder).map(({ source, sourceFolder }) => [source, sourceFolder]));
    return {
      files,
      inline: this.inline,
      own,
      sources,
      combine: this.combineOptions(session),
      signatures: JSON.stringify([
        files.map(({ path, signature }) => `${path} ${signature}`),
        own.map(({ rule, until }) => [rule.ref.behavior, rule.ref.text, until]),
        ownFolders,
        sources.trust.trusted,
        this.inline?.signature ?? '',
      ]),
      anchorOf: (source) => anchors.get(source) ?? null,
    };
  }

  private putInForce(session: Session, files: readonly LoadedFile[] | null): boolean {
    if (files === null) return false;
    session.files = files;
    this.combine(session);
    return true;
  }

  private setOwn(sessionId: string, own: readonly OwnRule[]): void {
    const session = this.sessions.get(sessionId);
    if (session === undefined) return;
    session.own = own;
    this.combine(session);
    this.announce(sessionId);
  }

  private locations(folder: string): readonly SettingsLocation[] {
    return settingsLocations(this.options, folder);
  }

  private signature(source: RuleSource, path: string): string {
    return source === 'policySettings' && this.options.managedOwner !== null
      ? policySignature(path)
      : signatureOf(path);
  }

  private noteLook(sessionId: string): void {
    // Runs before the program hears of anything else, so that what others did meanwhile is seen.
    if (this.lookedAt.size === 0) process.nextTick(() => this.lookedAt.clear());
    this.lookedAt.add(sessionId);
  }

  private isStale(session: Session): boolean {
    const locations = this.locations(session.folder);
    if (locations.length !== session.files.length) return true;
    const changed = session.files.some((file, index) => {
      const location = locations[index];
      return file.path !== location?.path || file.signature !== this.signature(file.source, file.path);
    });
    return changed || this.foreignFiles(session.files).join('\n') !== session.foreign.join('\n');
  }

  private foreignFiles(files: readonly LoadedFile[]): readonly string[] {
    const { claudeConfig, platform } = this.options;
    const about = { userFile: join(claudeConfig, 'settings.json'), ignoreCase: platform === 'darwin' };
    // A file that is not there has nothing to wait with; when it comes, its signature tells.
    const present = files.filter(({ signature }) => !isAbsent(signature));
    return present.filter(({ source, path }) => cameWithFolder({ source, path, ...about })).map((file) => file.path);
  }

  private read(session: Session): void {
    const previous = new Map(session.files.map((file) => [`${file.source} ${file.path}`, file]));
    session.files = this.locations(session.folder).map((location) => {
      const before = previous.get(`${location.source} ${location.path}`);
      if (before !== undefined && before.signature === this.signature(location.source, location.path)) return before;
      const owner = location.source === 'policySettings' ? this.options.managedOwner : null;
      const loaded = loadRuleFile({ ...location, previous: before, owner });
      return before === undefined ? loaded : session.heldBack.inForce(before, loaded);
    });
    session.foreign = this.foreignFiles(session.files);
    this.options.trust.check(session.folder, this.keysOf(session));
    this.combine(session);
  }

  /** Names of all that came with the folder and would take effect. */
  private keysOf({ folder, files, foreign }: Session): readonly string[] {
    const { trust } = this.options;
    const came = files.filter(({ path }) => foreign.includes(path));
    return came.flatMap((file) => trustKeys(file, (rule) => trust.hasWritten(folder, rule)));
  }

  private combine(session: Session): void {
    this.version += 1;
    session.sources = combineSources({
      ...this.combineOptions(session),
      files: this.inline === null ? session.files : [...session.files, this.inline],
      own: session.own,
    });
  }

  private combineOptions({ folder, ownFolders, foreign, command }: Session): SessionParts['combine'] {
    const { home, trust, extraSources } = this.options;
    return {
      folder,
      home,
      extras: command === null ? extraSources : [...extraSources, command],
      ownFolders,
      foreign,
      trusted: trust.isTrusted(folder),
      hasWritten: (rule) => trust.hasWritten(folder, rule),
      before: trust.before(folder),
      freshFiles: trust.freshFiles(folder),
      version: this.version,
    };
  }

  private announce(sessionId: string): void {
    for (const listener of this.listeners) listener(sessionId);
  }
}

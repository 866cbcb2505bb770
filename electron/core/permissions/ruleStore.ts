// The rules of all eight sources, for each open session. Files are read again whenever they changed.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import type { RuleFile } from '#shared/api/permissions';
import type { RuleRef } from '#shared/permissions/decision';
import type { PermissionMode } from '#shared/permissions/modes';
import { type RuleSource, ruleSources } from '#shared/permissions/sources';
import { localSettingsFolder } from './localSettings';
import { type LoadedFile, loadRuleFile, signatureOf } from './ruleFile';
import { type SourcedRule, sourceOrder } from './ruleSet';

/** Rules that come from neither a watched file nor an answer: given at launch, or by a command's frontmatter. */
export interface ExtraSource {
  readonly source: Extract<RuleSource, 'flagSettings' | 'cliArg' | 'command'>;
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  readonly additionalDirectories?: readonly string[];
  readonly defaultMode?: PermissionMode;
  /** The file the rules came from, if one: anchors `/p` patterns and is shown to people. */
  readonly file?: string;
}

export interface RuleStoreOptions {
  readonly home: string;
  readonly claudeConfig: string;
  readonly managedSettings: string;
  readonly platform: 'linux' | 'darwin' | 'win32' | 'other';
  readonly extraSources: readonly ExtraSource[];
  /** Until a folder is trusted, its project file can only restrict. */
  readonly isTrusted: (folder: string) => boolean;
  readonly onError: (what: string, error: unknown) => void;
}

/** All that is in force for a session. */
export interface Sources {
  readonly folder: string;
  readonly rules: readonly SourcedRule[];
  readonly files: readonly RuleFile[];
  /** Absolute. */
  readonly additional: readonly string[];
  readonly defaultMode: PermissionMode | null;
  readonly bypassDisabled: boolean;
  /** Grows with every change. */
  readonly version: number;
}

interface Session {
  readonly folder: string;
  files: readonly LoadedFile[];
  own: readonly SourcedRule[];
  sources: Sources;
}

function extraRules(extra: ExtraSource): readonly SourcedRule[] {
  const sourceFolder = extra.file === undefined ? null : dirname(extra.file);
  return (['deny', 'ask', 'allow'] as const).flatMap((behavior) =>
    (extra[behavior] ?? []).map((text): SourcedRule => {
      const ref: RuleRef = { text, behavior, source: extra.source };
      return { ref: extra.file === undefined ? ref : { ...ref, file: extra.file }, sourceFolder };
    }),
  );
}

/** A mode that a repository's own files may not choose, because it would approve what they bring. */
function mayChoose(source: RuleSource, mode: PermissionMode): boolean {
  const fromRepository = source === 'projectSettings' || source === 'localSettings';
  return !(fromRepository && (mode === 'auto' || mode === 'bypassPermissions'));
}

export class RuleStore {
  private readonly options: RuleStoreOptions;
  private readonly sessions = new Map<string, Session>();
  private readonly watchers = new Map<string, FSWatcher>();
  private readonly listeners = new Set<(sessionId: string) => void>();
  private version = 0;

  constructor(options: RuleStoreOptions) {
    this.options = options;
  }

  /** Reads and watches the files of a session's folder. Idempotent. */
  open(sessionId: string, folder: string): void {
    if (this.sessions.has(sessionId)) return;
    const empty: Sources = {
      folder,
      rules: [],
      files: [],
      additional: [],
      defaultMode: null,
      bypassDisabled: false,
      version: 0,
    };
    const session: Session = { folder, files: [], own: [], sources: empty };
    this.sessions.set(sessionId, session);
    this.read(session);
    this.watch(folder);
  }

  async close(sessionId: string): Promise<void> {
    const session = this.sessions.get(sessionId);
    this.sessions.delete(sessionId);
    if (session === undefined || [...this.sessions.values()].some((other) => other.folder === session.folder)) return;
    const watcher = this.watchers.get(session.folder);
    this.watchers.delete(session.folder);
    await watcher?.close();
  }

  /** What is in force now: changed files are read before this returns. */
  current(sessionId: string): Sources | null {
    const session = this.sessions.get(sessionId);
    if (session === undefined) return null;
    if (this.isStale(session)) {
      this.read(session);
      this.announce(sessionId);
    }
    return session.sources;
  }

  /** Adds allow rules that live as long as the session. */
  addSessionRules(sessionId: string, texts: readonly string[]): void {
    const session = this.sessions.get(sessionId);
    if (session === undefined) return;
    const present = new Set(session.own.map((rule) => rule.ref.text));
    const fresh = texts.filter((text) => !present.has(text));
    session.own = [
      ...session.own,
      ...fresh.map(
        (text): SourcedRule => ({ ref: { text, behavior: 'allow', source: 'session' }, sourceFolder: null }),
      ),
    ];
    this.combine(session);
    this.announce(sessionId);
  }

  /** False when the session has no such rule. */
  removeSessionRule(sessionId: string, text: string): boolean {
    const session = this.sessions.get(sessionId);
    const own = session?.own.filter((rule) => rule.ref.text !== text) ?? [];
    if (session === undefined || own.length === session.own.length) return false;
    session.own = own;
    this.combine(session);
    this.announce(sessionId);
    return true;
  }

  /** Path of an editable source's file for a session. */
  pathOf(sessionId: string, source: RuleSource): string | null {
    const session = this.sessions.get(sessionId);
    if (session === undefined) return null;
    return (
      this.locations(session.folder).find((one) => one.source === source && ruleSources[source].editable)?.path ?? null
    );
  }

  /** Whether a file of any open session has switched bypass off. */
  bypassDisabled(): boolean {
    return [...this.sessions.values()].some((session) => session.sources.bypassDisabled);
  }

  onChange(listener: (sessionId: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async dispose(): Promise<void> {
    const watchers = [...this.watchers.values()];
    this.watchers.clear();
    this.sessions.clear();
    this.listeners.clear();
    await Promise.all(watchers.map((watcher) => watcher.close()));
  }

  private locations(
    folder: string,
  ): readonly { readonly source: RuleSource; readonly path: string; readonly sourceFolder: string | null }[] {
    const { home, claudeConfig, managedSettings, platform } = this.options;
    const local = join(localSettingsFolder({ folder, home, platform }), '.claude', 'settings.local.json');
    const managed = [managedSettings, ...this.dropIns(`${managedSettings.replace(/\.json$/, '')}.d`)];
    return [
      ...managed.map((path) => ({ source: 'policySettings' as const, path, sourceFolder: null })),
      { source: 'localSettings', path: local, sourceFolder: null },
      { source: 'projectSettings', path: join(folder, '.claude', 'settings.json'), sourceFolder: null },
      { source: 'userSettings', path: join(claudeConfig, 'settings.json'), sourceFolder: claudeConfig },
    ];
  }

  private dropIns(folder: string): readonly string[] {
    try {
      const names = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
      return names.sort().map((name) => join(folder, name));
    } catch {
      return [];
    }
  }

  private isStale(session: Session): boolean {
    const paths = this.locations(session.folder).map((one) => one.path);
    if (paths.length !== session.files.length) return true;
    return session.files.some((file, index) => file.path !== paths[index] || file.signature !== signatureOf(file.path));
  }

  private read(session: Session): void {
    const previous = new Map(session.files.map((file) => [file.path, file]));
    session.files = this.locations(session.folder).map((location) => {
      const before = previous.get(location.path);
      if (before !== undefined && before.signature === signatureOf(location.path)) return before;
      return loadRuleFile({ ...location, previous: before });
    });
    this.combine(session);
  }

  private combine(session: Session): void {
    const { extraSources, home } = this.options;
    const trusted = this.options.isTrusted(session.folder);
    const effective = (file: LoadedFile): readonly SourcedRule[] =>
      trusted || file.source !== 'projectSettings'
        ? file.rules
        : file.rules.filter((rule) => rule.ref.behavior !== 'allow');
    const all = [...extraSources.flatMap(extraRules), ...session.files.flatMap(effective), ...session.own];
    const rules = sourceOrder.flatMap((source) => all.filter((rule) => rule.ref.source === source));
    const absolute = (path: string) =>
      path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : resolve(session.folder, path);
    const additional = [
      ...extraSources.flatMap((extra) => extra.additionalDirectories ?? []),
      ...session.files.flatMap((file) =>
        trusted || file.source !== 'projectSettings' ? file.additionalDirectories : [],
      ),
    ].map(absolute);
    const chosen = [
      ...extraSources.map((extra) => ({ source: extra.source, mode: extra.defaultMode ?? null })),
      ...session.files.map((file) => ({
        source: file.source,
        mode: trusted || file.source !== 'projectSettings' ? file.defaultMode : null,
      })),
    ].flatMap(({ source, mode }) => (mode !== null && mayChoose(source, mode) ? [{ source, mode }] : []));
    const rank = (source: RuleSource) => ruleSources[source].scalarRank ?? 0;
    const top = Math.max(0, ...chosen.map((one) => rank(one.source)));
    session.sources = {
      folder: session.folder,
      rules,
      files: session.files.map((file) => file.file),
      additional: [...new Set(additional)],
      // Among the parts of one source the last one counts.
      defaultMode: chosen.findLast((one) => rank(one.source) === top)?.mode ?? null,
      bypassDisabled: session.files.some((file) => file.disableBypass),
      version: ++this.version,
    };
  }

  /** Tells people's views early; no decision waits for it, since each looks at the files itself. */
  private watch(folder: string): void {
    if (this.watchers.has(folder)) return;
    const files = new Set(this.locations(folder).map((one) => one.path));
    const folders = new Set([...files].map((path) => dirname(path)));
    const roots = [...new Set([...folders].map((path) => (existsSync(path) ? path : dirname(path))))].filter(
      existsSync,
    );
    if (roots.length === 0) return;
    const interesting = new Set([...files, ...folders, ...roots]);
    const watcher = watch(roots, { ignoreInitial: true, depth: 1, ignored: (path) => !interesting.has(resolve(path)) });
    watcher.on('all', () => {
      for (const [sessionId, session] of this.sessions) if (session.folder === folder) this.current(sessionId);
    });
    watcher.on('error', (error) => this.options.onError('watching settings files', error));
    this.watchers.set(folder, watcher);
  }

  private announce(sessionId: string): void {
    for (const listener of this.listeners) listener(sessionId);
  }
}

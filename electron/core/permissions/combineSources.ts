// Puts the eight sources of one session together: rules as a union, scalars by rank, and what has to wait for trust.
import { join, resolve } from 'node:path';
import type { RuleFile, TrustView } from '#shared/api/permissions';
import type { RuleRef } from '#shared/permissions/decision';
import type { PermissionMode } from '#shared/permissions/modes';
import { type RuleSource, ruleSources } from '#shared/permissions/sources';
import { emptyReading, type SettingsSwitches } from '#shared/settings/schema';
import { readHookTable } from '../hooks/hookSettings';
import type { Descriptions } from './classifier';
import type { LoadedFile } from './ruleFile';
import { type SourcedRule, sourceOrder } from './ruleSet';
import { unitedSwitches } from './switches';
import { waitingIn } from './trust';

/** Rules that come from neither a file nor an answer: given at launch, or by a command's frontmatter. */
export interface ExtraSource {
  readonly source: Extract<RuleSource, 'cliArg' | 'command'>;
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  readonly additionalDirectories?: readonly string[];
  readonly defaultMode?: PermissionMode;
}

/** A rule of the session's own, with its end: epoch milliseconds, the end of the turn, or none. */
export interface OwnRule {
  readonly rule: SourcedRule;
  readonly until: number | 'turn' | null;
}

/** When a hook runs before a call is decided, as written. */
export interface CallHook {
  readonly matcher: string;
  /** A rule that must speak of the call; null = any call. */
  readonly condition: string | null;
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
  readonly autoDisabled: boolean;
  /** Only policy rules count. */
  readonly managedOnly: boolean;
  readonly switches: SettingsSwitches;
  readonly descriptions: Descriptions;
  readonly trust: TrustView;
  readonly expiring: readonly { readonly text: string; readonly until: number | null }[];
  /** Hooks in the files that may have a say before a call is decided. */
  readonly callHooks: readonly CallHook[];
  /** Grows with every change. */
  readonly version: number;
}

/** A folder that is trusted, or that nobody asks about. */
export function trustedFolder(folder: string): TrustView {
  return {
    folder,
    trusted: true,
    waitingRules: [],
    waitingDirectories: [],
    waitingMore: [],
    changed: false,
    freshTexts: [],
  };
}

/** What is in force before anything was read. */
export function noSources(folder: string): Sources {
  return {
    folder,
    rules: [],
    files: [],
    additional: [],
    defaultMode: null,
    bypassDisabled: false,
    autoDisabled: false,
    managedOnly: false,
    switches: emptyReading.switches,
    descriptions: emptyReading.descriptions,
    trust: trustedFolder(folder),
    expiring: [],
    callHooks: [],
    version: 0,
  };
}

function extraRules(extra: ExtraSource): readonly SourcedRule[] {
  return (['deny', 'ask', 'allow'] as const).flatMap((behavior) =>
    (extra[behavior] ?? []).map((text): SourcedRule => {
      const ref: RuleRef = { text, behavior, source: extra.source };
      return { ref, sourceFolder: null };
    }),
  );
}

/** A mode that a repository's own files may not choose, because it would approve what they bring. */
function mayChoose(source: RuleSource, mode: PermissionMode): boolean {
  const fromRepository = source === 'projectSettings' || source === 'localSettings';
  return !(fromRepository && (mode === 'auto' || mode === 'bypassPermissions'));
}

/** Sources whose descriptions a classifier reads: never those that may have come with a repository. */
const describing: ReadonlySet<RuleSource> = new Set(['userSettings', 'flagSettings', 'policySettings']);

function callHooksOf(files: readonly LoadedFile[], waits: (file: LoadedFile) => boolean): readonly CallHook[] {
  const settings = files.map((file) => ({ ...file, waits: waits(file) }));
  const { listeners } = readHookTable({ files: settings, command: null });
  return (listeners.get('PreToolUse') ?? []).map(({ handler }) => ({
    matcher: handler.matcher,
    condition: handler.action.if ?? null,
  }));
}

export interface CombineOptions {
  readonly folder: string;
  readonly home: string;
  readonly files: readonly LoadedFile[];
  readonly extras: readonly ExtraSource[];
  readonly own: readonly OwnRule[];
  /** Working folders of the session's own. */
  readonly ownFolders?: readonly string[];
  /** Paths of the files that came with the folder. */
  readonly foreign: readonly string[];
  readonly trusted: boolean;
  /** Whether the person saved the rule to the folder's files through Gatehouse. */
  readonly hasWritten: (rule: string) => boolean;
  /** Names of what was trusted before the folder changed; null where it did not. */
  readonly before?: ReadonlySet<string> | null;
  /** Files of commands, skills and agents that came since. */
  readonly freshFiles?: readonly string[];
  readonly version: number;
}

/** Pure. Until the folder is trusted, the files that came with it can only restrict. */
export function combineSources(options: CombineOptions): Sources {
  const { folder, home, files, extras, own, foreign, trusted, hasWritten, version } = options;
  const waits = (file: LoadedFile): boolean => !trusted && foreign.includes(file.path);
  const policy = files.filter((file) => file.source === 'policySettings');
  const managedOnly = policy.some((file) => file.managedRulesOnly);
  // Nobody knows what a policy that could never be read forbids: until it is mended nothing else may allow.
  const policyUnknown = policy.some((file) => file.unknown);

  const all = [
    ...extras.flatMap(extraRules),
    ...files.flatMap((file) =>
      waits(file) ? file.rules.filter(({ ref }) => ref.behavior !== 'allow' || hasWritten(ref.text)) : file.rules,
    ),
    ...own.map((one) => one.rule),
  ].filter(({ ref }) => {
    if (ref.source === 'policySettings') return true;
    return !managedOnly && !(policyUnknown && ref.behavior === 'allow');
  });

  const absolute = (path: string) =>
    path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : resolve(folder, path);
  const additional = [
    ...extras.flatMap((extra) => extra.additionalDirectories ?? []),
    ...files.flatMap((file) => (waits(file) ? [] : file.additionalDirectories)),
    ...(options.ownFolders ?? []),
  ].map(absolute);

  const chosen = [
    ...extras.map((extra) => ({ source: extra.source, mode: extra.defaultMode ?? null })),
    ...files.map((file) => ({ source: file.source, mode: waits(file) ? null : file.defaultMode })),
  ].flatMap(({ source, mode }) => (mode !== null && mayChoose(source, mode) ? [{ source, mode }] : []));
  const rank = (source: RuleSource) => ruleSources[source].scalarRank ?? 0;
  const top = Math.max(0, ...chosen.map((one) => rank(one.source)));

  const before = options.before ?? null;
  // Of the person's own local file rules count; what runs by itself waits there too.
  const local = trusted ? [] : files.filter((file) => file.source === 'localSettings' && !waits(file));
  const counts = (ref: RuleRef) => hasWritten(ref.text);
  const waiting = waitingIn(files.filter(waits), { counts, before, local });
  const described = files.filter((file) => describing.has(file.source)).map((file) => file.descriptions);
  return {
    folder,
    rules: sourceOrder.flatMap((source) => all.filter((rule) => rule.ref.source === source)),
    files: files.map((file) => file.file),
    additional: [...new Set(additional)],
    // Among the parts of one source the last one counts.
    defaultMode: chosen.findLast((one) => rank(one.source) === top)?.mode ?? null,
    bypassDisabled: policyUnknown || files.some((file) => file.disableBypass),
    autoDisabled: policyUnknown || files.some((file) => file.disableAuto),
    managedOnly,
    switches: unitedSwitches(files.map((file) => file.switches)),
    descriptions: {
      allow: described.flatMap((one) => one.allow),
      deny: described.flatMap((one) => one.deny),
      environment: described.flatMap((one) => one.environment),
    },
    trust: {
      folder,
      trusted,
      waitingRules: [...waiting.rules],
      waitingDirectories: [...waiting.directories],
      waitingMore: [...waiting.more],
      changed: before !== null,
      freshTexts: [...waiting.freshTexts, ...(options.freshFiles ?? [])],
    },
    expiring: own.flatMap(({ rule, until }) =>
      until === null ? [] : [{ text: rule.ref.text, until: until === 'turn' ? null : until }],
    ),
    callHooks: callHooksOf(files, waits),
    version,
  };
}

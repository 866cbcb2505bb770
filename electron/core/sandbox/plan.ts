// Which places commands of a session may write, not write, not see and see all the same, each with where that comes from.
import type { SandboxEntry, SandboxOrigin, SandboxView } from '#shared/api/sandbox';
import type { RuleRef } from '#shared/permissions/decision';
import { isInside } from '../permissions/paths';
import {
  type Anchors,
  lookUp,
  type Meant,
  maxFound,
  maxLookedAt,
  meantBy,
  meantByRule,
  type PlacesView,
  pathOf,
} from './places';
import { ofRepository, protectedIn, worktreesOf } from './protectedPlaces';
import type { SandboxSettings, WrittenPlace } from './sandboxSettings';
import { type SecretsView, secretPlaces } from './secretPlaces';

/** What a machine says of places. */
export type DiskView = SecretsView & PlacesView;

export interface PlanOptions {
  readonly settings: SandboxSettings;
  /** The permission rules in force. */
  readonly rules: readonly RuleRef[];
  readonly anchors: Anchors;
  /** The session's own folder first. */
  readonly workingFolders: readonly string[];
  /** The worktree that the session works in now; null: in none. */
  readonly worktree: string | null;
  /** Gatehouse's own places: never seen. */
  readonly ownPlaces: readonly string[];
  /** Settings files of the session, which stay read-only wherever they lie. */
  readonly settingsFiles: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly disk: DiskView;
}

export type SandboxPlan = Pick<SandboxView, 'writable' | 'readOnly' | 'hidden' | 'readable' | 'ignored'> & {
  /** Folders that are writable although they lie in a read-only one, and no setting says so. */
  readonly worktrees: readonly string[];
};

type Ignored = SandboxView['ignored'][number];

const builtIn: SandboxOrigin = { kind: 'builtIn' };
const byDefault: SandboxOrigin = { kind: 'default' };
const session: SandboxOrigin = { kind: 'session' };

/** Never opened for writing, whatever a setting says: the reason for each. */
const neverWritable: ReadonlyMap<string, string> = new Map([
  ['/', 'The whole disk is never opened for writing. Name the folders.'],
  ['/tmp', 'Commands have a /tmp of their own, which they can write.'],
  ['/run', 'Programs outside of the sandbox are reached through it.'],
  ['/dev', 'Devices are never opened for writing.'],
  ['/proc', 'What the system keeps there is never opened for writing.'],
  ['/sys', 'What the system keeps there is never opened for writing.'],
]);

/** Puts the places together. Looks at the disk for what exists and for patterns. */
export function planSandbox(options: PlanOptions): SandboxPlan {
  const { settings, rules, anchors, disk } = options;
  const ignored: Ignored[] = [];
  const refused = refusalsOf(options, ignored);
  const writable = writablePlaces(options, ignored);

  const working = [...options.workingFolders, ...(options.worktree === null ? [] : [options.worktree])];
  const folders = [...new Set([...working, ...writable.map(({ text }) => text)])];
  const inWritable = (path: string) => folders.some((folder) => path !== folder && isInside(path, folder));
  const named = [
    ...folders.flatMap((folder) => protectedIn(folder, { home: anchors.home, exists: disk.exists })),
    ...working
      .filter((folder) => disk.exists(`${folder}/.git`))
      .flatMap((folder) => ofRepository.map((name) => `${folder}/${name}`)),
  ];
  // What lies in one of them is kept with it.
  const more = [anchors.claudeConfig, ...options.settingsFiles].filter(
    (path) => inWritable(path) && !named.some((other) => isInside(path, other)),
  );
  const readOnly = [
    ...unique([...named, ...more]).map((text) => ({ text, from: builtIn })),
    // Elsewhere everything is read-only anyway.
    ...refused.write.filter(({ text }) => folders.some((folder) => isInside(text, folder) || isInside(folder, text))),
  ];

  const shown = settings.allowRead.flatMap((place) => readableOf(place, options, ignored));
  const secrets = secretPlaces({ home: anchors.home, variables: options.variables, view: disk })
    // Somebody has opened it to work in.
    .filter((path) => !working.includes(path) && !shown.some(({ text }) => text === path))
    .map((text) => ({ text, from: byDefault }));
  const denied = refused.read.flatMap((entry) =>
    [entry.text, ...working.filter((folder) => folder !== entry.text && isInside(folder, entry.text))].map((text) => ({
      ...entry,
      text,
    })),
  );
  const hidden = [...options.ownPlaces.map((text) => ({ text, from: builtIn })), ...denied, ...secrets];
  const readable = shown.filter((entry) => {
    const isHidden = hidden.some(({ text }) => text !== entry.text && isInside(entry.text, text));
    const isOwn = options.ownPlaces.some((place) => isInside(entry.text, place));
    const isDenied = denied.some(({ text }) => text === entry.text);
    if (isOwn) ignored.push(because('allowRead', entry, 'Gatehouse’s own places are never seen by commands.'));
    else if (isDenied)
      ignored.push(because('allowRead', entry, 'The same place is hidden by a setting or rule, which wins.'));
    return isHidden && !isOwn && !isDenied;
  });
  return {
    writable: [...unique(options.workingFolders).map((text) => ({ text, from: session })), ...writable],
    readOnly: byText(readOnly),
    hidden: byText(hidden),
    readable: byText(readable),
    worktrees: working.map(worktreesOf),
    ignored: [...settings.ignored, ...ignored, ...editRemarks(rules, options)],
  };
}

interface Refusals {
  readonly write: readonly SandboxEntry[];
  readonly read: readonly SandboxEntry[];
}

/** What settings and deny rules keep commands from, patterns as what they stand for now. */
function refusalsOf({ settings, rules, anchors, disk }: PlanOptions, ignored: Ignored[]): Refusals {
  const all: { readonly kind: 'read' | 'write'; readonly from: SandboxOrigin; readonly meant: Meant }[] = [];
  const lists = [
    { kind: 'write', key: 'denyWrite', places: settings.denyWrite },
    { kind: 'read', key: 'denyRead', places: settings.denyRead },
  ] as const;
  for (const { kind, key, places } of lists)
    for (const place of places) {
      const meant = meantBy(place.text, { base: place.base, home: anchors.home });
      if ('problem' in meant) ignored.push(because(key, place, meant.problem));
      else all.push({ kind, from: place.from, meant });
    }
  for (const rule of rules) {
    if (rule.behavior !== 'deny') continue;
    const meant = meantByRule(rule, anchors);
    if (meant === null) continue;
    const from: SandboxOrigin = { kind: 'rule', rule: rule.text, source: rule.source };
    all.push({ kind: meant.tool === 'Read' ? 'read' : 'write', from, meant });
    // A file that may not be read may not be changed either.
    if (meant.tool === 'Read') all.push({ kind: 'write', from, meant });
  }
  const patterns = all.flatMap(({ meant }) => meant.patterns);
  const looked =
    patterns.length === 0
      ? { found: [], complete: true }
      : lookUp(patterns, { view: disk, first: [...anchors.folders, anchors.home] });
  const found = new Map(patterns.map((pattern, index) => [pattern, looked.found[index] ?? []]));
  if (!looked.complete)
    ignored.push({
      setting: 'Patterns of refused places',
      why: `There is more than commands can be kept from one by one (${maxFound} places, ${maxLookedAt.toLocaleString('en')} names looked at), so what lies deepest was left out for commands; other tools keep to the rules everywhere. Name folders instead.`,
      from: byDefault,
    });
  const entries = (kind: 'read' | 'write'): SandboxEntry[] =>
    all
      .filter((one) => one.kind === kind)
      .flatMap(({ from, meant }) =>
        [...meant.paths, ...meant.patterns.flatMap((pattern) => found.get(pattern) ?? [])]
          // With the whole disk hidden nothing could run.
          .filter((text) => text !== '/')
          .map((text) => ({ text, from })),
      );
  return { write: entries('write'), read: entries('read') };
}

/** Places that settings and allow rules open beside the working folders. */
function writablePlaces(options: PlanOptions, ignored: Ignored[]): SandboxEntry[] {
  const { settings, rules, anchors } = options;
  const found: SandboxEntry[] = [];
  const add = (path: string, from: SandboxOrigin, problem: (why: string) => void): void => {
    if (options.workingFolders.some((folder) => isInside(path, folder))) return;
    const why = whyNotWritable(path, options);
    if (why === '') found.push({ text: path, from });
    else problem(why);
  };
  for (const place of settings.allowWrite) {
    const read = pathOf(place.text, { base: place.base, home: anchors.home });
    if ('problem' in read) ignored.push(because('allowWrite', place, read.problem));
    else add(read.path, place.from, (why) => void ignored.push(because('allowWrite', place, why)));
  }
  for (const rule of rules) {
    if (rule.behavior !== 'allow') continue;
    const meant = meantByRule(rule, anchors);
    if (meant?.tool !== 'Edit') continue;
    for (const path of meant.paths) add(path, { kind: 'rule', rule: rule.text, source: rule.source }, () => undefined);
  }
  return byText(found);
}

function whyNotWritable(path: string, { ownPlaces, disk }: PlanOptions): string {
  const never = neverWritable.get(path);
  if (never !== undefined) return never;
  if (['/proc', '/sys', '/dev'].some((folder) => isInside(path, folder))) return 'It is no place for files.';
  if (/[*?[]/.test(path)) return 'Wildcards do not work for what may be written. Name the folder.';
  if (ownPlaces.some((place) => isInside(path, place))) return 'Gatehouse’s own places are never opened.';
  return disk.exists(path) ? '' : 'There is no such place.';
}

function readableOf(place: WrittenPlace, { anchors, disk }: PlanOptions, ignored: Ignored[]): SandboxEntry[] {
  const read = pathOf(place.text, { base: place.base, home: anchors.home });
  if ('problem' in read) {
    ignored.push(because('allowRead', place, read.problem));
    return [];
  }
  if (/[*?[]/.test(read.path)) {
    ignored.push(because('allowRead', place, 'Wildcards do not work here. Name the file or folder.'));
    return [];
  }
  return disk.exists(read.path) ? [{ text: read.path, from: place.from }] : [];
}

/** Allow rules for places outside of the working folders that say nothing to commands because of their wildcards. */
function editRemarks(rules: readonly RuleRef[], { anchors, workingFolders }: PlanOptions): Ignored[] {
  return rules.flatMap((rule) => {
    const meant = rule.behavior === 'allow' ? meantByRule(rule, anchors) : null;
    const outside = meant?.patterns.some(({ base }) => !workingFolders.some((folder) => isInside(base, folder)));
    if (meant?.tool !== 'Edit' || outside !== true) return [];
    const from: SandboxOrigin = { kind: 'rule', rule: rule.text, source: rule.source };
    return [
      { setting: rule.text, why: 'Wildcards do not open places to commands; other tools follow the rule.', from },
    ];
  });
}

function because(key: string, { text, from }: SandboxEntry, why: string): Ignored {
  return { setting: `sandbox.filesystem.${key}: ${text}`, why, from };
}

const unique = (paths: readonly string[]): string[] => [...new Set(paths)];

/** Each place once; what was said first counts. */
function byText(entries: readonly SandboxEntry[]): SandboxEntry[] {
  const first = new Map<string, SandboxEntry>();
  for (const entry of entries) if (!first.has(entry.text)) first.set(entry.text, entry);
  return [...first.values()];
}

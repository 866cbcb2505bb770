// Settings files read leniently: one bad entry is named and skipped, unknown keys are nobody's business here.
import { z } from 'zod';
import type { Behavior } from '../permissions/decision';
import { PermissionMode } from '../permissions/modes';
import { parseRule } from '../permissions/rule';

/** Where a value stands in the file: `['permissions', 'allow', 3]`. */
export type SettingsPath = readonly (string | number)[];

export interface SettingsRule {
  readonly text: string;
  readonly behavior: Behavior;
  readonly path: SettingsPath;
}

export interface SettingsProblem {
  readonly path: SettingsPath;
  /** In words: what is wrong and what it costs. */
  readonly message: string;
}

/** Switches that narrow decisions; false where the file does not set them. */
export interface SettingsSwitches {
  readonly blockReadsOutside: boolean;
  readonly blockWritesOutside: boolean;
  readonly denyInsteadOfPrompting: boolean;
  /** In auto mode no allow rule speaks for a shell command. */
  readonly classifyAllShell: boolean;
}

/** What the permission engine takes from a settings file. */
export interface SettingsReading {
  readonly rules: readonly SettingsRule[];
  readonly additionalDirectories: readonly string[];
  readonly defaultMode: PermissionMode | null;
  readonly disableBypass: boolean;
  readonly disableAuto: boolean;
  /** Counts in policy files alone. */
  readonly managedRulesOnly: boolean;
  readonly switches: SettingsSwitches;
  /** Descriptions in words, for the classifier: what may run, what may not, and what surroundings are trusted. */
  readonly descriptions: {
    readonly allow: readonly string[];
    readonly deny: readonly string[];
    readonly environment: readonly string[];
  };
  readonly problems: readonly SettingsProblem[];
}

/** Keys of the three lists; the second spelling of each is read too. */
const listKeys: readonly (readonly [string, Behavior])[] = [
  ['allow', 'allow'],
  ['ask', 'ask'],
  ['deny', 'deny'],
  ['alwaysAllow', 'allow'],
  ['alwaysAsk', 'ask'],
  ['alwaysDeny', 'deny'],
];

const Folder = z.string().min(1);
const Fields = z.record(z.string(), z.unknown());

function field(container: unknown, key: string): unknown {
  const fields = Fields.safeParse(container);
  return fields.success && Object.hasOwn(fields.data, key) ? fields.data[key] : undefined;
}

function list(options: {
  readonly value: unknown;
  readonly path: SettingsPath;
  readonly problems: SettingsProblem[];
  readonly take: (entry: unknown, path: SettingsPath) => string | null;
}): void {
  const { value, path, problems, take } = options;
  if (value === undefined) return;
  if (!Array.isArray(value)) {
    problems.push({ path, message: `${path.join('.')} must be a list; it was skipped.` });
    return;
  }
  for (const [index, entry] of value.entries()) {
    const at = [...path, index];
    const problem = take(entry, at);
    if (problem !== null) problems.push({ path: at, message: problem });
  }
}

/** What a file without anything says. */
export const emptyReading: SettingsReading = {
  rules: [],
  additionalDirectories: [],
  defaultMode: null,
  disableBypass: false,
  disableAuto: false,
  managedRulesOnly: false,
  switches: {
    blockReadsOutside: false,
    blockWritesOutside: false,
    denyInsteadOfPrompting: false,
    classifyAllShell: false,
  },
  descriptions: { allow: [], deny: [], environment: [] },
  problems: [],
};

/** Stands for what the program judges by itself, which always counts here. */
const defaultsEntry = '$defaults';

function readDescriptions(autoMode: unknown, problems: SettingsProblem[]): SettingsReading['descriptions'] {
  const lists: Record<'allow' | 'deny' | 'environment', string[]> = { allow: [], deny: [], environment: [] };
  const keys = { allow: 'allow', soft_deny: 'deny', hard_deny: 'deny', environment: 'environment' } as const;
  for (const [key, into] of Object.entries(keys))
    list({
      value: field(autoMode, key),
      path: ['autoMode', key],
      problems,
      take: (entry) => {
        if (typeof entry !== 'string' || entry.trim() === '') return 'A description must be a text; it was skipped.';
        if (entry.trim() !== defaultsEntry) lists[into].push(entry.trim());
        return null;
      },
    });
  return lists;
}

const modeNames: ReadonlyMap<string, PermissionMode> = new Map<string, PermissionMode>([
  ...PermissionMode.options.map((mode): [string, PermissionMode] => [mode, mode]),
  ['manual', 'default'],
]);

/** Reads a parsed settings file. Never throws: what is not understood is a problem in words. */
export function readSettings(value: unknown): SettingsReading {
  const problems: SettingsProblem[] = [];
  const rules: SettingsRule[] = [];
  const additionalDirectories: string[] = [];
  if (!Fields.safeParse(value).success || Array.isArray(value)) {
    problems.push({ path: [], message: 'The file must hold a JSON object; nothing in it counts.' });
    return { ...emptyReading, problems };
  }
  const permissions = field(value, 'permissions');
  if (permissions !== undefined && (!Fields.safeParse(permissions).success || Array.isArray(permissions)))
    problems.push({ path: ['permissions'], message: 'permissions must be an object; it was skipped.' });

  const places: readonly (readonly [unknown, SettingsPath])[] = [
    [permissions, ['permissions']],
    [value, []],
  ];
  for (const [container, base] of places)
    for (const [key, behavior] of listKeys) {
      if (base.length === 0 && !key.startsWith('always')) continue;
      list({
        value: field(container, key),
        path: [...base, key],
        problems,
        take: (entry, path) => {
          if (typeof entry !== 'string') return 'A rule must be a text; this entry was skipped.';
          const parsed = parseRule(entry);
          if (!parsed.ok && parseRule(entry.trim()).ok === false)
            return `“${entry}” is not a rule and was skipped. ${parsed.error}`;
          rules.push({ text: entry, behavior, path });
          return null;
        },
      });
    }
  list({
    value: field(permissions, 'additionalDirectories'),
    path: ['permissions', 'additionalDirectories'],
    problems,
    take: (entry) => {
      const folder = Folder.safeParse(entry);
      if (!folder.success) return 'A folder must be a path; this entry was skipped.';
      additionalDirectories.push(folder.data);
      return null;
    },
  });

  const written = field(permissions, 'defaultMode');
  const defaultMode = typeof written === 'string' ? (modeNames.get(written) ?? null) : null;
  if (written !== undefined && defaultMode === null)
    problems.push({
      path: ['permissions', 'defaultMode'],
      message: `There is no such mode; it was skipped. Modes: ${PermissionMode.options.join(', ')}.`,
    });
  const disables = (key: string): boolean => {
    const value = field(permissions, key);
    if (value !== undefined && value !== 'disable')
      problems.push({ path: ['permissions', key], message: `${key} knows only "disable"; it was skipped.` });
    return value === 'disable';
  };
  const disableBypass = disables('disableBypassPermissionsMode');
  const disableAuto = disables('disableAutoMode');
  // Read at both places: people write it beside the lists as well as at the top.
  const managedRulesOnly = [permissions, value].some((at) => field(at, 'allowManagedPermissionRulesOnly') === true);
  const isOn = (key: string, parent: 'permissions' | 'autoMode' = 'permissions'): boolean => {
    const setting = field(field(value, parent), key);
    if (setting !== undefined && typeof setting !== 'boolean')
      problems.push({ path: [parent, key], message: `${key} must be true or false; it was skipped.` });
    return setting === true;
  };
  const switches = {
    blockReadsOutside: isOn('blockReadsOutsideWorkingDirectories'),
    blockWritesOutside: isOn('blockWritesOutsideWorkingDirectories'),
    denyInsteadOfPrompting: isOn('denyInsteadOfPrompting'),
    classifyAllShell: isOn('classifyAllShell', 'autoMode'),
  };
  const descriptions = readDescriptions(field(value, 'autoMode'), problems);
  return {
    rules,
    additionalDirectories,
    defaultMode,
    disableBypass,
    disableAuto,
    managedRulesOnly,
    switches,
    descriptions,
    problems,
  };
}

// A file of permission cases: one JSON object a line. Fields that are not known are ignored, values that are not known
// are errors, because a case that was half understood would prove nothing.
import { z } from 'zod';
import { Behavior } from '#shared/permissions/decision';
import { PermissionMode } from '#shared/permissions/modes';
import { type RuleSource, ruleSources } from '#shared/permissions/sources';
import { readSettings, type SettingsReading } from '#shared/settings/schema';
import { fail, ok, type Result } from '#shared/util/result';
import type { CaseRules, PermissionCase } from '../core/permissions/caseWorld';
import { unitedSwitches } from '../core/permissions/switches';
import { combineHooks, HookResult } from './caseHooks';

const sourceNames = {
  managed: 'policySettings',
  cli: 'cliArg',
  user: 'userSettings',
  project: 'projectSettings',
  local: 'localSettings',
  session: 'session',
  flag: 'flagSettings',
} as const satisfies Readonly<Record<string, RuleSource>>;

const SourceName = z.enum(['managed', 'cli', 'user', 'project', 'local', 'session', 'flag']);

const CaseLine = z.object({
  id: z.union([z.string(), z.number().transform(String)]),
  settings: z.partialRecord(SourceName, z.record(z.string(), z.unknown())).default({}),
  mode: z.enum([...PermissionMode.options, 'manual']).optional(),
  workspace: z.string().min(1).default('/ws'),
  home: z.string().min(1).default('/home/u'),
  tool: z.string().min(1),
  input: z.record(z.string(), z.unknown()).default({}),
  files: z.record(z.string(), z.union([z.string(), z.object({ symlink: z.string().min(1) })])).default({}),
  hook_results: z.array(HookResult).default([]),
  trusted: z.boolean().default(true),
  shell: z.enum(['bash', 'zsh']).default('bash'),
  platform: z.enum(['linux', 'darwin', 'win32']).default('linux'),
  fs_case: z.enum(['sensitive', 'insensitive']).optional(),
  expect: Behavior,
  also_ok: z.array(Behavior).default([]),
});
type CaseLine = z.infer<typeof CaseLine>;

export interface FileCase {
  readonly id: string;
  readonly expect: Behavior;
  /** The expected decision and those that are acceptable too. */
  readonly accepted: readonly Behavior[];
  readonly question: PermissionCase;
}

/** A line that is no case: its id as far as there is one, and why. */
export interface CaseProblem {
  readonly id: string;
  readonly problem: string;
}

type Readings = readonly { readonly source: RuleSource; readonly reading: SettingsReading }[];

function rulesOf(readings: Readings): Partial<Record<RuleSource, CaseRules>> {
  return Object.fromEntries(
    readings.map(({ source, reading }): [RuleSource, CaseRules] => {
      const of = (behavior: Behavior) =>
        reading.rules.filter((rule) => rule.behavior === behavior).map((rule) => rule.text);
      const { additionalDirectories } = reading;
      return [source, { allow: of('allow'), ask: of('ask'), deny: of('deny'), additionalDirectories }];
    }),
  );
}

/** The mode that settings start in: the strongest source that names one, never auto or bypass from a repository. */
function startingMode(readings: Readings, trusted: boolean): PermissionMode {
  const rank = (source: RuleSource) => ruleSources[source].scalarRank ?? 0;
  const choices = readings.flatMap(({ source, reading }) => {
    const { defaultMode } = reading;
    const fromFolder = source === 'projectSettings' || source === 'localSettings';
    if (defaultMode === null || (source === 'projectSettings' && !trusted)) return [];
    if (fromFolder && (defaultMode === 'auto' || defaultMode === 'bypassPermissions')) return [];
    return [{ mode: defaultMode, rank: rank(source) }];
  });
  return choices.sort((a, b) => b.rank - a.rank)[0]?.mode ?? 'default';
}

function modeOf(line: CaseLine, readings: Readings): PermissionMode {
  const mode = line.mode === 'manual' ? 'default' : (line.mode ?? startingMode(readings, line.trusted));
  const removed =
    (mode === 'bypassPermissions' && readings.some(({ reading }) => reading.disableBypass)) ||
    (mode === 'auto' && readings.some(({ reading }) => reading.disableAuto));
  return removed ? 'default' : mode;
}

function toCase(line: CaseLine): FileCase {
  const readings: Readings = SourceName.options.flatMap((name) => {
    const settings = line.settings[name];
    return settings === undefined ? [] : [{ source: sourceNames[name], reading: readSettings(settings) }];
  });
  const { workspace, home, tool, input, files, trusted, platform } = line;
  return {
    id: line.id,
    expect: line.expect,
    accepted: [line.expect, ...line.also_ok],
    question: {
      rules: rulesOf(readings),
      mode: modeOf(line, readings),
      workspace,
      home,
      tool,
      input,
      files,
      trusted,
      platform,
      ignoreCase: line.fs_case === undefined ? platform === 'win32' : line.fs_case === 'insensitive',
      privateFiles: [],
      switches: unitedSwitches(readings.map(({ reading }) => reading.switches)),
      managedOnly: readings.some(({ source, reading }) => source === 'policySettings' && reading.managedRulesOnly),
      ...combineHooks(line.hook_results),
    },
  };
}

function idOf(value: unknown, number: number): string {
  const found = z.object({ id: z.union([z.string(), z.number()]) }).safeParse(value);
  return found.success ? String(found.data.id) : `line ${number}`;
}

function issueText(error: z.ZodError): string {
  return error.issues
    .map((issue) => {
      const at = issue.path.map(String).join('.');
      if (issue.code === 'unrecognized_keys') return `${at}: ${issue.keys.join(', ')} is not known`;
      return `${at === '' ? 'the line' : at}: ${issue.message}`;
    })
    .join('; ');
}

/** Reads one line; null for an empty one. `number` counts from 1. */
export function readCase(text: string, number: number): Result<FileCase, CaseProblem> | null {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (trimmed === '') return null;
  let value: unknown;
  try {
    value = JSON.parse(trimmed);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return fail({ id: `line ${number}`, problem: `Line ${number} is not JSON: ${cause}` });
  }
  const line = CaseLine.safeParse(value);
  if (line.success) return ok(toCase(line.data));
  return fail({ id: idOf(value, number), problem: `Line ${number} is not understood: ${issueText(line.error)}` });
}

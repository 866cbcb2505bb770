// A world in memory for one permission question: folders, files, links, rules. The same engine as everywhere decides.

import { posix } from 'node:path';
import type { Decision, RuleRef } from '#shared/permissions/decision';
import type { PermissionMode } from '#shared/permissions/modes';
import type { RuleSource } from '#shared/permissions/sources';
import type { SettingsSwitches } from '#shared/settings/schema';
import { searchRoot } from '../tools/searchRoot';
import type { CallFact, OwnPermission } from '../tools/tool';
import type { CallFacts } from './callFacts';
import { type DecideOptions, decide, type HookOpinion } from './decide';
import { explainDecision } from './explain';
import { gatherFacts, type Place } from './facts';
import type { FileView } from './fileView';
import { fold, type Platform, toEnginePath } from './paths';
import { buildRuleSet, type SourcedRule, sourceOrder } from './ruleSet';
import { steeringPlaces } from './steering';
import { applySwitches } from './switches';

/** A file's text, or where a link points. */
export type CaseFile = string | { readonly symlink: string };

export interface CaseRules {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  readonly additionalDirectories?: readonly string[];
}

export interface PermissionCase {
  readonly rules: Partial<Record<RuleSource, CaseRules>>;
  readonly mode: PermissionMode;
  readonly workspace: string;
  readonly home: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Absolute path, or relative to the workspace → file. Nothing else exists but the folders above them. */
  readonly files: Readonly<Record<string, CaseFile>>;
  readonly trusted: boolean;
  readonly platform: Platform;
  readonly ignoreCase: boolean;
  readonly privateFiles: readonly string[];
  /** Only the rules of the policy count. */
  readonly managedOnly?: boolean;
  /** Switches of the settings that narrow the decision. */
  readonly switches?: SettingsSwitches;
  readonly hook?: HookOpinion;
  /** What a hook made of the input. */
  readonly updatedInput?: Readonly<Record<string, unknown>>;
}

/** Names on a disk that is not there. On a disk that ignores case a name is found however it is written. */
export function memoryView(files: ReadonlyMap<string, CaseFile>, ignoreCase = false): FileView {
  const key = (path: string) => (ignoreCase ? fold(path, true) : path);
  const known = new Map([...files].map(([path, file]) => [key(path), file]));
  const folders = new Map<string, Set<string>>();
  for (const path of files.keys())
    for (let at = path; at !== '/'; at = posix.dirname(at)) {
      const above = key(posix.dirname(at));
      const names = folders.get(above) ?? new Set<string>();
      folders.set(above, names.add(posix.basename(at)));
    }
  return {
    kind(path) {
      const file = known.get(key(path));
      if (file !== undefined) return typeof file === 'string' ? 'file' : 'link';
      return folders.has(key(path)) ? 'folder' : null;
    },
    linkTarget(path) {
      const file = known.get(key(path));
      return file === undefined || typeof file === 'string' ? '' : file.symlink;
    },
    names: (folder) => [...(folders.get(key(folder)) ?? [])],
  };
}

const readers: ReadonlySet<string> = new Set(['Read', 'Grep', 'Glob', 'ListDirectory', 'LSP']);
const writers: ReadonlySet<string> = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);
const shells: ReadonlySet<string> = new Set(['Bash', 'Monitor', 'PowerShell']);
const onlyReading: ReadonlySet<string> = new Set([
  ...readers,
  ...'WebFetch WebSearch TodoWrite AskUserQuestion GetDiagnostics'.split(' '),
]);

/** Whether a tool changes nothing, as far as its name tells. */
export function onlyReads(tool: string): boolean {
  return onlyReading.has(tool);
}

/** Tools whose every call is put to the person, and why. */
const asking: ReadonlyMap<string, OwnPermission> = new Map([
  [
    'PowerShell',
    {
      behavior: 'ask',
      detail: 'No parser here understands PowerShell, so what the command does cannot be told.',
    },
  ],
  ['ExitPlanMode', { behavior: 'ask', detail: 'leaving plan mode is your decision', hookMayAllow: true }],
  ['SetConfig', { behavior: 'ask', detail: 'it changes how Gatehouse itself is set' }],
]);

/** What a tool itself says of its calls, as far as its name tells. */
export function ownOpinionOf(tool: string): OwnPermission {
  return asking.get(tool) ?? { behavior: 'passthrough' };
}

type Input = Readonly<Record<string, unknown>>;

function text(input: Input, key: string): string | undefined {
  const value = Object.hasOwn(input, key) ? input[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}

function texts(input: Input, key: string): readonly string[] {
  const value = Object.hasOwn(input, key) ? input[key] : undefined;
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function absolute(path: string, folder: string, home: string): string {
  if (path === '~' || /^~[/\\]/.test(path)) return posix.join(home, path.slice(1));
  return /^([A-Za-z]:|\/|\\\\)/.test(path) ? path : posix.join(folder, path);
}

/** What a call of a known tool will touch, told from the names of its fields. Paths absolute, links not followed. */
export function callFactsOf(call: {
  readonly tool: string;
  readonly input: Input;
  readonly cwd: string;
  readonly home: string;
}): readonly CallFact[] {
  const { tool, input, cwd, home } = call;
  if (shells.has(tool)) return [{ kind: 'command', command: text(input, 'command') ?? '', cwd }];
  if (tool === 'REPL') return [{ kind: 'code', language: 'javascript', code: text(input, 'code') ?? '', cwd }];
  if (tool === 'GetDiagnostics')
    return texts(input, 'file_paths').map((path) => ({
      kind: 'path',
      access: 'read',
      path: absolute(path, cwd, home),
    }));
  if (readers.has(tool) || writers.has(tool)) {
    const fields = tool === 'NotebookEdit' ? ['notebook_path', 'file_path', 'path'] : ['file_path', 'path'];
    const given = fields.map((field) => text(input, field)).find((path) => path !== undefined);
    const access = writers.has(tool) ? 'write' : 'read';
    const pattern = tool === 'Glob' ? text(input, 'pattern') : undefined;
    if (pattern !== undefined) {
      // A pattern may name another place than the folder it is given with.
      const place = { sessionId: '', callId: '', folder: cwd, cwd, home };
      return [{ kind: 'path', access, path: searchRoot({ pattern, path: given }, place).root }];
    }
    return [{ kind: 'path', access, path: absolute(given ?? cwd, cwd, home) }];
  }
  const url = tool === 'WebFetch' ? text(input, 'url') : undefined;
  return url !== undefined && URL.canParse(url) ? [{ kind: 'host', host: new URL(url).hostname }] : [];
}

interface World {
  readonly place: Place;
  readonly view: FileView;
  readonly written: readonly SourcedRule[];
  /** What a folder allows by itself and may not yet. */
  readonly waiting: readonly RuleRef[];
}

function worldOf(one: PermissionCase): World {
  const { platform, ignoreCase } = one;
  const engine = (path: string) => toEnginePath(path, platform);
  const folder = engine(one.workspace);
  const home = engine(one.home);
  const within = (path: string) => engine(absolute(path, one.workspace, one.home));
  const files = new Map(Object.entries(one.files).map(([path, file]): [string, CaseFile] => [within(path), file]));
  const written: SourcedRule[] = [];
  const waiting: RuleRef[] = [];
  const additional: string[] = [];
  for (const source of sourceOrder) {
    const lists = one.rules[source] ?? {};
    const restricted = !one.trusted && source === 'projectSettings';
    if (!restricted) additional.push(...(lists.additionalDirectories ?? []).map(within));
    if (one.managedOnly === true && source !== 'policySettings') continue;
    for (const behavior of ['allow', 'ask', 'deny'] as const) {
      const refs = (lists[behavior] ?? []).map((rule): RuleRef => ({ text: rule, behavior, source }));
      if (restricted && behavior === 'allow') waiting.push(...refs);
      else {
        const sourceFolder = source === 'userSettings' ? posix.join(home, '.claude') : null;
        written.push(...refs.map((ref) => ({ ref, sourceFolder })));
      }
    }
  }
  const { privateFiles } = one;
  return {
    place: {
      folder,
      cwd: folder,
      home,
      additional,
      privateFiles,
      platform,
      ignoreCase,
      steering: steeringPlaces({ files: null, folders: [folder], home, engine }),
    },
    view: memoryView(files, ignoreCase),
    written,
    waiting,
  };
}

function questionOf(one: PermissionCase, { place, view, written }: World): DecideOptions {
  const facts = (input: Input): CallFacts =>
    gatherFacts(
      {
        toolName: one.tool,
        isMcp: one.tool.startsWith('mcp__'),
        isReadOnly: onlyReads(one.tool),
        input,
        facts: callFactsOf({ tool: one.tool, input, cwd: one.workspace, home: one.home }),
        own: ownOpinionOf(one.tool),
      },
      place,
      view,
    );
  const base = {
    own: ownOpinionOf(one.tool),
    rules: buildRuleSet(written, place, view),
    mode: one.mode,
    ...(one.hook === undefined ? {} : { hook: one.hook }),
  };
  return one.updatedInput === undefined
    ? { ...base, facts: facts(one.input) }
    : { ...base, facts: facts(one.updatedInput), original: facts(one.input) };
}

function narrowed(one: PermissionCase, decision: Decision, facts: CallFacts): Decision {
  return one.switches === undefined ? decision : applySwitches(decision, facts, one.switches);
}

/** Decides a case. The second shell parser must be loaded. */
export function decideCase(one: PermissionCase): Decision {
  const question = questionOf(one, worldOf(one));
  return narrowed(one, decide(question), question.facts);
}

/** Decides a case and says all that lies behind it. The second shell parser must be loaded. */
export function explainCase(one: PermissionCase): Decision {
  const world = worldOf(one);
  const question = questionOf(one, world);
  const decision = narrowed(one, decide(question), question.facts);
  const { written, waiting } = world;
  return { ...decision, why: explainDecision({ ...question, decision, written, waiting }) };
}

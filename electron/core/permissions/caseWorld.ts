// A world in memory for one permission question: folders, files, links, rules. The same engine as everywhere decides.
import { posix } from 'node:path';
import type { Decision } from '#shared/permissions/decision';
import type { PermissionMode } from '#shared/permissions/modes';
import type { RuleSource } from '#shared/permissions/sources';
import type { CallFact } from '../tools/tool';
import { decide, type HookOpinion } from './decide';
import { gatherFacts, type Place } from './facts';
import type { FileView } from './fileView';
import { type Platform, toEnginePath } from './paths';
import { buildRuleSet, type SourcedRule } from './ruleSet';

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
  readonly hook?: HookOpinion;
  /** What a hook made of the input. */
  readonly updatedInput?: Readonly<Record<string, unknown>>;
}

/** Names on a disk that is not there. */
export function memoryView(files: ReadonlyMap<string, CaseFile>): FileView {
  const folders = new Map<string, Set<string>>();
  for (const path of files.keys())
    for (let at = path; at !== '/'; at = posix.dirname(at)) {
      const names = folders.get(posix.dirname(at)) ?? new Set<string>();
      folders.set(posix.dirname(at), names.add(posix.basename(at)));
    }
  return {
    kind(path) {
      const file = files.get(path);
      if (file !== undefined) return typeof file === 'string' ? 'file' : 'link';
      return folders.has(path) ? 'folder' : null;
    },
    linkTarget(path) {
      const file = files.get(path);
      return file === undefined || typeof file === 'string' ? '' : file.symlink;
    },
    names: (folder) => [...(folders.get(folder) ?? [])],
  };
}

const readers: ReadonlySet<string> = new Set(['Read', 'Grep', 'Glob', 'ListDirectory', 'LSP']);
const writers: ReadonlySet<string> = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);
const onlyReading: ReadonlySet<string> = new Set([...readers, 'WebFetch', 'WebSearch', 'TodoWrite', 'AskUserQuestion']);

function text(input: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = Object.hasOwn(input, key) ? input[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}

function callFacts(tool: string, input: Readonly<Record<string, unknown>>, workspace: string): readonly CallFact[] {
  if (tool === 'Bash' || tool === 'Monitor')
    return [{ kind: 'command', command: text(input, 'command') ?? '', cwd: workspace }];
  if (readers.has(tool) || writers.has(tool)) {
    const given = text(input, 'file_path') ?? text(input, 'path') ?? text(input, 'notebook_path') ?? workspace;
    const path = /^([A-Za-z]:|\/)/.test(given) ? given : posix.join(workspace, given);
    return [{ kind: 'path', access: writers.has(tool) ? 'write' : 'read', path }];
  }
  const url = tool === 'WebFetch' ? text(input, 'url') : undefined;
  return url !== undefined && URL.canParse(url) ? [{ kind: 'host', host: new URL(url).hostname }] : [];
}

/** Decides a case. The second shell parser must be loaded. */
export function decideCase(one: PermissionCase): Decision {
  const { platform, ignoreCase } = one;
  const engine = (path: string) => toEnginePath(path, platform);
  const folder = engine(one.workspace);
  const home = engine(one.home);
  const entries = Object.entries(one.files).map(([path, file]): [string, CaseFile] => [
    engine(/^([A-Za-z]:|\/)/.test(path) ? path : posix.join(one.workspace, path)),
    file,
  ]);
  const view = memoryView(new Map(entries));
  const rules: SourcedRule[] = [];
  const additional: string[] = [];
  for (const [name, lists] of Object.entries(one.rules)) {
    const source = name as RuleSource;
    const restricted = !one.trusted && source === 'projectSettings';
    for (const behavior of ['allow', 'ask', 'deny'] as const) {
      if (restricted && behavior === 'allow') continue;
      for (const rule of lists[behavior] ?? [])
        rules.push({
          ref: { text: rule, behavior, source },
          sourceFolder: source === 'userSettings' ? posix.join(home, '.claude') : null,
        });
    }
    if (!restricted) additional.push(...(lists.additionalDirectories ?? []).map((path) => posix.resolve(folder, path)));
  }
  const place: Place = {
    folder,
    cwd: folder,
    home,
    additional,
    privateFiles: one.privateFiles,
    platform,
    ignoreCase,
  };
  const facts = (input: Readonly<Record<string, unknown>>) =>
    gatherFacts(
      {
        toolName: one.tool,
        isMcp: one.tool.startsWith('mcp__'),
        isReadOnly: onlyReading.has(one.tool),
        input,
        facts: callFacts(one.tool, input, one.workspace),
        own: { behavior: 'passthrough' },
      },
      place,
      view,
    );
  const base = { own: { behavior: 'passthrough' as const }, rules: buildRuleSet(rules, place, view), mode: one.mode };
  const hook = one.hook === undefined ? {} : { hook: one.hook };
  return one.updatedInput === undefined
    ? decide({ ...base, ...hook, facts: facts(one.input) })
    : decide({ ...base, ...hook, facts: facts(one.updatedInput), original: facts(one.input) });
}

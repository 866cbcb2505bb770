// Files that steer the agent, named in a call in a way that leaves open what becomes of them: handed to programs that
// nobody here knows, given a second name, written in code, or passed to an MCP server.
import type { Guard, Steers } from './guardedNames';
import { guardText, isOwnLimit } from './guardedNames';
import { understands } from './shell/commandFiles';
import type { ShellWord } from './shell/words';
import { baseName } from './shell/wrappers';

/** Why a call that only names a file is put before a person all the same. */
export interface Mention {
  /** As a sentence. */
  readonly detail: string;
  readonly steers: Steers;
  /** One of Gatehouse's own secret files or its data: no tool may touch it. */
  readonly private: boolean;
}

/** What a path is, if it is guarded. */
export type Look = (path: string) => { readonly guard: Guard | null; readonly private: boolean };

export interface MentioningCommand {
  readonly words: readonly ShellWord[];
  /** Text that the shell feeds to it. */
  readonly input: string | null;
  readonly readOnly: boolean;
}

const interpreters =
  /^(python[\d.]*|pypy\d?|perl|ruby|node|nodejs|deno|bun|tsx|ts-node|php|lua|[gmn]?awk|osascript|tclsh|expect|Rscript|julia|groovy|pwsh|powershell|sqlite3)$/;

/** Names of the agent's own limits in code, as far as they are written out. */
const inCode: readonly (readonly [RegExp, Guard])[] = [
  [/(?<![\w.-])\.(mcp|claude)\.json\b/i, { name: '.mcp.json', steers: 'servers', disguised: false }],
  [/\bmanaged-(settings|mcp)\b/i, { name: 'settings of the administrator', steers: 'rules', disguised: false }],
  [/(?<![\w.-])\.claude(?![\w-]|\.json|[\\/]+worktrees)/i, { name: '.claude', steers: 'rules', disguised: false }],
];

function codeMention(code: string, what: string): Mention | null {
  for (const [pattern, guard] of inCode) {
    const found = pattern.exec(code)?.[0];
    if (found === undefined) continue;
    const name = { ...guard, name: found };
    return { detail: `${what} names ${found}. ${guardText(found, name)}`, steers: guard.steers, private: false };
  }
  return null;
}

function pathMention(look: Look, path: string, how: (given: string) => string): Mention | null {
  if (path === '' || path.length > 4_096) return null;
  const { guard, private: isPrivate } = look(path);
  if (isPrivate) return { detail: how(path), steers: 'later', private: true };
  if (guard === null) return null;
  return { detail: `${how(path)} ${guardText(path, guard)}`, steers: guard.steers, private: false };
}

function first<T>(list: readonly T[], find: (one: T) => Mention | null): Mention | null {
  for (const one of list) {
    const found = find(one);
    if (found !== null) return found;
  }
  return null;
}

/** What a word may name: itself, and what stands behind an option's letters or name. */
function pathsIn(word: ShellWord): readonly string[] {
  return word.values.flatMap((value) => {
    const long = /^--?[\w-]+=(.+)$/s.exec(value)?.[1];
    if (long !== undefined) return [long];
    if (/^-[A-Za-z].+/s.test(value)) return [value.slice(2)];
    return value.startsWith('-') ? [] : [value];
  });
}

/** Words that are handed on as they are; those of options that leave something out are not. */
function operands(words: readonly ShellWord[]): readonly ShellWord[] {
  return words.slice(1).filter((word, at, all) => {
    const before = all[at - 1]?.value ?? '';
    return !/ignore|exclude/i.test(word.value.startsWith('-') ? word.value : before.startsWith('-') ? before : '');
  });
}

function links(name: string, words: readonly ShellWord[]): boolean {
  const values = words.map(({ value }) => value);
  if (name === 'cp') return values.some((value) => /^(-[a-zA-Z]*[ls]|--link|--symbolic-link)/.test(value));
  return name === 'ln' || name === 'link' || name === 'mount' || name === 'bindfs';
}

/** Keys of git's configuration that start nothing. */
const harmlessKeys = /^(user|color|branch|pull|push|init|advice|log|rebase|merge\.conflictstyle|core\.autocrlf)(\.|$)/i;

function gitMention(words: readonly ShellWord[]): Mention | null {
  let at = 1;
  for (; /^-/.test(words[at]?.value ?? ''); at++)
    if (/^(-C|-c|--git-dir|--work-tree)$/.test(words[at]?.value ?? '')) at++;
  if (words[at]?.value !== 'config') return null;
  const rest = words.slice(at + 1).map(({ value }) => value);
  const isEdit = rest.some((value) => /^(-e|--edit|edit)$/.test(value));
  const plain = rest.filter(
    (value, index) => !value.startsWith('-') && !/^(-f|--file|--type)$/.test(rest[index - 1] ?? ''),
  );
  const reads = rest.some((value) => /^(--get.*|-l|--list|--name-only|--show-.*)$/.test(value));
  const [verb = ''] = plain;
  const set = verb === 'set' || verb === 'rename-section' || verb === 'unset' ? plain.slice(1) : plain;
  if (reads || verb === 'get' || verb === 'list') return null;
  const changes =
    isEdit || set.length > 1 || set !== plain || rest.some((value) => /^--(add|unset|replace|rename)/.test(value));
  if (!changes || (!isEdit && harmlessKeys.test(set[0] ?? ''))) return null;
  const detail = `It changes git’s configuration (${set[0] ?? 'by hand'}), which decides what git runs by itself.`;
  return { detail, steers: 'git', private: false };
}

/** Words with which these programs change nothing. */
const lookingOnly = /^(--version|-v|--help|-h|help|version|doctor|check|lint|test|diff|explain|replay|export|trace)$/;

function agentMention(name: string, words: readonly ShellWord[]): Mention | null {
  const [verb = '', next = ''] = words.slice(1).map(({ value }) => value);
  if (lookingOnly.test(verb) || (verb === 'mcp' && /^(list|get)$/.test(next))) return null;
  const detail = `${name} starts an agent or changes its settings: what it may do there is not decided here.`;
  return { detail, steers: 'rules', private: false };
}

/** What a command of a shell line only names; null where its files are known, or it names none that are guarded. */
export function mentionOf(command: MentioningCommand, look: Look): Mention | null {
  const { words, input, readOnly } = command;
  const name = baseName(words[0]?.values[0] ?? '').replace(/\.exe$/i, '');
  if (readOnly || name === '') return null;
  if (name === 'claude' || name === 'gatehouse') return agentMention(name, words);
  if (name === 'git') return gitMention(words);
  if (links(name, words))
    return first(operands(words).flatMap(pathsIn), (path) =>
      pathMention(look, path, (given) => `${name} gives ${given} another name, by which it can be changed.`),
    );
  if (interpreters.test(name)) {
    const found = codeMention([...words.map(({ value }) => value), input ?? ''].join('\n'), 'The code');
    if (found !== null) return found;
  }
  if (understands(name)) return null;
  return first(operands(words).flatMap(pathsIn), (path) => {
    const found = pathMention(look, path, (given) => `What ${name} does with ${given} is not known.`);
    // Other guarded files are handed to linters and formatters all day.
    return found === null || found.private || isOwnLimit(found.steers) ? found : null;
  });
}

/** Code that no parser here understands. */
export function mentionInCode(code: string): Mention | null {
  return codeMention(code, 'The code');
}

/** Fields whose text is run. */
const runField = /^(command|cmd|script|code|shell|args?|argv|arguments|program|expression|js|python|javascript)$/i;
const maxLeaves = 500;

function leaves(value: unknown): readonly { readonly key: string; readonly text: string }[] {
  const found: { readonly key: string; readonly text: string }[] = [];
  const open: { readonly key: string; readonly value: unknown }[] = [{ key: '', value }];
  for (let at = open.pop(); at !== undefined && found.length < maxLeaves; at = open.pop()) {
    const { key, value: inner } = at;
    if (typeof inner === 'string') found.push({ key, text: inner });
    else if (Array.isArray(inner)) open.push(...inner.slice(0, maxLeaves).map((one: unknown) => ({ key, value: one })));
    else if (typeof inner === 'object' && inner !== null)
      open.push(
        ...Object.entries(inner)
          .slice(0, maxLeaves)
          .map(([name, one]) => ({ key: name, value: one as unknown })),
      );
  }
  return found;
}

function pathOfText(text: string): string | null {
  if (/[\n\r\0]/.test(text)) return null;
  if (!/^file:/i.test(text)) return text;
  try {
    return decodeURIComponent(new URL(text).pathname);
  } catch {
    return null;
  }
}

/** What the input of a call to an MCP server names. A server acts outside of the sandbox. */
export function mentionInInput(input: Readonly<Record<string, unknown>>, look: Look): Mention | null {
  return first(leaves(input), ({ key, text }) => {
    const path = pathOfText(text);
    const named =
      path === null
        ? null
        : pathMention(look, path, (given) => `The call hands ${given} to a server outside of the sandbox.`);
    return named ?? (runField.test(key) ? codeMention(text, 'What the server would run') : null);
  });
}

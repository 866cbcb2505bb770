// Finds the rules of a list that may speak of something without trying them all. It may name too many, never too few:
// what it names is still matched one by one, in the order of the list.
import type { CompiledRule } from './compiledRule';
import { commandKeys, gramAt, gramLength, gramsOf, hostKeys, pathKeys, toolKeys } from './ruleKeys';

/** What rules are looked up by. */
export interface Subject {
  /** Names of tools that the call goes by. */
  readonly tools?: readonly string[];
  /** Texts of a command, blanks made even. */
  readonly commands?: readonly string[];
  /** The whole line, blanks made even: only exact rules speak of it. */
  readonly line?: string | null;
  /** Absolute paths in the engine's form. */
  readonly paths?: readonly string[];
  readonly hosts?: readonly string[];
}

/** Names the rules of one list that may match; in the order of the list, each once. */
export type Finder = (subject: Subject) => readonly CompiledRule[];

/** A rule and its place in the list. */
type Placed<Rule> = readonly [rule: Rule, position: number];

type Positions<Key> = Map<Key, number[]>;

function add<Key>(to: Positions<Key>, key: Key, position: number): void {
  const known = to.get(key);
  if (known === undefined) to.set(key, [position]);
  else known.push(position);
}

function take<Key>(from: Positions<Key>, key: Key, into: number[]): void {
  const found = from.get(key);
  if (found !== undefined) for (const position of found) into.push(position);
}

function count<Key>(keys: readonly Key[]): ReadonlyMap<Key, number> {
  const counts = new Map<Key, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function rarest<Key>(keys: readonly Key[], counts: ReadonlyMap<Key, number>): Key | undefined {
  let best: Key | undefined;
  for (const key of keys) if (best === undefined || (counts.get(key) ?? 0) < (counts.get(best) ?? 0)) best = key;
  return best;
}

/** Texts that begin with one of many heads: the heads by their length, so that few are looked up. */
class Heads {
  private readonly positions: Positions<string> = new Map();
  private lengths: readonly number[] = [];

  add(head: string, position: number): void {
    add(this.positions, head, position);
    if (!this.lengths.includes(head.length)) this.lengths = [...this.lengths, head.length].sort((a, b) => a - b);
  }

  take(text: string, into: number[]): void {
    for (const length of this.lengths) {
      if (length > text.length) return;
      take(this.positions, text.slice(0, length), into);
    }
  }
}

function firstWord(text: string): string {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 32 || code === 9 || code === 10) return text.slice(0, at);
  }
  return text;
}

type CommandRule = CompiledRule & { readonly kind: 'command' };

/** More rules than this with the same text before their first star are told apart by the texts behind it. */
const crowd = 4;

/** Prefixes lie under their first word; rules with stars inside that would crowd there lie under their rarest piece. */
class CommandIndex {
  private readonly exact: Positions<string> = new Map();
  private readonly byWord = new Map<string, Heads>();
  private readonly allByWord: Positions<string> = new Map();
  private readonly byGram: Positions<number> = new Map();
  private readonly rest = new Heads();
  private readonly all: readonly number[];

  constructor(rules: readonly Placed<CommandRule>[]) {
    const crowded: { readonly position: number; readonly keys: readonly number[] }[] = [];
    this.all = rules.map(([, position]) => position);
    const heads = count(rules.map(([rule]) => rule.pattern.head));
    for (const [rule, position] of rules) {
      const { exact, head, word } = commandKeys(rule.pattern);
      add(this.allByWord, firstWord(head), position);
      const keys = head === '' || (heads.get(head) ?? 0) > crowd ? gramsOf(rule.pattern) : [];
      if (exact) add(this.exact, head, position);
      else if (keys.length > 0) crowded.push({ position, keys });
      else if (word === null) this.rest.add(head, position);
      else {
        const known = this.byWord.get(word) ?? new Heads();
        this.byWord.set(word, known);
        known.add(head, position);
      }
    }
    const grams = count(crowded.flatMap(({ keys }) => keys));
    for (const { position, keys } of crowded) add(this.byGram, rarest(keys, grams) ?? 0, position);
  }

  takeExact(text: string, into: number[]): void {
    take(this.exact, text, into);
  }

  take(text: string, into: number[]): void {
    const word = firstWord(text);
    // A name that is a file pattern may be any command's.
    if (/[*?[]/.test(word)) {
      for (const position of this.all) into.push(position);
      return;
    }
    take(this.exact, text, into);
    // Words behind the name that are file patterns may be any word of a rule.
    if (/[*?[]/.test(text)) take(this.allByWord, word, into);
    else this.byWord.get(word)?.take(text, into);
    this.rest.take(text, into);
    if (this.byGram.size === 0) return;
    for (let at = 0; at + gramLength <= text.length; at++) take(this.byGram, gramAt(text, at), into);
  }
}

type PathRule = CompiledRule & { readonly kind: 'path' };

/** Every path rule lies under the rarest of the names that a path must hold. */
class PathIndex {
  private readonly bySegment: Positions<string> = new Map();
  private readonly rest: number[] = [];

  constructor(rules: readonly Placed<PathRule>[]) {
    const keyed = rules.map(([rule, position]) => ({ keys: pathKeys.ofPattern(rule.pattern.text), position }));
    const counts = count(keyed.flatMap(({ keys }) => keys));
    for (const { keys, position } of keyed) {
      const best = rarest(keys, counts);
      if (best === undefined) this.rest.push(position);
      else add(this.bySegment, best, position);
    }
  }

  take(path: string, into: number[]): void {
    for (const position of this.rest) into.push(position);
    if (this.bySegment.size > 0) for (const key of pathKeys.ofPath(path)) take(this.bySegment, key, into);
  }
}

/** Builds the finder of a list. */
function indexRules(list: readonly CompiledRule[]): Finder {
  const tools: Positions<string> = new Map();
  const anyTool: number[] = [];
  const commandRules: Placed<CommandRule>[] = [];
  const hosts: Positions<string> = new Map();
  const anyHost: number[] = [];
  const pathRules: Placed<PathRule>[] = [];
  for (const [position, rule] of list.entries()) {
    switch (rule.kind) {
      case 'tool':
      case 'name':
      case 'text':
      case 'parameter': {
        const keys = toolKeys.ofRule(rule.tool);
        if (keys === null) anyTool.push(position);
        else for (const key of keys) add(tools, key, position);
        break;
      }
      case 'command':
        commandRules.push([rule, position]);
        break;
      case 'path':
        if (!rule.pattern.negated) pathRules.push([rule, position]);
        break;
      case 'host': {
        const key = hostKeys.ofPattern(rule.host);
        if (key === null) anyHost.push(position);
        else add(hosts, key, position);
        break;
      }
    }
  }
  const commands = new CommandIndex(commandRules);
  const paths = new PathIndex(pathRules);

  return (subject) => {
    const found: number[] = [];
    if (subject.tools !== undefined) {
      found.push(...anyTool);
      for (const tool of subject.tools) for (const key of toolKeys.ofCall(tool)) take(tools, key, found);
    }
    for (const text of subject.commands ?? []) commands.take(text, found);
    if (typeof subject.line === 'string') commands.takeExact(subject.line, found);
    for (const path of subject.paths ?? []) paths.take(path, found);
    if (subject.hosts !== undefined && subject.hosts.length > 0) {
      found.push(...anyHost);
      for (const host of subject.hosts) for (const key of hostKeys.ofHost(host)) take(hosts, key, found);
    }
    return inOrder(list, found);
  };
}

function inOrder(list: readonly CompiledRule[], positions: number[]): readonly CompiledRule[] {
  if (positions.length === 0) return [];
  positions.sort((a, b) => a - b);
  const rules: CompiledRule[] = [];
  let last = -1;
  for (const position of positions) {
    const rule = position === last ? undefined : list[position];
    if (rule !== undefined) rules.push(rule);
    last = position;
  }
  return rules;
}

const finders = new WeakMap<readonly CompiledRule[], Finder>();

/** The finder of a list; made at the first use and kept as long as the list. Lists must not change. */
export function finderOf(list: readonly CompiledRule[]): Finder {
  const known = finders.get(list);
  if (known !== undefined) return known;
  const made = indexRules(list);
  finders.set(list, made);
  return made;
}

/** Gives a list a finder of its own, as for a list that was put together from others. */
export function setFinder(list: readonly CompiledRule[], finder: Finder): void {
  finders.set(list, finder);
}

const exceptions = new WeakMap<readonly CompiledRule[], readonly PathRule[]>();

/** The `!` patterns of a list. */
export function exceptionsOf(list: readonly CompiledRule[]): readonly PathRule[] {
  const known = exceptions.get(list);
  if (known !== undefined) return known;
  const found = list.flatMap((rule) => (rule.kind === 'path' && rule.pattern.negated ? [rule] : []));
  exceptions.set(list, found);
  return found;
}

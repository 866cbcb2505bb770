// The keys under which rules are looked up: what every text, path, host or tool that a rule matches must hold.
import type { CommandPattern } from './matchCommand';
import { normaliseHost } from './matchHost';
import { fold } from './paths';

/** A text begins with `head`; when `word` is not null that is its first word, up to the blank. */
export function commandKeys(pattern: CommandPattern): {
  readonly exact: boolean;
  readonly head: string;
  readonly word: string | null;
} {
  const { exact, head, endsAtWord } = pattern;
  const blank = head.search(/[ \t\n]/);
  const word = blank === -1 ? (endsAtWord ? head : null) : head.slice(0, blank);
  return { exact, head, word };
}

/** Characters that are looked up together. */
export const gramLength = 4;

/** The key of the characters from `at` on. Different ones may share a key. */
export function gramAt(text: string, at: number): number {
  let key = 0;
  for (let index = at; index < at + gramLength; index++) key = (Math.imul(key, 31) + text.charCodeAt(index)) | 0;
  return key;
}

/** Keys of all runs of characters that every matching text holds; none where the pattern is too short for it. */
export function gramsOf(pattern: CommandPattern): readonly number[] {
  return pattern.pieces.flatMap((piece) =>
    Array.from({ length: Math.max(0, piece.length - gramLength + 1) }, (_, at) => gramAt(piece, at)),
  );
}

/** Written so that only this very name can be meant, by any case. */
const literalName = /^[A-Za-z0-9_.@+~,=-]+$/;
/** `*.pem`: the name ends so. */
const literalEnding = /^\*(\.[A-Za-z0-9_-]+)$/;

/** Calls name the same files again and again. */
const keysOfPaths = new Map<string, readonly string[]>();
const maxPaths = 5_000;

export const pathKeys = {
  /** Names that a matching path must hold, each enough to look it up by; `*.pem` for an ending. */
  ofPattern(pattern: string): readonly string[] {
    // Within brackets and behind a backslash a slash may not part names.
    if (/[\\[\]{}]/.test(pattern)) return [];
    return pattern.split('/').flatMap((segment) => {
      if (segment === '.' || segment === '..') return [];
      if (literalName.test(segment)) return [segment.toLowerCase()];
      const ending = literalEnding.exec(segment)?.[1];
      return ending === undefined ? [] : [`*${ending.toLowerCase()}`];
    });
  },
  ofPath(path: string): readonly string[] {
    const known = keysOfPaths.get(path);
    if (known !== undefined) return known;
    const keys: string[] = [];
    for (const name of fold(path, true).split('/')) {
      if (name === '') continue;
      keys.push(name);
      const dot = name.lastIndexOf('.');
      if (dot !== -1) keys.push(`*${name.slice(dot)}`);
    }
    if (keysOfPaths.size >= maxPaths) keysOfPaths.clear();
    keysOfPaths.set(path, keys);
    return keys;
  },
};

export const hostKeys = {
  /** The end of all hosts that match, in whole labels; null when it is not known. */
  ofPattern(pattern: string): string | null {
    const wanted = pattern.toLowerCase().replace(/\.$/, '');
    const star = wanted.lastIndexOf('*');
    if (star === -1) return normaliseHost(wanted);
    const dot = wanted.indexOf('.', star);
    return dot === -1 || dot === wanted.length - 1 ? null : wanted.slice(dot + 1);
  },
  ofHost(host: string): readonly string[] {
    const name = normaliseHost(host);
    const keys = [name];
    for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) keys.push(name.slice(dot + 1));
    return keys;
  },
};

export const toolKeys = {
  /** Names, or beginnings of names up to `__`; null when any tool may be meant. */
  ofRule(tool: string): readonly string[] | null {
    if (tool === 'Bash') return ['Bash', 'Monitor'];
    if (tool === 'Task' || tool === 'Agent') return ['Task', 'Agent'];
    const star = tool.indexOf('*');
    if (star === -1) return [tool];
    const end = tool.lastIndexOf('__', star - 2);
    return star < 2 || end <= 0 ? null : [tool.slice(0, end)];
  },
  ofCall(tool: string): readonly string[] {
    const keys = [tool];
    for (let at = tool.indexOf('__', 1); at !== -1; at = tool.indexOf('__', at + 1)) keys.push(tool.slice(0, at));
    return keys;
  },
};

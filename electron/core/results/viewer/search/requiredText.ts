// What stands in every match of an expression, so that lines without it need not be tried.

/** Shorter texts are in too many lines to be worth looking for. */
const shortest = 2;

/**
 * The longest text that is part of every match of `source` (a valid expression with the flag u); null when none can be told.
 * Where cases do not matter it is ASCII without k and s, which have relatives outside of it.
 */
export function requiredText(source: string, caseSensitive: boolean): string | null {
  const runs: string[] = [];
  let run = '';
  const end = (): void => {
    runs.push(run);
    run = '';
  };
  for (let at = 0; at < source.length; ) {
    const token = tokenAt(source, at);
    if (token === null) return null;
    at += token.length;
    const quantifier = /[?*+]\??|\{\d+(?:,\d*)?\}\??/y;
    quantifier.lastIndex = at;
    const repeated = quantifier.exec(source)?.[0] ?? '';
    at += repeated.length;
    if (token.text === null || !isUsable(token.text, caseSensitive)) end();
    else if (repeated === '') run += token.text;
    else {
      // Once is sure only with a plus.
      if (repeated.startsWith('+')) run += token.text;
      end();
    }
  }
  end();
  const longest = runs.reduce((best, one) => (one.length > best.length ? one : best), '');
  return longest.length < shortest ? null : longest;
}

function isUsable(text: string, caseSensitive: boolean): boolean {
  return caseSensitive || (/^[ -~]$/.test(text) && !/[ks]/i.test(text));
}

interface Token {
  readonly length: number;
  /** The one text that it stands for; null where there are more, or none. */
  readonly text: string | null;
}

/** The part of an expression that begins at `at`; null for what cannot be judged part by part. */
function tokenAt(source: string, at: number): Token | null {
  const sign = source.charAt(at);
  switch (sign) {
    case '|':
      return null;
    case '\\': {
      const escaped = source.charAt(at + 1);
      if (/[\^$\\.*+?()[\]{}|/]/.test(escaped)) return { length: 2, text: escaped };
      return { length: escapeLength(source, at), text: null };
    }
    case '[':
      return { length: classLength(source, at), text: null };
    case '(': {
      const length = groupLength(source, at);
      return length === null ? null : { length, text: null };
    }
    case '.':
    case '^':
    case '$':
      return { length: 1, text: null };
    default: {
      const text = String.fromCodePoint(source.codePointAt(at) ?? 0);
      return { length: text.length, text };
    }
  }
}

function escapeLength(source: string, at: number): number {
  const known = /\\(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}|c[a-z]|[pP]\{[^}]*\}|k<[^>]*>|\d+|[\s\S])/iy;
  known.lastIndex = at;
  return known.exec(source)?.[0].length ?? 2;
}

function classLength(source: string, at: number): number {
  let end = at + 1;
  while (end < source.length && source.charAt(end) !== ']') end += source.charAt(end) === '\\' ? 2 : 1;
  return end + 1 - at;
}

function groupLength(source: string, at: number): number | null {
  let depth = 0;
  for (let end = at; end < source.length; ) {
    const sign = source.charAt(end);
    if (sign === '\\') end += escapeLength(source, end);
    else if (sign === '[') end += classLength(source, end);
    else {
      if (sign === '(') depth += 1;
      if (sign === ')') depth -= 1;
      end += 1;
      if (depth === 0) return end - at;
    }
  }
  return null;
}

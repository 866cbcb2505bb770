// Joins two changes of one text line by line, as version control does.
import { diffArrays } from 'diff';

interface Hunk {
  /** Lines of the base from `from` up to, not including, `to` are replaced. */
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** Lines with their ends; joined they are the text again. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function hunksOf(base: readonly string[], changed: readonly string[]): Hunk[] {
  const hunks: Hunk[] = [];
  let at = 0;
  let open: { from: number; to: number; lines: string[] } | null = null;
  for (const part of diffArrays([...base], [...changed])) {
    if (!part.added && !part.removed) {
      if (open !== null) hunks.push(open);
      open = null;
      at += part.value.length;
      continue;
    }
    open ??= { from: at, to: at, lines: [] };
    if (part.removed) {
      at += part.value.length;
      open.to = at;
    } else open.lines.push(...part.value);
  }
  if (open !== null) hunks.push(open);
  return hunks;
}

function same(one: Hunk, other: Hunk): boolean {
  return one.from === other.from && one.to === other.to && one.lines.join('') === other.lines.join('');
}

/** Whether two changes touch the same or neighbouring lines, so that nobody can say how they go together. */
function collide(one: Hunk, other: Hunk): boolean {
  return one.from <= other.to && other.from <= one.to;
}

/** What both changes of `base` give together; null when they touch the same lines in different ways. */
export function mergeText(texts: {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}): string | null {
  const { base, mine, theirs } = texts;
  if (mine === theirs || theirs === base) return mine;
  if (mine === base) return theirs;
  const lines = linesOf(base);
  const own = hunksOf(lines, linesOf(mine));
  const others = hunksOf(lines, linesOf(theirs)).filter((hunk) => !own.some((one) => same(one, hunk)));
  if (own.some((one) => others.some((other) => collide(one, other)))) return null;
  let merged = '';
  let at = 0;
  for (const hunk of [...own, ...others].sort((a, b) => a.from - b.from || a.to - b.to)) {
    merged += lines.slice(at, hunk.from).join('') + hunk.lines.join('');
    at = hunk.to;
  }
  return merged + lines.slice(at).join('');
}

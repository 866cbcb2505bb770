// Finds a few typed letters in a text, and says which of its letters they are.

export interface Found {
  /** Higher is better. */
  readonly score: number;
  /** Positions of the letters that were typed, in order. */
  readonly at: readonly number[];
}

/** Longer texts are looked at up to here. */
const longest = 300;

/** Whether a letter begins a word. */
function begins(text: string, index: number): boolean {
  if (index === 0) return true;
  const before = text.charAt(index - 1);
  const here = text.charAt(index);
  if (/[\s/\\._:(-]/.test(before)) return true;
  return before === before.toLowerCase() && here !== here.toLowerCase();
}

/** All words of a query, each in order and anywhere; null when one of them is not in the text. */
export function fuzzy(text: string, query: string): Found | null {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const at = new Set<number>();
  let score = 0;
  for (const word of words) {
    const found = oneWord(text.slice(0, longest), word);
    if (found === null) return null;
    score += found.score;
    for (const index of found.at) at.add(index);
  }
  // Of two that fit as well, the shorter says less beside it.
  return { score: score - text.length / 100, at: [...at].sort((a, b) => a - b) };
}

function oneWord(text: string, word: string): Found | null {
  const lower = text.toLowerCase();
  // Lower case may be longer than the text itself; then positions would not fit.
  if (lower.length !== text.length) return null;
  const starts: number[] = [];
  const whole: number[] = [];
  for (let from = lower.indexOf(word); from !== -1; from = lower.indexOf(word, from + 1)) {
    whole.push(from);
    if (begins(text, from)) starts.push(from);
  }
  const best = starts[0] ?? whole[0];
  if (best !== undefined) {
    const score = 10 * word.length + (starts.length > 0 ? 20 : 0) + (best === 0 ? 10 : 0);
    return { score, at: Array.from(word, (_, index) => best + index).slice(0, word.length) };
  }
  return scattered(text, lower, word);
}

/** Letters in order with gaps: those that begin a word first, so that `ns` finds New session. */
function scattered(text: string, lower: string, word: string): Found | null {
  const at: number[] = [];
  let from = 0;
  let score = 0;
  for (const letter of word) {
    let index = lower.indexOf(letter, from);
    if (index === -1) return null;
    const next = at.at(-1);
    if (index !== (next ?? -2) + 1) {
      for (let later = index; later !== -1; later = lower.indexOf(letter, later + 1))
        if (begins(text, later)) {
          // What is left must still fit behind it.
          if (fitsAfter(lower, word.slice(at.length + 1), later + 1)) index = later;
          break;
        }
    }
    score += begins(text, index) ? 6 : next !== undefined && index === next + 1 ? 4 : 1;
    at.push(index);
    from = index + 1;
  }
  // Letters strewn over a text are no find: most must begin a word or follow one another.
  return word.length >= 3 && score < 2.5 * word.length ? null : { score, at };
}

function fitsAfter(lower: string, rest: string, from: number): boolean {
  let index = from;
  for (const letter of rest) {
    index = lower.indexOf(letter, index);
    if (index === -1) return false;
    index += 1;
  }
  return true;
}

/** The text in pieces, the found letters marked. */
export function markedPieces(
  text: string,
  at: readonly number[],
): readonly { readonly text: string; readonly marked: boolean; readonly from: number }[] {
  const marks = new Set(at);
  const pieces: { text: string; marked: boolean; from: number }[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const marked = marks.has(index);
    const last = pieces.at(-1);
    if (last?.marked === marked) last.text += text.charAt(index);
    else pieces.push({ text: text.charAt(index), marked, from: index });
  }
  return pieces;
}

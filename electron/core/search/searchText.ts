// Texts as the index keeps them: bounded, without what cannot be seen.
import { afterPair, beforePair } from '#shared/util/pairs';
import { plain } from '../transcripts/userText';

/** Stand around what was sought; they occur in no text that is kept. */
export const markStart = '\u0001';
export const markEnd = '\u0002';

/** Controls but line ends and tabs; formats that turn or hide text. Joiners belong to words of some languages. */
const unseen = /(?![\n\t])\p{Cc}|(?![\u200c\u200d])\p{Cf}|[\p{Cs}\p{Co}\u2028\u2029]/gu;

export interface Bounds {
  readonly head: number;
  readonly tail: number;
}

export const bounds = {
  message: { head: 60_000, tail: 20_000 },
  call: { head: 10_000, tail: 2_000 },
  output: { head: 16_000, tail: 8_000 },
} as const satisfies Record<string, Bounds>;

/** Bytes of a kept result that are read for the index. */
export const keptBytes: Bounds = { head: 48 * 1024, tail: 16 * 1024 };

/** A text for the index; empty when nothing can be found in it. */
export function searchText(text: string, { head, tail }: Bounds): string {
  const cut =
    text.length <= head + tail
      ? text
      : `${text.slice(0, beforePair(text, head))}\n…\n${text.slice(afterPair(text, text.length - tail))}`;
  return plain(cut).replace(unseen, ' ').trim();
}

/** What a call's input says: all its texts, the telling ones first as they stand. */
export function inputText(name: string, input: unknown): string {
  const texts: string[] = [];
  let left = bounds.call.head;
  const collect = (value: unknown, depth: number): void => {
    if (left <= 0 || depth > 6) return;
    if (typeof value === 'string') {
      texts.push(value.slice(0, Math.min(left, 4_000)));
      left -= Math.min(value.length, 4_000);
    } else if (typeof value === 'object' && value !== null) {
      for (const part of Object.values(value)) collect(part, depth + 1);
    }
  };
  collect(input, 0);
  return `${name}\n${texts.join('\n')}`;
}

/** A snippet in one line, apart by what was sought. */
export function snippetParts(marked: string): { text: string; hit: boolean }[] {
  const line = marked.replace(/\s+/g, ' ').trim();
  const parts: { text: string; hit: boolean }[] = [];
  let hit = false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are the marks.
  for (const piece of line.split(/([\u0001\u0002])/)) {
    if (piece === markStart) hit = true;
    else if (piece === markEnd) hit = false;
    else if (piece !== '') parts.push({ text: piece, hit });
  }
  return parts;
}

// What the list says of a transcript: from its start and its end, without reading what lies between.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { LineSplitter } from '../history/import/lineSplitter';
import { visibleText } from '../tools/visibleText';
import { folderOf, lineOf, parseLine, type TitleFact, titleOf } from './line';
import { isInterruption, userText } from './userText';

const headBytes = 128 * 1024;
const tailBytes = 48 * 1024;
const maxTitleChars = 120;

const marksOf = (...texts: readonly string[]): readonly Buffer[] => texts.map((text) => Buffer.from(text));
/** Blanks between name and value are nobody's habit; a line that has them is read by the other mark. */
const messageMarks = marksOf('"role":"user"', '"role":"assistant"', '"role": "user"', '"role": "assistant"');
const titleMarks = marksOf('-title"', '"summary"');

export interface FoundSummary {
  readonly title: string;
  readonly folder: string;
  /** Whether anybody said anything in it. */
  readonly hasMessages: boolean;
}

export const withoutTitle = 'Without a title';

/** Rejects nothing: what cannot be read has no messages. */
export function summarize(path: string): FoundSummary {
  const empty = { title: withoutTitle, folder: '', hasMessages: false };
  let handle: number;
  try {
    handle = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch {
    return empty;
  }
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) return empty;
    const gatherer = new Gatherer();
    const headEnd = Math.min(headBytes, stats.size);
    gatherer.take(readAt(handle, 0, headEnd), { isWholeStart: true, isWholeEnd: headEnd === stats.size });
    const tailStart = Math.max(headEnd, stats.size - tailBytes);
    if (tailStart < stats.size)
      gatherer.take(readAt(handle, tailStart, stats.size - tailStart), { isWholeStart: false, isWholeEnd: true });
    return gatherer.summary(stats.size > headBytes);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return empty;
  } finally {
    closeSync(handle);
  }
}

class Gatherer {
  private title: TitleFact | null = null;
  private said: string | null = null;
  private folder: string | null = null;
  private hasMessages = false;

  take(
    bytes: Buffer,
    { isWholeStart, isWholeEnd }: { readonly isWholeStart: boolean; readonly isWholeEnd: boolean },
  ): void {
    const splitter = new LineSplitter();
    // What stands before the first line end began elsewhere.
    let whole = isWholeStart;
    const line = (one: Buffer | null): void => {
      if (whole && one !== null) this.line(one);
      whole = true;
    };
    splitter.push(bytes, line);
    const { rest } = splitter;
    if (isWholeEnd && rest !== null && rest.length > 0) line(rest);
  }

  private line(bytes: Buffer): void {
    // Cheaper than parsing: most lines say nothing that is still sought.
    const isMessage = messageMarks.some((mark) => bytes.includes(mark));
    this.hasMessages ||= isMessage;
    const isSought = isMessage
      ? this.said === null || this.folder === null
      : titleMarks.some((mark) => bytes.includes(mark));
    if (!isSought) return;
    const fields = parseLine(bytes);
    if (fields === null || fields === undefined) return;
    const title = titleOf(fields);
    // The last word counts among equals.
    if (title !== null && title.rank >= (this.title?.rank ?? 0)) this.title = title;
    this.folder ??= folderOf(fields);
    if (this.said !== null || fields.type !== 'user') return;
    const { message, isMeta, isSummary, isSidechain } = lineOf(fields);
    if (isMeta || isSummary || isSidechain) return;
    for (const block of message?.content ?? []) {
      if (block.type !== 'text' || typeof block.text !== 'string' || isInterruption(block.text)) continue;
      const { said } = userText(block.text.slice(0, 20_000).replace(/<(ide_\w+)>[\s\S]*?<\/\1>/g, ''));
      if (said === '') continue;
      // The first line tells most.
      this.said = said.split('\n', 1)[0] ?? said;
      return;
    }
  }

  summary(isLong: boolean): FoundSummary {
    return {
      title: oneLine(this.title?.title ?? this.said ?? withoutTitle),
      folder: this.folder ?? '',
      // A first message may be longer than what was looked at.
      hasMessages: this.hasMessages || isLong,
    };
  }
}

export function oneLine(text: string): string {
  const line = text
    .slice(0, maxTitleChars * 8)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  return visibleText(
    characters.length > maxTitleChars
      ? `${characters
          .slice(0, maxTitleChars - 1)
          .join('')
          .trimEnd()}…`
      : line,
  );
}

function readAt(handle: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(handle, bytes, 0, length, position));
}

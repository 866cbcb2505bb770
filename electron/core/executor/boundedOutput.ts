import type { ShellOutput } from '#shared/api/executor';
import { PlainScreen } from '#shared/terminal/plainScreen';
import { afterPair, beforePair } from '#shared/util/pairs';
import { HeadTail } from './headTail';
import type { OutputCapture, OutputOutcome } from './output';
import { outcomeOf } from './outputOutcome';

/** Characters of each view that are kept at least, whatever the command prints. */
const capacity = 65_536;

const nothingYet: OutputOutcome = { written: null, image: null, notices: [], full: false };

/**
 * Takes a command's output piece by piece and keeps a bounded picture of it for the eye and for the model. Where the
 * stream has gaps, the executor's own account of the plain text takes over at the end.
 */
export class BoundedOutput implements OutputCapture {
  private readonly raw = new HeadTail(capacity);
  private readonly finished: HeadTail;
  private readonly screen = new PlainScreen((text) => this.finished.append(text));
  private readonly listeners = new Set<() => void>();
  private whole: ShellOutput['plain'];
  private ended = nothingYet;

  /** `wholeChars`: plain text that is no longer is kept whole. */
  constructor(wholeChars = 0) {
    this.finished = new HeadTail(Math.max(capacity, wholeChars));
  }

  get totalChars(): number {
    return this.raw.total;
  }

  get outcome(): OutputOutcome {
    return this.ended;
  }

  /** Takes a piece that begins at offset `from` of the whole output. */
  append(text: string, from: number = this.raw.total): void {
    const gap = from - this.raw.total;
    if (gap > 0) {
      this.raw.skip(gap);
      this.finished.append(`${this.screen.restart()}\n`);
      this.finished.skip(gap);
    }
    this.raw.append(text);
    // After a gap the first line may be half of one, or of an escape sequence.
    this.screen.write(gap > 0 ? fromLineStart(text) : text);
    this.tell();
  }

  /** The command has ended; nothing is appended after this. */
  finish(output: ShellOutput | undefined): void {
    this.whole = output?.plain;
    this.ended = outcomeOf(output);
    this.tell();
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  plainSince(fromChar: number, maxChars: number): ReturnType<OutputCapture['plainSince']> {
    const { start, text, total } = this.plainFrom(fromChar);
    const cut = afterPair(text, Math.max(0, text.length - maxChars));
    const skippedChars = Math.max(0, start + cut - Math.max(0, fromChar));
    return { text: wellFormed(text.slice(cut)), skippedChars, nextChar: Math.max(total, fromChar) };
  }

  /** What is kept of the plain text from an offset on; it begins at `start`. */
  private plainFrom(offset: number): { readonly start: number; readonly text: string; readonly total: number } {
    const { head, rest, hidden } = this.plainParts();
    const restStart = head.length + hidden;
    const total = restStart + rest.length;
    if (hidden === 0 && offset < head.length) {
      const at = Math.max(0, offset);
      return { start: at, text: head.slice(at) + rest, total };
    }
    const at = Math.min(rest.length, Math.max(0, offset - restStart));
    return { start: restStart + at, text: rest.slice(at), total };
  }

  private plainParts(): { readonly head: string; readonly rest: string; readonly hidden: number } {
    if (this.whole !== undefined) {
      const { head, tail, totalChars } = this.whole;
      return { head, rest: tail, hidden: totalChars - head.length - tail.length };
    }
    const { head, tail, hidden } = this.finished.parts();
    return { head, rest: tail + this.screen.pending(), hidden };
  }

  private tell(): void {
    for (const listener of [...this.listeners]) listener();
  }

  terminal(): { readonly text: string; readonly hiddenChars: number } {
    const { head, tail, hidden } = this.raw.parts();
    if (hidden === 0) return { text: head + tail, hiddenChars: 0 };
    // A tail that starts within a line or an escape sequence would be drawn as rubbish.
    const whole = fromLineStart(tail);
    return { text: head + whole, hiddenChars: hidden + tail.length - whole.length };
  }

  plain(maxChars: number): string {
    return wellFormed(this.cutPlain(maxChars));
  }

  private cutPlain(maxChars: number): string {
    const { head, rest, hidden } = this.plainParts();
    const all = head.length + hidden + rest.length;
    if (hidden === 0 && all <= maxChars) return head + rest;
    const kept = hidden === 0 ? head + rest : undefined;
    // The end says more than the start: errors and summaries stand there.
    const first = Math.floor(maxChars * 0.4);
    const last = maxChars - first;
    const start = cutAtLine(kept ?? head, first);
    const end = cutFromLine(kept ?? rest, last);
    const left = all - start.length - end.length;
    return `${start}${start.endsWith('\n') || start === '' ? '' : '\n'}[… ${left.toLocaleString('en-US')} characters left out …]\n${end}`;
  }
}

/** Without the rest of a line at the start, where its end is near. */
function fromLineStart(text: string): string {
  const lineEnd = text.indexOf('\n');
  return lineEnd >= 0 && lineEnd < 4_096 ? text.slice(lineEnd + 1) : text;
}

/** The first `length` characters, ended at a line's end where one is near. */
function cutAtLine(text: string, length: number): string {
  const cut = text.slice(0, beforePair(text, Math.min(length, text.length)));
  const lineEnd = cut.lastIndexOf('\n') + 1;
  return lineEnd > cut.length * 0.8 ? cut.slice(0, lineEnd) : cut;
}

/** The last `length` characters, begun at a line's start where one is near. */
function cutFromLine(text: string, length: number): string {
  const cut = text.slice(afterPair(text, Math.max(0, text.length - length)));
  const lineStart = cut.indexOf('\n') + 1;
  return lineStart > 0 && lineStart < cut.length * 0.2 ? cut.slice(lineStart) : cut;
}

/** Redraws over wide characters can leave half a pair behind, which no request may hold. */
function wellFormed(text: string): string {
  return text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD');
}

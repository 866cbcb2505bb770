import { afterPair, beforePair, HeadTail } from './headTail';
import type { OutputCapture } from './output';
import { PlainScreen } from './plainScreen';

/** Characters of each view that are kept, whatever the command prints. */
const capacity = 65_536;

/** Takes a command's output piece by piece and keeps a bounded picture of it for the eye and for the model. */
export class BoundedOutput implements OutputCapture {
  private readonly raw = new HeadTail(capacity);
  private readonly finished = new HeadTail(capacity);
  private readonly screen = new PlainScreen((text) => this.finished.append(text));

  get totalChars(): number {
    return this.raw.total;
  }

  append(text: string): void {
    this.raw.append(text);
    this.screen.write(text);
  }

  terminal(): { readonly text: string; readonly hiddenChars: number } {
    const { head, tail, hidden } = this.raw.parts();
    if (hidden === 0) return { text: head + tail, hiddenChars: 0 };
    // A tail that starts within a line or an escape sequence would be drawn as rubbish.
    const lineEnd = tail.indexOf('\n');
    const cut = lineEnd >= 0 && lineEnd < 4_096 ? lineEnd + 1 : 0;
    return { text: head + tail.slice(cut), hiddenChars: hidden + cut };
  }

  plain(maxChars: number): string {
    return wellFormed(this.cutPlain(maxChars));
  }

  private cutPlain(maxChars: number): string {
    const { head, tail, hidden } = this.finished.parts();
    const rest = tail + this.screen.pending();
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

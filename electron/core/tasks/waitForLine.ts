import type { RunningCommand } from '../tools/tool';
import { LineMatcher } from './lineMatcher';

/** Output is looked at this often at most, in milliseconds. */
const lookEveryMs = 50;
/** A line that has no end yet counts when nothing was added for so long: a prompt, or a program that prints no line end. */
const unfinishedAfterMs = 200;
export interface FoundLine {
  readonly line: string;
  readonly nextChar: number;
}

/** The newest characters that one look takes; a flood is skipped ahead. */
const lookChars = 65_536;

/**
 * Waits for a line of a command's plain text from `fromChar` on; `nextChar` is the offset after it. Null: the command
 * ended, was aborted or was late without one. Rejects with PatternTooSlow.
 */
export async function waitForLine(
  command: { readonly capture: RunningCommand['capture']; readonly ended: Promise<unknown> },
  options: {
    readonly pattern: RegExp;
    readonly fromChar: number;
    readonly waitMs: number;
    readonly signal: AbortSignal;
  },
): Promise<FoundLine | null> {
  const { capture } = command;
  const matcher = new LineMatcher(options.pattern);
  let from = options.fromChar;
  let quietSince = performance.now();
  const deadline = performance.now() + options.waitMs;
  const news = new Signal();
  const stops = [
    capture.onChange(() => {
      quietSince = performance.now();
      news.raise();
    }),
    listen(options.signal, () => news.raise()),
  ];
  let ended = false;
  void command.ended.then(() => {
    ended = true;
    news.raise();
  });

  /** Finished lines are looked at once, the unfinished one again and again. */
  const look = (withUnfinished: boolean): FoundLine | null => {
    const { text, nextChar } = capture.plainSince(from, lookChars);
    const lines = text.split('\n');
    const last = withUnfinished ? '' : (lines.pop() ?? '');
    const index = matcher.find(lines);
    const line = lines[index];
    if (line !== undefined) {
      const rest = [...lines.slice(index + 1), last].join('\n');
      return { line, nextChar: nextChar - rest.length };
    }
    if (!withUnfinished) from = nextChar - last.length;
    return null;
  };

  try {
    // One turn of the loop, so that a command that has ended already is known to have.
    await Promise.resolve();
    for (;;) {
      const over = ended || options.signal.aborted || performance.now() >= deadline;
      const quiet = performance.now() - quietSince >= unfinishedAfterMs;
      const found = look(false) ?? (over || quiet ? look(true) : null);
      if (found !== null) return found;
      if (over) return null;
      const untilQuiet = quiet ? Number.POSITIVE_INFINITY : quietSince + unfinishedAfterMs - performance.now();
      await news.wait(Math.max(1, Math.min(deadline - performance.now(), untilQuiet)));
      if (!ended && !options.signal.aborted) await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
  } finally {
    for (const stop of stops) stop();
  }
}

function listen(signal: AbortSignal, listener: () => void): () => void {
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/** Wakes who waits, or the next who will. */
class Signal {
  private raised = false;
  private wake: (() => void) | undefined;

  raise(): void {
    this.raised = true;
    this.wake?.();
  }

  async wait(ms: number): Promise<void> {
    if (!this.raised) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.raised = false;
    this.wake = undefined;
  }
}

// Looks for a line with a pattern that a model wrote. Some patterns take longer than anybody waits for, and within one
// look nothing but the engine's own watchdog can stop them; that is what node:vm is for here, it confines nothing.
import { createContext, Script } from 'node:vm';

/** Lines are looked at up to this length; what stands for something is said before it. */
const maxLineChars = 4_096;
/**
 * One look may take this long, in milliseconds; everything else of the program waits meanwhile. The watchdog's clock runs
 * on while a busy machine lets nobody work, so the second limit is the one that counts.
 */
const maxLookMs = [50, 500];
/** All slow looks of one wait together. */
const maxTotalMs = 500;
/** A quicker look costs nobody anything, however often it is taken. */
const slowMs = 5;

/** The pattern backtracks without end on some line. */
export class PatternTooSlow extends Error {
  override readonly name = 'PatternTooSlow';
}

const look = new Script('look()');

export class LineMatcher {
  private readonly context: { look: () => void };
  private lines: readonly string[] = [];
  private all = false;
  private found: readonly number[] = [];
  private spentMs = 0;

  constructor(pattern: RegExp) {
    // A global or sticky pattern would remember where it was.
    const own = new RegExp(pattern.source, pattern.flags.replaceAll(/[gy]/g, ''));
    this.context = {
      look: () => {
        const found: number[] = [];
        for (const [index, line] of this.lines.entries()) {
          if (own.test(line)) found.push(index);
          if (found.length > 0 && !this.all) break;
        }
        this.found = found;
      },
    };
    createContext(this.context);
  }

  /** Index of the first line that matches, or -1. Throws PatternTooSlow. */
  find(lines: readonly string[]): number {
    return this.look(lines, false)[0] ?? -1;
  }

  /** The lines that match. Throws PatternTooSlow. */
  filter(lines: readonly string[]): readonly string[] {
    return this.look(lines, true).map((index) => lines[index] ?? '');
  }

  private look(lines: readonly string[], all: boolean): readonly number[] {
    this.lines = lines.map((line) => (line.length > maxLineChars ? line.slice(0, maxLineChars) : line));
    this.all = all;
    this.found = [];
    const before = process.cpuUsage();
    if (!maxLookMs.some((timeout) => this.looked(timeout))) throw new PatternTooSlow('The pattern takes too long.');
    const { user, system } = process.cpuUsage(before);
    const tookMs = (user + system) / 1_000;
    if (tookMs > slowMs) this.spentMs += tookMs;
    if (this.found.length === 0 && this.spentMs > maxTotalMs) throw new PatternTooSlow('The pattern takes too long.');
    return this.found;
  }

  /** False when it took longer. */
  private looked(timeout: number): boolean {
    try {
      look.runInContext(this.context, { timeout });
      return true;
    } catch (error) {
      // The watchdog's error is of the context's own realm, where it is no Error of ours.
      if (codeOf(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
      throw error;
    }
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

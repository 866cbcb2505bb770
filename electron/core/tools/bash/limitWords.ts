// What is said of a command that took more than the sandbox lets it.
import type { LimitReached } from '#shared/api/executor';
import { grouped } from '../wording';

export interface LimitWords {
  /** For the model: fact and cause; what was printed follows. */
  readonly text: string;
  readonly next: string;
  /** For the card and the list of tasks. */
  readonly note: string;
}

/** Words for the person and the model. */
export function limitWords({ what, allowed }: LimitReached): LimitWords {
  const change = 'If it needs more, tell the person which; it is a limit of the sandbox, which only they can raise.';
  switch (what) {
    case 'memory':
      return {
        text: `The command was stopped, with everything it had started, because together they used more memory than commands may in the sandbox: ${size(allowed)}. Output until then:`,
        next: `Next: work on less at once, or with fewer processes side by side. ${change}`,
        note: `stopped: more than ${size(allowed)} of memory`,
      };
    case 'processes':
      return {
        text: `The command was stopped, with everything it had started, because that was more than ${grouped(allowed)} processes, the most that may run in the sandbox at once. Output until then:`,
        next: `Next: start fewer side by side (make, test runners and builds take a number of jobs). ${change}`,
        note: `stopped: more than ${grouped(allowed)} processes`,
      };
    case 'fileSize':
      return {
        text: `The command was stopped because it wrote a file larger than commands may in the sandbox: ${size(allowed)}. The file ends there. Output until then:`,
        next: `Next: write less, or into several files. ${change}`,
        note: `stopped: a file larger than ${size(allowed)}`,
      };
  }
}

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** In the largest unit that leaves at least one, with at most one digit behind the point. */
function size(bytes: number): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const number = bytes / 1_024 ** step;
  return `${Number.isInteger(number) ? grouped(number) : number.toFixed(1)} ${units[step] ?? 'bytes'}`;
}

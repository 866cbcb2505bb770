// Sums over calls: how long tools ran, how often and how fast people answered, who decided.
import type { TraceTotals } from '../api/trace';
import { ranMs, waitedMs } from './times';
import type { TraceRow } from './traceRow';

const hourMs = 3_600_000;
/** An answer that came faster has not read the question. */
export const hastyMs = 1_000;

/** What of a row counts. */
export type CountedRow = Pick<
  TraceRow,
  'title' | 'createdAt' | 'endedAt' | 'status' | 'verdict' | 'cause' | 'prompts' | 'waitedMs'
>;

type Tool = TraceTotals['byTool'][number];
type Cause = TraceTotals['byCause'][number];

/** Adds up calls of any number of sessions. */
export class TotalsCounter {
  private readonly tools = new Map<string, Tool>();
  private readonly causes = new Map<string, Cause>();
  private readonly hours = new Set<number>();
  private readonly answers: number[] = [];
  private calls = 0;
  private sessions = 0;
  private prompts = 0;

  /** `now` ends calls that have not ended. */
  constructor(private readonly now: number) {}

  /** The calls of one session; a session without calls does not count. */
  addSession(rows: Iterable<CountedRow>): void {
    const before = this.calls;
    for (const row of rows) this.add(row);
    if (this.calls > before) this.sessions += 1;
  }

  totals(): TraceTotals {
    const byTool = [...this.tools.values()].sort((a, b) => b.runningMs - a.runningMs || b.calls - a.calls);
    return {
      calls: this.calls,
      sessions: this.sessions,
      runningMs: byTool.reduce((sum, { runningMs }) => sum + runningMs, 0),
      waitedMs: byTool.reduce((sum, tool) => sum + tool.waitedMs, 0),
      prompts: this.prompts,
      promptsPerHour: this.hours.size === 0 ? 0 : this.prompts / this.hours.size,
      medianAnswerMs: median(this.answers),
      hastyAnswers: this.answers.filter((ms) => ms < hastyMs).length,
      byTool,
      byCause: [...this.causes.values()].sort((a, b) => b.calls - a.calls),
    };
  }

  private add(row: CountedRow): void {
    const { title, status, verdict, cause } = row;
    const waited = waitedMs(row, this.now);
    const tool = this.tools.get(title) ?? { tool: title, calls: 0, runningMs: 0, waitedMs: 0, failed: 0, denied: 0 };
    this.tools.set(title, {
      tool: title,
      calls: tool.calls + 1,
      runningMs: tool.runningMs + ranMs(row, this.now),
      waitedMs: tool.waitedMs + waited,
      failed: tool.failed + (status === 'failed' ? 1 : 0),
      denied: tool.denied + (status === 'denied' ? 1 : 0),
    });
    if (verdict !== null && cause !== null) {
      const key = `${cause} ${verdict}`;
      this.causes.set(key, { cause, verdict, calls: (this.causes.get(key)?.calls ?? 0) + 1 });
    }
    this.calls += 1;
    this.hours.add(Math.floor(row.createdAt / hourMs));
    this.prompts += row.prompts.length;
    for (const { askedAt, answeredAt, by } of row.prompts)
      if (answeredAt !== null && by === 'person') this.answers.push(answeredAt - askedAt);
  }
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  if (upper === undefined) return null;
  return sorted.length % 2 === 1 ? upper : ((sorted[sorted.length / 2 - 1] ?? upper) + upper) / 2;
}

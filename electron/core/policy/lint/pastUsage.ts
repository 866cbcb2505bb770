// How often rules spoke of past calls, for remarks that are made anew with every keystroke: an answer that is not there in a
// moment is waited for in the background, and kept for a while.
import type { History } from '../../history/createHistory';
import type { LintUsage } from './world';

/** How far back is looked. */
const days = 30;
/** An answer is used so long, in milliseconds. */
const keepMs = 60_000;
/** Remarks wait so long for an answer, in milliseconds. */
const patienceMs = 400;

export interface PastUsage {
  /** Null: not known, or not yet. */
  of(sessionId: string): Promise<LintUsage | null>;
  dispose(): void;
}

interface Kept {
  readonly at: number;
  readonly answer: Promise<LintUsage | null>;
  /** The last answer that came, while a new one is on its way. */
  last: LintUsage | null;
}

/** `now` gives milliseconds. */
export function createPastUsage(options: {
  readonly history: Pick<History, 'state' | 'usage' | 'calls'>;
  readonly now: () => number;
}): PastUsage {
  const { history, now } = options;
  const kept = new Map<string, Kept>();
  const ended = new AbortController();

  const ask = async (sessionId: string): Promise<LintUsage | null> => {
    const { signal } = ended;
    // While the past is being read, a rule that was used may look as if it never was.
    if ((await history.state(signal)).phase !== 'idle') return null;
    const scope = { sessionId, where: 'folder', days } as const;
    const [usage, { inAll }] = await Promise.all([
      history.usage({ scope }, signal),
      history.calls({ scope, text: '', offset: 0, limit: 1 }, signal),
    ]);
    return { usage, days, calls: inAll };
  };

  const started = (sessionId: string, last: LintUsage | null): Kept => {
    const answer = ask(sessionId).catch(() => null);
    const entry: Kept = { at: now(), answer, last };
    kept.set(sessionId, entry);
    void answer.then((value) => {
      entry.last = value;
      // What is still being read is asked for again at the next look.
      if (value === null && kept.get(sessionId) === entry) kept.delete(sessionId);
    });
    return entry;
  };

  return {
    async of(sessionId) {
      const known = kept.get(sessionId);
      const entry = known === undefined || now() - known.at > keepMs ? started(sessionId, known?.last ?? null) : known;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(() => resolve('late'), patienceMs);
      });
      const answer = await Promise.race([entry.answer, late]);
      clearTimeout(timer);
      return answer === 'late' ? entry.last : answer;
    },
    dispose() {
      ended.abort();
      kept.clear();
    },
  };
}

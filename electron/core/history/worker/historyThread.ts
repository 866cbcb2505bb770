// The core's side of the thread that looks through past calls.
import type { HistoryState } from '#shared/api/history';
import type { Sources } from '../../permissions/combineSources';
import { AskedThread } from '../../threads/askedThread';
import type {
  Answer,
  AnyQuestion,
  HistoryAnswerer,
  HistoryPlaces,
  HistoryTold,
  PolicyOrder,
  Question,
  QuestionName,
} from './messages';

/** Memory that the thread may use, in MB. */
const heapMb = 1_536;

export interface ThreadOptions {
  /** The built program of the thread. */
  readonly file: string;
  readonly places: HistoryPlaces;
  readonly onState: (state: HistoryState) => void;
  /** The thread ended by itself; in words, why. */
  readonly onBreakdown: (why: string) => void;
}

export class HistoryThread implements HistoryAnswerer {
  private readonly thread: AskedThread<AnyQuestion, HistoryTold, PolicyOrder>;
  /** A thread that is started later learns them all. */
  private readonly policies = new Map<number, Sources>();

  constructor({ file, places, onState, onBreakdown }: ThreadOptions) {
    this.thread = new AskedThread({
      file,
      data: places,
      heapMb,
      onTold: ({ state }) => onState(state),
      onBreakdown,
      brokenText: breakdownText,
    });
  }

  async ask<N extends QuestionName>(name: N, question: Question<N>, signal: AbortSignal): Promise<Answer<N>> {
    if (!this.thread.runs && !signal.aborted) {
      this.thread.warm();
      for (const [number, sources] of this.policies) this.thread.tell({ type: 'policy', number, sources });
    }
    return (await this.thread.ask({ name, question } as AnyQuestion, signal)) as Answer<N>;
  }

  learnPolicy(number: number, sources: Sources): void {
    this.policies.set(number, sources);
    this.thread.tell({ type: 'policy', number, sources });
  }

  forgetPolicy(number: number): void {
    this.policies.delete(number);
    this.thread.tell({ type: 'forget', number });
  }

  async dispose(): Promise<void> {
    await this.thread.dispose();
  }
}

/** For people: the fact, the cause and what comes next. */
export const breakdownText = (why: string): string =>
  `Looking through past calls broke off: ${why}. It starts again when you next ask for them.`;

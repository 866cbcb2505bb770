// The core's side of the thread that looks into result files.
import { AskedThread } from '../../threads/askedThread';
import type { Answer, AnyQuestion, Question, QuestionName, ThreadTold, ViewEvent } from './messages';

/** Memory that the thread may use, in MB. */
const heapMb = 1_024;

export interface ThreadOptions {
  /** The built program of the thread. */
  readonly file: string;
  readonly onEvent: (event: ViewEvent) => void;
  /** The thread ended by itself; in words, why. What it had open is closed. */
  readonly onBreakdown: (why: string) => void;
}

export class ResultsThread {
  private readonly thread: AskedThread<AnyQuestion, ThreadTold>;

  constructor({ file, onEvent, onBreakdown }: ThreadOptions) {
    this.thread = new AskedThread({
      file,
      heapMb,
      onTold: ({ event }) => onEvent(event),
      onBreakdown,
      brokenText: (why) => `Looking into the file broke off: ${why}. Open it again.`,
    });
  }

  /** Throws RpcError for what the asker can do something about. */
  async ask<N extends QuestionName>(name: N, question: Question<N>): Promise<Answer<N>> {
    return (await this.thread.ask({ name, question } as AnyQuestion)) as Answer<N>;
  }

  /** Starts the thread before anything is asked, so that the first answer comes sooner. */
  warm(): void {
    this.thread.warm();
  }

  async dispose(): Promise<void> {
    await this.thread.dispose();
  }
}

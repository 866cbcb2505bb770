// The core's side of the thread that reads conversations.
import { AskedThread } from '../../threads/askedThread';
import type {
  Answer,
  AnyQuestion,
  ConversationReading,
  Question,
  QuestionName,
  ReadingListener,
  ReadingPlaces,
  ReadingTold,
} from './messages';

/** Memory that the thread may use, in MB. */
const heapMb = 2_048;

export interface ThreadOptions {
  /** The built program of the thread. */
  readonly file: string;
  readonly places: ReadingPlaces;
  readonly listener: ReadingListener;
  /** The thread ended by itself; in words, why. */
  readonly onBreakdown: (why: string) => void;
}

export class ReadingThread implements ConversationReading {
  private readonly thread: AskedThread<AnyQuestion, ReadingTold>;

  constructor({ file, places, listener, onBreakdown }: ThreadOptions) {
    this.thread = new AskedThread({
      file,
      data: places,
      heapMb,
      onTold(told) {
        if (told.type === 'state') listener.onState(told.state);
        else listener.onTranscripts();
      },
      onBreakdown,
      brokenText: breakdownText,
    });
  }

  async ask<N extends QuestionName>(name: N, question: Question<N>): Promise<Answer<N>> {
    return (await this.thread.ask({ name, question } as AnyQuestion)) as Answer<N>;
  }

  async dispose(): Promise<void> {
    await this.thread.dispose();
  }
}

/** For people: the fact, the cause and what comes next. */
export const breakdownText = (why: string): string =>
  `Reading conversations broke off: ${why}. It starts again when you next search or open one.`;

// Who reads conversations for the core: the thread, or where there is none the same beside the core's other work.
import type { Log } from '../ports';
import type { ConversationReading, ReadingListener, ReadingPlaces } from './worker/messages';
import { ReadingEngine } from './worker/readingEngine';
import { breakdownText, ReadingThread } from './worker/readingThread';

export function createReading(options: {
  readonly places: ReadingPlaces;
  /** The thread's built program; null: there is none. */
  readonly threadFile: string | null;
  readonly listener: ReadingListener;
  readonly log: Log;
}): ConversationReading {
  const { places, threadFile, listener, log } = options;
  if (threadFile !== null)
    return new ReadingThread({
      file: threadFile,
      places,
      listener,
      onBreakdown(why) {
        log.error('the thread that reads conversations ended', new Error(why));
        listener.onState({ phase: 'failed', done: 0, conversations: 0, problem: breakdownText(why) });
      },
    });
  // Made at first use, as the thread is: until then nothing is opened.
  let engine: ReadingEngine | null = null;
  return {
    ask(name, question) {
      engine ??= new ReadingEngine(places, listener);
      return engine.ask(name, question);
    },
    async dispose() {
      await engine?.dispose();
    },
  };
}

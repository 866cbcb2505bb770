// The thread's side of the messages.
import { serveAsked } from '../../threads/serveAsked';
import type { AnyQuestion, ReadingPlaces, ReadingReply, ReadingRequest } from './messages';
import { ReadingEngine } from './readingEngine';

/** Answers requests that `receive` is called with. */
export function serveReading(options: {
  readonly places: ReadingPlaces;
  readonly reply: (reply: ReadingReply) => void;
}): { receive(request: ReadingRequest): void } {
  const { places, reply } = options;
  const engine = new ReadingEngine(places, {
    onState: (state) => reply({ type: 'state', state }),
    onTranscripts: () => reply({ type: 'transcripts' }),
  });
  return serveAsked<AnyQuestion>({
    answer: (asked) => engine.askAny(asked),
    dispose: () => engine.dispose(),
    reply,
  });
}

// The thread's side of the messages.
import { serveAsked } from '../../threads/serveAsked';
import type { Searcher } from '../viewer/search/fileSearch';
import { type Compare, ViewerEngine } from '../viewer/viewerEngine';
import type { AnyQuestion, ThreadReply, ThreadRequest } from './messages';

/** Answers requests that `receive` is called with. */
export function serveThread(options: {
  readonly searcher: Searcher;
  readonly compare: Compare;
  readonly reply: (reply: ThreadReply) => void;
}): { receive(request: ThreadRequest): void } {
  const { searcher, compare, reply } = options;
  const engine = new ViewerEngine({ searcher, compare, tell: (event) => reply({ type: 'event', event }) });
  return serveAsked<AnyQuestion>({
    answer: (asked) => engine.answer(asked),
    dispose: () => engine.dispose(),
    reply,
  });
}

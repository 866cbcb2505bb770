// The thread's side of the messages.
import { serveAsked } from '../../threads/serveAsked';
import { type EngineOptions, HistoryEngine } from './historyEngine';
import type { AnyQuestion, HistoryReply, HistoryRequest, PolicyOrder } from './messages';

/** Answers requests that `receive` is called with. */
export function serveThread(options: {
  readonly places: EngineOptions['places'];
  readonly createReplayer: EngineOptions['createReplayer'];
  readonly reply: (reply: HistoryReply) => void;
}): { receive(request: HistoryRequest): void } {
  const { places, createReplayer, reply } = options;
  const engine = new HistoryEngine({
    places,
    createReplayer,
    onState: (state) => reply({ type: 'state', state }),
  });
  return serveAsked<AnyQuestion, PolicyOrder>({
    answer: (asked, signal) => engine.askAny(asked, signal),
    hear(order) {
      if (order.type === 'policy') engine.learnPolicy(order.number, order.sources);
      else engine.forgetPolicy(order.number);
    },
    dispose: () => engine.dispose(),
    reply,
  });
}

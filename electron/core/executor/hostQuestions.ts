// Answers the executor's questions about hosts for as long as a command runs.
import type { CommandHosts } from '../network/networkAsks';
import type { ExecutorConnection } from './supervisor';

/** Begins to answer for a stream; without `hosts` nothing is allowed. Gives what ends it. */
export function answerHosts(options: {
  readonly connection: ExecutorConnection;
  readonly streamId: string;
  readonly hosts: CommandHosts | undefined;
}): () => void {
  const { rpc } = options.connection;
  const { streamId, hosts } = options;
  const asked = new Map<string, AbortController>();
  const answer = (askId: string, verdict: { allowed: boolean; privateAllowed: boolean; why: string }): void => {
    // An executor that is gone needs no answer.
    rpc.call('network.answer', { askId, ...verdict, why: verdict.why.slice(0, 1_000) }).catch(() => undefined);
  };
  const stopAsked = rpc.on('network.ask', ({ askId, streamId: from, ...wish }) => {
    if (from !== streamId) return;
    if (hosts === undefined) {
      answer(askId, { allowed: false, privateAllowed: false, why: 'This command may not reach the network.' });
      return;
    }
    const withdrawn = new AbortController();
    asked.set(askId, withdrawn);
    void hosts
      .decide(wish, withdrawn.signal)
      .catch(() => ({ allowed: false, privateAllowed: false, why: 'Whether it may could not be decided.' }))
      .then((verdict) => {
        asked.delete(askId);
        if (!withdrawn.signal.aborted) answer(askId, verdict);
      });
  });
  const stopGone = rpc.on('network.gone', ({ askId }) => asked.get(askId)?.abort());
  return () => {
    stopAsked();
    stopGone();
    hosts?.end();
  };
}

// Hosts that commands in the sandbox want to reach, and what a person says to it.
import { z } from 'zod';
import { call } from '../rpc/contract';
import { NetworkAnswer } from '../session/networkAsk';

export const networkCalls = {
  /**
   * Answers one ask of `SessionState.networkAsks`. `conflict` when it has been answered or withdrawn, `invalid` for a pattern
   * that was not offered, `refused` with the reason when it cannot be saved. `step` is what `rules.undo` takes back;
   * `settled` names the hosts of other asks that this answered too.
   */
  'network.answer': call(
    z.strictObject({ sessionId: z.string().min(1).max(100), askId: z.string().min(1).max(200), answer: NetworkAnswer }),
    z.strictObject({
      saved: z.strictObject({ pattern: z.string(), where: z.string(), step: z.string() }).nullable(),
      settled: z.array(z.string()),
    }),
  ),
};

// Hosts that commands in the sandbox wait for a person's word on.
import { RpcError } from '#shared/rpc/errors';
import type { NetworkAnswer } from '#shared/session/networkAsk';

/** What an answer has saved, and which other asks it settled. */
export interface NetworkAnswered {
  readonly saved: { readonly pattern: string; readonly where: string; readonly step: string } | null;
  readonly settled: string[];
}

export class NetworkAsks {
  private readonly pending = new Map<string, { readonly sessionId: string }>();

  /** Carries out one answer. Throws RpcError `conflict` when the ask is gone. */
  async answer(options: {
    readonly sessionId: string;
    readonly askId: string;
    readonly answer: NetworkAnswer;
  }): Promise<NetworkAnswered> {
    const pending = this.pending.get(options.askId);
    if (pending?.sessionId !== options.sessionId)
      throw new RpcError('conflict', 'This has already been answered or withdrawn.');
    return { saved: null, settled: [] };
  }
}

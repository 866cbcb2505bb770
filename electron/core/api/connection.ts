// One page (window or tab): what it has subscribed to and how to tell it.
import type { AppContract } from '#shared/api/app';
import type { EventName, EventPayload } from '#shared/rpc/contract';
import type { OutputAttachment } from '../executor/outputHub';

export type Emit = <N extends EventName<AppContract>>(name: N, payload: EventPayload<AppContract, N>) => void;

export class Connection {
  /** Sessions whose events this page gets, and which of them. */
  readonly sessions = new Map<string, 'all' | 'outcome'>();
  /** Whether it has asked for past calls, and so is told how far they are read. */
  followsHistory = false;
  private readonly outputs = new Map<string, OutputAttachment>();
  private readonly endings: (() => void)[] = [];

  constructor(readonly emit: Emit) {}

  /** Remembers a viewer; an earlier one of the same call is detached. */
  attach(callId: string, attachment: OutputAttachment): void {
    this.detach(callId);
    this.outputs.set(callId, attachment);
  }

  acknowledge(callId: string, upTo: number): void {
    this.outputs.get(callId)?.acknowledge(upTo);
  }

  detach(callId: string): void {
    this.outputs.get(callId)?.detach();
    this.outputs.delete(callId);
  }

  /** Runs `listener` once the page is gone. */
  whenGone(listener: () => void): void {
    this.endings.push(listener);
  }

  dispose(): void {
    for (const end of this.endings.splice(0)) end();
    for (const callId of [...this.outputs.keys()]) this.detach(callId);
    this.sessions.clear();
  }
}

// Which events of a session a branch begins with: whole pairs of calls and results only, nothing that still goes on.
import type { SessionEvent, SessionEventBody } from '#shared/session/events';
import type { SubAgent } from '#shared/session/subAgent';
import { assertNever } from '#shared/util/assertNever';

export type BranchPoint =
  | {
      readonly found: true;
      /** The last event that both share. */
      readonly throughSeq: number;
      /** The person's message that is not in the branch; empty when it ends with one of the model. */
      readonly text: string;
    }
  | { readonly found: false; readonly why: 'unknown' | 'unfinished' };

/** Looks through a log for a message. Afterwards it knows what had ended when the branch leaves the session. */
export class BranchPlan {
  private isEnding = false;
  private isFinished = false;
  private point: BranchPoint | null = null;
  private lastSeq = 0;
  /** Agents of calls, as long as the calls have an end that counts. */
  private readonly calls = new Map<string, string | undefined>();
  private readonly ended = new Set<string>();
  private readonly agents = new Map<string, SubAgent>();
  /** What was kept gets other numbers; both ascend. */
  private readonly kept: { readonly old: number; readonly now: number }[] = [];

  constructor(private readonly messageId: string) {}

  /** Takes the next event. True: the branch ends before it, and nothing more need be looked at. */
  see({ seq, body }: Pick<SessionEvent, 'seq' | 'body'>): boolean {
    if (this.endsBefore(body)) {
      this.point ??= this.isFinished
        ? {
            found: true,
            throughSeq: this.lastSeq,
            text: body.type === 'message.sent' && !this.isEnding ? body.text : '',
          }
        : { found: false, why: 'unfinished' };
      return true;
    }
    this.lastSeq = seq;
    this.note(body);
    return false;
  }

  /** Where the branch leaves the session, once all was seen. */
  end(): BranchPoint {
    if (this.point !== null) return this.point;
    if (!this.isEnding) return { found: false, why: 'unknown' };
    return this.isFinished ? { found: true, throughSeq: this.lastSeq, text: '' } : { found: false, why: 'unfinished' };
  }

  private endsBefore(body: SessionEventBody): boolean {
    if ('agentId' in body && body.agentId !== undefined) return false;
    if (body.type === 'message.sent' && body.messageId === this.messageId) {
      this.isFinished = true;
      return true;
    }
    return (
      this.isEnding &&
      (body.type === 'message.sent' || body.type === 'assistant.started' || body.type === 'conversation.compacted')
    );
  }

  private note(body: SessionEventBody): void {
    switch (body.type) {
      case 'assistant.started':
        if (body.agentId === undefined && body.messageId === this.messageId) this.isEnding = true;
        break;
      case 'assistant.finished':
        if (body.messageId === this.messageId) this.isFinished = true;
        break;
      case 'call.created':
        this.calls.set(body.callId, body.agentId);
        break;
      case 'call.finished':
        // One that was put off has no result for the model yet.
        if (body.deferred === undefined) this.ended.add(body.callId);
        break;
      case 'call.reopened':
        this.ended.delete(body.callId);
        break;
      case 'agent.changed':
        this.agents.set(body.agent.agentId, body.agent);
        break;
      default:
        break;
    }
  }

  private hasCall(callId: string): boolean {
    return this.ended.has(callId) && this.calls.has(callId) && this.hasAgent(this.calls.get(callId));
  }

  /** Whether all that an agent did is in the branch: it has ended, and so has the call that started it. */
  private hasAgent(agentId: string | undefined): boolean {
    if (agentId === undefined) return true;
    const agent = this.agents.get(agentId);
    if (agent === undefined || agent.status === 'running') return false;
    // Agents start one another, never in a circle; a log may say anything.
    this.agents.delete(agentId);
    const has = this.hasCall(agent.callId);
    this.agents.set(agentId, agent);
    return has;
  }

  /** What the branch's log has instead of an event that both share, under the number `seq`; null: nothing. */
  copy({ seq: old, body }: Pick<SessionEvent, 'seq' | 'body'>, seq: number): SessionEventBody | null {
    const copied = this.copied(body);
    if (copied !== null) this.kept.push({ old, now: seq });
    return copied;
  }

  private copied(body: SessionEventBody): SessionEventBody | null {
    switch (body.type) {
      case 'session.created':
      case 'session.renamed':
      case 'session.marked':
      case 'mode.changed':
      case 'model.changed':
      case 'network.changed':
      // Its commands were the other session's.
      case 'network.asked':
      case 'network.answered':
      // It begins as the session is now.
      case 'message.queued':
      case 'message.unqueued':
      case 'task.changed':
      // Rules of the session and what can be undone stay with it.
      case 'rule.saved':
      case 'file.changed':
      // The turns were the other session's.
      case 'turn.started':
      case 'turn.finished':
        return null;
      case 'message.sent':
      case 'assistant.started':
      case 'context.added':
        return this.hasAgent(body.agentId) ? body : null;
      case 'assistant.finished':
        return this.hasAgent(body.agentId) ? withoutUsage(body) : null;
      case 'assistant.block':
        if (!this.hasAgent(body.agentId)) return null;
        return body.block.type === 'tool_use' && !this.hasCall(`${body.messageId}.${body.index}`) ? null : body;
      case 'conversation.compacted':
        return this.hasAgent(body.agentId) ? { ...body, throughSeq: this.numberNow(body.throughSeq) } : null;
      case 'call.created':
      case 'call.presented':
      case 'call.stepStarted':
      case 'call.stepEnded':
      case 'call.asked':
      case 'call.answered':
      case 'call.decided':
      case 'call.started':
      case 'call.finished':
      case 'call.reopened':
        return this.hasCall(body.callId) ? body : null;
      case 'hook.ran':
        return body.callId === undefined || this.hasCall(body.callId) ? body : null;
      case 'agent.changed':
        return this.hasAgent(body.agent.agentId) ? body : null;
      case 'cwd.changed':
      case 'todos.changed':
      case 'notice':
        return body;
      default:
        return assertNever(body, 'session event');
    }
  }

  private numberNow(old: number): number {
    return this.kept.findLast((pair) => pair.old <= old)?.now ?? 1;
  }
}

/** What was used was used elsewhere, and is counted there. */
export function withoutUsage(
  body: Extract<SessionEventBody, { type: 'assistant.finished' }>,
): Extract<SessionEventBody, { type: 'assistant.finished' }> {
  return { ...body, usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 } };
}

import type { LiveEvent, SessionEventBody } from '#shared/session/events';

/** What goes on now: streaming text joined per block, and how far tasks are, so that a page that opens in the middle sees all. */
export class LiveText {
  private readonly texts = new Map<string, Extract<LiveEvent, { type: 'assistant.delta' }>>();
  private readonly tasks = new Map<string, Extract<LiveEvent, { type: 'task.progress' }>>();

  add(event: LiveEvent): void {
    // A new attempt begins: what streamed in the old one is void.
    if (event.type === 'model.retrying') this.texts.clear();
    if (event.type === 'task.progress') this.tasks.set(event.taskId, event);
    if (event.type !== 'assistant.delta') return;
    const key = `${event.messageId}.${event.index}`;
    const text = (this.texts.get(key)?.text ?? '') + event.text;
    this.texts.set(key, { ...event, text });
  }

  /** Drops what a stored event has made obsolete. */
  settle(body: SessionEventBody): void {
    if (body.type === 'task.changed' && body.task.status !== 'running') this.tasks.delete(body.task.taskId);
    if (body.type === 'assistant.block') this.texts.delete(`${body.messageId}.${body.index}`);
    // What streams is the session's own text; that of sub-agents is not published.
    if ('agentId' in body && body.agentId !== undefined) return;
    if (body.type === 'assistant.started' || body.type === 'assistant.finished' || body.type === 'turn.finished') {
      this.texts.clear();
    }
  }

  events(): LiveEvent[] {
    return [...this.texts.values(), ...this.tasks.values()];
  }
}

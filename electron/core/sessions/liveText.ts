import type { LiveEvent, SessionEventBody } from '#shared/session/events';

/** Text that streams now, joined per block, so that a page that opens in the middle sees all of it. */
export class LiveText {
  private readonly texts = new Map<string, Extract<LiveEvent, { type: 'assistant.delta' }>>();

  add(event: LiveEvent): void {
    // A new attempt begins: what streamed in the old one is void.
    if (event.type === 'model.retrying') this.texts.clear();
    if (event.type !== 'assistant.delta') return;
    const key = `${event.messageId}.${event.index}`;
    const text = (this.texts.get(key)?.text ?? '') + event.text;
    this.texts.set(key, { ...event, text });
  }

  /** Drops what a stored event has made obsolete. */
  settle(body: SessionEventBody): void {
    if (body.type === 'assistant.block') this.texts.delete(`${body.messageId}.${body.index}`);
    if (body.type === 'assistant.started' || body.type === 'assistant.finished' || body.type === 'turn.finished') {
      this.texts.clear();
    }
  }

  events(): LiveEvent[] {
    return [...this.texts.values()];
  }
}

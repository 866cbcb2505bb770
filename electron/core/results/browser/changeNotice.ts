// Tells when the list of results is another one because of what a session did.
import type { SessionEventBody } from '#shared/session/events';
import { resultsName } from '../names';

/** Told at most so often, in milliseconds. */
const atMostEveryMs = 500;

export class ChangeNotice {
  /** Calls that read a file of results. */
  private readonly readers = new Set<string>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly tell: () => void) {}

  take(body: SessionEventBody): void {
    if (body.type === 'call.created' && body.name === 'Read' && JSON.stringify(body.input).includes(resultsName))
      this.readers.add(body.callId);
    if (body.type !== 'call.finished') return;
    if (this.readers.delete(body.callId) || body.persisted !== undefined) this.soon();
  }

  dispose(): void {
    if (this.timer !== null) clearTimeout(this.timer);
  }

  private soon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.tell();
    }, atMostEveryMs);
  }
}

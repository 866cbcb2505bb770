// How often a session may call for attention.

const shortestGapMs = 10_000;
const hourMs = 3_600_000;
export const mostPerHour = 20;

export class NotificationLimit {
  private readonly sent = new Map<string, number[]>();

  constructor(private readonly now: () => number) {}

  /** Counts one more; or how many milliseconds are left until the next one may come. */
  take(sessionId: string): { readonly ok: true } | { readonly ok: false; readonly waitMs: number } {
    const now = this.now();
    const recent = (this.sent.get(sessionId) ?? []).filter((at) => at > now - hourMs);
    const [oldest = now] = recent;
    const waitMs = Math.max(
      recent.length < mostPerHour ? 0 : oldest + hourMs - now,
      (recent.at(-1) ?? Number.NEGATIVE_INFINITY) + shortestGapMs - now,
    );
    if (waitMs <= 0) recent.push(now);
    this.sent.set(sessionId, recent);
    return waitMs <= 0 ? { ok: true } : { ok: false, waitMs };
  }
}

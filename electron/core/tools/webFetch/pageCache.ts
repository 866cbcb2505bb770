/** How long a page is kept, in milliseconds, unless the environment says otherwise. */
export const usualCacheMs = 900_000;
const maxEntries = 50;
/** Of text and images together, in characters. */
const maxChars = 20_000_000;

/** Pages that were fetched a short while ago, the latest kept longest. */
export class PageCache<Page> {
  private readonly entries = new Map<string, { readonly page: Page; readonly chars: number; readonly until: number }>();
  private chars = 0;

  constructor(
    private readonly options: {
      /** 0: nothing is kept. */
      readonly keptMs: number;
      readonly sizeOf: (page: Page) => number;
      /** Milliseconds of a clock that only goes forward. */
      readonly now: () => number;
    },
  ) {}

  get(key: string): Page | null {
    const entry = this.entries.get(key);
    if (entry === undefined) return null;
    if (entry.until > this.options.now()) return entry.page;
    this.remove(key);
    return null;
  }

  set(key: string, page: Page): void {
    const { keptMs, sizeOf, now } = this.options;
    this.remove(key);
    const chars = sizeOf(page);
    if (keptMs <= 0 || chars > maxChars) return;
    this.entries.set(key, { page, chars, until: now() + keptMs });
    this.chars += chars;
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= maxEntries && this.chars <= maxChars) break;
      this.remove(oldest);
    }
  }

  private remove(key: string): void {
    this.chars -= this.entries.get(key)?.chars ?? 0;
    this.entries.delete(key);
  }
}

/** `CLAUDE_CODE_WEBFETCH_CACHE_TTL_MS` as milliseconds; unset or nonsense: the usual time. */
export function cacheMsFrom(stated: string | undefined): number {
  const text = (stated ?? '').trim();
  return /^\d{1,12}$/.test(text) ? Number(text) : usualCacheMs;
}

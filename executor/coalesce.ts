/** Longest event, in characters (the contract's bound). */
const longestPiece = 65_536;
/** Short enough to look immediate, long enough to put a burst of small writes into one event. */
const defaultDelayMs = 5;

/** Gathers text and hands it on in pieces of bounded length, which never end within a surrogate pair. */
export class Coalescer {
  private waiting: string[] = [];
  private length = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly emit: (text: string) => void;
  private readonly delayMs: number;

  constructor(emit: (text: string) => void, delayMs: number = defaultDelayMs) {
    this.emit = emit;
    this.delayMs = delayMs;
  }

  add(text: string): void {
    if (text === '') return;
    this.waiting.push(text);
    this.length += text.length;
    if (this.length >= longestPiece) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), this.delayMs);
  }

  /** Hands on what is there, at once. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const text = this.waiting.join('');
    this.waiting = [];
    this.length = 0;
    let at = 0;
    while (at < text.length) {
      const end = pieceEnd(text, at);
      this.emit(text.slice(at, end));
      at = end;
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}

function pieceEnd(text: string, start: number): number {
  const end = start + longestPiece;
  if (end >= text.length) return text.length;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}

/** Above this many characters that the core has not taken, the command's terminal is not read any further. */
const highWater = 100_000;
/** Reading goes on below this. */
const lowWater = 5_000;

/** Decides when a source has to wait for its reader. Characters are UTF-16 code units. */
export class FlowGate {
  private outstanding = 0;
  private paused = false;
  private readonly source: { pause(): void; resume(): void };

  constructor(source: { pause(): void; resume(): void }) {
    this.source = source;
  }

  sent(chars: number): void {
    this.outstanding += chars;
    if (this.paused || this.outstanding <= highWater) return;
    this.paused = true;
    this.source.pause();
  }

  acknowledged(chars: number): void {
    this.outstanding = Math.max(0, this.outstanding - chars);
    if (!this.paused || this.outstanding >= lowWater) return;
    this.paused = false;
    this.source.resume();
  }
}

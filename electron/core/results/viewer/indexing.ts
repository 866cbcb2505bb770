// Builds the index of a file bit by bit; between the bits, others have their turn.
import { setImmediate as afterOthers } from 'node:timers/promises';
import type { TextIndex as IndexState } from '#shared/api/results';
import { LineCounter } from './lineCounter';
import type { OpenedFile } from './openedFile';
import type { TextIndex } from './textIndex';

/** Read at once, in bytes: some milliseconds of work. */
const chunkBytes = 2_097_152;
const smallBytes = 65_536;
/** Told at most so often, in milliseconds. */
const tellEveryMs = 200;

export class Indexing {
  private running: Promise<void> | null = null;
  private stopped = false;
  private toldAt = 0;
  private readonly waiting: { readonly until: (state: IndexState) => boolean; readonly resolve: () => void }[] = [];

  constructor(
    private readonly file: OpenedFile,
    private readonly index: TextIndex,
    private readonly tell: (state: IndexState) => void,
  ) {}

  /** Goes on until the file's end. `onFailure` is called when it cannot be read any more. */
  start(onFailure: (error: unknown) => void): void {
    if (this.running !== null || this.stopped) return;
    this.running = this.run()
      .catch(onFailure)
      .finally(() => {
        this.running = null;
        this.settle(true);
      });
  }

  /** Settles once nothing is read any more. */
  async ended(): Promise<void> {
    await this.running;
  }

  /** Resolves once the index satisfies `until`, or nothing more comes. */
  async reached(until: (state: IndexState) => boolean): Promise<void> {
    if (this.running === null || until(this.index.state)) return;
    await new Promise<void>((resolve) => this.waiting.push({ until, resolve }));
  }

  stop(): void {
    this.stopped = true;
    this.settle(true);
  }

  private async run(): Promise<void> {
    const counter = new LineCounter(Math.min(chunkBytes, Math.max(smallBytes, this.file.size)));
    while (!this.stopped) {
      const { position } = this.index;
      const read = this.file.read(counter.piece, position, Math.min(counter.piece.length, this.file.size - position));
      // A file that got shorter ends where it ends now.
      const last = position + read >= this.file.size || read === 0;
      this.index.add(counter, read, last);
      const now = performance.now();
      if (last || now - this.toldAt >= tellEveryMs) {
        this.toldAt = now;
        this.tell(this.index.state);
      }
      this.settle(false);
      if (last) return;
      await afterOthers();
    }
  }

  private settle(all: boolean): void {
    const { state } = this.index;
    for (const one of this.waiting.splice(0)) {
      if (all || one.until(state)) one.resolve();
      else this.waiting.push(one);
    }
  }
}

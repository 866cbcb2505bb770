// The file that gets a command's plain text. It is made late, so that short output leaves nothing behind.
import { closeSync, constants, ftruncateSync, openSync, unlinkSync, writeSync } from 'node:fs';
import type { ShellOutput } from '#shared/api/executor';
import { errnoOf, systemFailure } from '../failure';
import { GrowingBytes } from './growingBytes';

/** Text in memory before the file is made or written to. */
const gatheredBytes = 262_144;
/** How far a detached command's file may be behind. */
const liveDelayMs = 250;

export interface OutputFileOptions {
  readonly file: string;
  readonly maxBytes: number;
  /** Text of at most this many characters leaves no file, unless detached. */
  readonly keepAboveChars: number;
  /** Text that may still change; it stands at the end of a detached command's file. */
  readonly pending: () => Buffer;
  /** The file of a detached command has reached its limit. */
  readonly onFull: () => void;
}

export class OutputFile {
  private readonly options: OutputFileOptions;
  private descriptor: number | undefined;
  private readonly gathered = new GrowingBytes(gatheredBytes);
  /** Bytes of final text in the file, and of all that stands in it. */
  private written = 0;
  private size = 0;
  private dropped = 0;
  private problem: string | undefined;
  private live = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(options: OutputFileOptions) {
    this.options = options;
  }

  /** Takes final text; the bytes may be overwritten afterwards. */
  add(bytes: Buffer): void {
    const room = this.options.maxBytes - this.written - this.gathered.length;
    if (this.problem !== undefined || bytes.length > room) this.drop(bytes, room);
    else this.gather(bytes);
  }

  /** Something was printed, final or not: a detached command's file follows. */
  changed(): void {
    if (this.live) this.timer ??= setTimeout(() => this.showLive(), liveDelayMs);
  }

  /** From here on the file is there and kept up to date. */
  detach(): void {
    if (this.live) return;
    this.live = true;
    this.showLive();
    if (this.dropped > 0) this.options.onFull();
  }

  /** The text is whole; `totalChars` is its length. Closes the file. */
  end(totalChars: number): Pick<ShellOutput, 'written' | 'droppedBytes' | 'writeProblem'> {
    clearTimeout(this.timer);
    const wanted = this.live || totalChars > this.options.keepAboveChars;
    if (wanted) this.flush();
    // What a redraw has taken back.
    if (wanted && this.size > this.written) this.attempt((descriptor) => ftruncateSync(descriptor, this.written));
    const made = this.descriptor !== undefined;
    this.close();
    const kept = made && wanted && (this.problem === undefined || this.live);
    // Half a file would take the room that was lacking.
    if (made && !kept) this.remove();
    return {
      ...(kept ? { written: { file: this.options.file, bytes: this.written } } : {}),
      ...(this.dropped > 0 && kept ? { droppedBytes: this.dropped } : {}),
      ...(this.problem === undefined || !wanted ? {} : { writeProblem: this.problem }),
    };
  }

  /** Takes what there is room for, in whole characters, and counts the rest. */
  private drop(bytes: Buffer, room: number): void {
    let cut = this.problem === undefined && this.dropped === 0 ? Math.max(0, room) : 0;
    while (cut > 0 && ((bytes[cut] ?? 0) & 0xc0) === 0x80) cut -= 1;
    if (cut > 0) this.gather(bytes.subarray(0, cut));
    const before = this.dropped;
    this.dropped += bytes.length - cut;
    if (before === 0 && this.live && this.problem === undefined) this.options.onFull();
  }

  private gather(bytes: Buffer): void {
    if (bytes.length > this.gathered.room) this.flush();
    if (bytes.length > this.gathered.room) this.write(bytes);
    else this.gathered.add(bytes);
  }

  private flush(): void {
    this.write(this.gathered.bytes());
    this.gathered.clear();
  }

  private write(bytes: Buffer): void {
    if (this.problem !== undefined) {
      this.dropped += bytes.length;
      return;
    }
    this.attempt((descriptor) => {
      this.written += writeAll(descriptor, { bytes, at: this.written });
      this.size = Math.max(this.size, this.written);
    });
  }

  private showLive(): void {
    this.timer = undefined;
    this.flush();
    const bytes = this.options.pending().subarray(0, this.options.maxBytes - this.written);
    this.attempt((descriptor) => {
      const end = this.written + writeAll(descriptor, { bytes, at: this.written });
      if (end < this.size) ftruncateSync(descriptor, end);
      this.size = end;
    });
  }

  /** Does something with the open file; a failure ends all writing. */
  private attempt(work: (descriptor: number) => void): void {
    if (this.problem !== undefined) return;
    try {
      this.descriptor ??= openSync(
        this.options.file,
        constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
        0o600,
      );
      work(this.descriptor);
    } catch (error) {
      this.problem = systemFailure(error, this.options.file).message;
    }
  }

  private close(): void {
    if (this.descriptor === undefined) return;
    try {
      closeSync(this.descriptor);
    } catch (error) {
      // Some file systems tell only now that they had no room.
      this.problem ??= systemFailure(error, this.options.file).message;
    }
    this.descriptor = undefined;
  }

  private remove(): void {
    try {
      unlinkSync(this.options.file);
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
    }
  }
}

/** Writes all bytes at a place of the file; answers with their number. */
function writeAll(descriptor: number, { bytes, at }: { readonly bytes: Buffer; readonly at: number }): number {
  let done = 0;
  while (done < bytes.length) done += writeSync(descriptor, bytes, done, bytes.length - done, at + done);
  return done;
}

// All that becomes of one command's output: the stream for viewers, the plain text in its file, head and tail, an image.
import type { OperationOf, ShellOutput } from '#shared/api/executor';
import { HeadTailBytes } from './headTailBytes';
import { ImageSniffer } from './imageOutput';
import { OutputFile } from './outputFile';
import { PlainBytes } from './plainBytes';
import { ViewerStream } from './viewerStream';

/** After this much the terminal may be set to what is fastest: see `onFlood`. */
const floodBytes = 131_072;
/** A command that prints more than this is stopped, whoever waits for it. */
const longestOutputBytes = 5_000_000_000;

export interface CommandOutputOptions {
  readonly file: OperationOf<'shell.run'>['output'];
  readonly emit: (piece: { readonly from: number; readonly text: string }) => void;
  /** The file of a detached command has reached its limit, or any has printed far too much; may be called more than once. */
  readonly onFull: () => void;
  /** Much is being printed, and it is no image, whose bytes the terminal must not treat in two ways. Called once. */
  readonly onFlood: () => void;
  /** 5 GB when left out. */
  readonly longestBytes?: number;
}

export class CommandOutput {
  private readonly options: CommandOutputOptions;
  private readonly stream: ViewerStream;
  private readonly image = new ImageSniffer();
  private readonly headTail: HeadTailBytes;
  private readonly file: OutputFile | undefined;
  private readonly plain: PlainBytes;
  private readonly longest: number;
  private bytes = 0;
  private flooding = false;

  constructor(options: CommandOutputOptions) {
    this.options = options;
    this.longest = options.longestBytes ?? longestOutputBytes;
    this.headTail = new HeadTailBytes(options.file?.keepAboveChars);
    this.stream = new ViewerStream({ emit: options.emit });
    this.plain = new PlainBytes((text) => {
      this.headTail.add(text);
      this.file?.add(text);
    });
    if (options.file !== undefined) {
      const { onFull } = options;
      this.file = new OutputFile({ ...options.file, pending: () => this.plain.pending(), onFull });
    }
  }

  /** Characters so far, escapes and all. */
  get totalChars(): number {
    return this.stream.totalChars;
  }

  /** Takes the next bytes; they may be overwritten afterwards. */
  add(bytes: Buffer): void {
    this.bytes += bytes.length;
    this.image.add(bytes);
    this.stream.add(bytes);
    this.plain.write(bytes);
    this.file?.changed();
    if (this.bytes > this.longest) this.options.onFull();
    if (this.flooding || this.bytes < floodBytes || this.image.possible) return;
    this.flooding = true;
    this.options.onFlood();
  }

  acknowledge(chars: number): void {
    this.stream.acknowledge(chars);
  }

  /** The command has become a background task. */
  detach(): void {
    this.file?.detach();
  }

  /** All output is in. Emits what waits and answers with what there is to tell; undefined when that is nothing. */
  end(): ShellOutput | undefined {
    this.stream.end();
    this.plain.end();
    const image = this.image.end();
    const { nonText } = this.plain;
    const output: ShellOutput = {
      ...this.file?.end(this.headTail.totalChars),
      ...(nonText > 0 ? { nonTextBytes: nonText } : {}),
      ...(this.stream.skipped ? { plain: this.headTail.parts() } : {}),
      ...(image === undefined ? {} : { image }),
    };
    return Object.keys(output).length === 0 ? undefined : output;
  }

  dispose(): void {
    this.stream.dispose();
  }
}

// Where viewers attach to the output of running calls. A viewer that is slow is skipped ahead; it never slows the command.
import { TailBuffer } from './tailBuffer';

/** A piece of output; `from` is its offset in UTF-16 code units of the whole output. */
export interface OutputPiece {
  readonly from: number;
  readonly text: string;
}

/** A viewer's hold on one stream. */
export interface OutputAttachment {
  /** Offset of `tail` in the whole output. */
  readonly from: number;
  readonly tail: string;
  readonly ended: boolean;
  /** The viewer has drawn everything before this offset. */
  acknowledge(upTo: number): void;
  detach(): void;
}

/** The writing end, held by the executor client. */
export interface OutputStream {
  /** `from`: offset of the text in the whole output; beyond the end of the last piece it leaves a gap. */
  append(text: string, from?: number): void;
  end(): void;
}

/** Above this many unacknowledged characters a viewer gets nothing more until it has caught up. */
const viewerHighWater = 100_000;
const viewerLowWater = 5_000;
/** What a new viewer gets at once. */
const attachTail = 65_536;
/** Ended streams stay attachable for pages that were just loading; the oldest go first. */
const keptEnded = 32;

interface Viewer {
  sent: number;
  acknowledged: number;
  waiting: boolean;
  readonly onData: (piece: OutputPiece) => void;
}

interface Stream {
  readonly buffer: TailBuffer;
  readonly viewers: Set<Viewer>;
  /** False while viewers wait for a command that is about to start. */
  opened: boolean;
  ended: boolean;
}

export class OutputHub {
  private readonly streams = new Map<string, Stream>();

  /** Starts the stream of a call, with the viewers that wait for it; a second one under the same id replaces the first. */
  open(callId: string): OutputStream {
    const waiting = this.streams.get(callId);
    const stream = waiting?.opened === false ? waiting : newStream();
    stream.opened = true;
    this.streams.delete(callId);
    this.streams.set(callId, stream);
    return {
      append: (text, at = stream.buffer.total) => {
        const from = Math.max(at, stream.buffer.total);
        if (from > stream.buffer.total) stream.buffer.skip(from - stream.buffer.total);
        stream.buffer.append(text);
        for (const viewer of [...stream.viewers]) feed(stream, viewer, { from, text });
      },
      end: () => {
        stream.ended = true;
        this.dropOldEnded();
      },
    };
  }

  /**
   * Attaches a viewer: it gets the tail now and every later piece through `onData`, in order; a piece whose `from` is
   * beyond the end of the last one means that the viewer fell behind and must start afresh. Undefined when the call
   * has no stream (never ran a command, or ended long ago), unless the viewer wants to wait for its start.
   */
  attach(
    callId: string,
    onData: (piece: OutputPiece) => void,
    options: { readonly evenBeforeStart: boolean } = { evenBeforeStart: false },
  ): OutputAttachment | undefined {
    const stream = this.streams.get(callId) ?? (options.evenBeforeStart ? this.awaited(callId) : undefined);
    if (stream === undefined) return undefined;
    const { from, text: tail } = stream.buffer.since(stream.buffer.total - attachTail);
    const viewer: Viewer = { sent: from + tail.length, acknowledged: from, waiting: false, onData };
    stream.viewers.add(viewer);
    return {
      from,
      tail,
      ended: stream.ended,
      acknowledge: (upTo) => {
        viewer.acknowledged = Math.min(viewer.sent, Math.max(viewer.acknowledged, upTo));
        if (viewer.waiting && viewer.sent - viewer.acknowledged < viewerLowWater) {
          viewer.waiting = false;
          feed(stream, viewer);
        }
      },
      detach: () => {
        stream.viewers.delete(viewer);
        const forgotten = !stream.opened && stream.viewers.size === 0 && this.streams.get(callId) === stream;
        if (forgotten) this.streams.delete(callId);
      },
    };
  }

  dispose(): void {
    for (const stream of this.streams.values()) stream.viewers.clear();
    this.streams.clear();
  }

  private awaited(callId: string): Stream {
    const stream = newStream();
    this.streams.set(callId, stream);
    return stream;
  }

  private dropOldEnded(): void {
    const ended = [...this.streams].filter(([, stream]) => stream.ended);
    for (const [callId] of ended.slice(0, Math.max(0, ended.length - keptEnded))) this.streams.delete(callId);
  }
}

function newStream(): Stream {
  return { buffer: new TailBuffer(2 * viewerHighWater), viewers: new Set(), opened: false, ended: false };
}

/** Sends a viewer what it lacks, or notes that it must catch up first. `newest` spares the search when it lacks only that. */
function feed(stream: Stream, viewer: Viewer, newest?: OutputPiece): void {
  if (viewer.waiting) return;
  if (viewer.sent - viewer.acknowledged > viewerHighWater) {
    viewer.waiting = true;
    return;
  }
  const behind = stream.buffer.total - viewer.sent;
  if (behind <= 0) return;
  const piece =
    newest?.from === viewer.sent
      ? newest
      : stream.buffer.since(behind > viewerHighWater ? stream.buffer.total - attachTail : viewer.sent);
  viewer.sent = piece.from + piece.text.length;
  viewer.onData(piece);
}

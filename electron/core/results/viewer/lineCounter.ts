// Counts line ends, sixteen bytes at a time.
import {
  add,
  bitCount,
  bitsOf,
  constant,
  get,
  instantiate,
  leadingZeros,
  leaveIf,
  less,
  loop,
  moduleOf,
  seq,
  set,
  sixteenAt,
  sixteenEqual,
  sixteenOf,
  store,
  subtract,
  when,
} from './search/assembler';

/** Where the memory has the count; the piece follows. */
const countAt = 0;
const pieceAt = 64;
const lineFeed = 10;

// Parameters and locals of the program.
const place = 0;
const end = 1;
const count = 2;
const behind = 3;
const bits = 4;
const lineEnds = 5;

const program = moduleOf({
  parameters: 2,
  numbers: 3,
  sixteens: 1,
  code: seq(
    set(lineEnds, sixteenOf(constant(lineFeed))),
    loop(
      set(bits, bitsOf(sixteenEqual(sixteenAt(get(place), pieceAt), get(lineEnds)))),
      when(
        get(bits),
        set(count, add(get(count), bitCount(get(bits)))),
        set(behind, subtract(add(get(place), constant(32)), leadingZeros(get(bits)))),
      ),
      set(place, add(get(place), constant(16))),
      leaveIf(0, less(get(place), get(end))),
    ),
    store(constant(countAt), get(count)),
    get(behind),
  ),
});

export class LineCounter {
  /** What is counted in is read into this. */
  readonly piece: Buffer;
  private readonly counted: Int32Array;
  private readonly run: (from: number, to: number) => number;

  constructor(pieceBytes: number) {
    const { memory, run } = instantiate(program, pieceAt + pieceBytes);
    this.run = run;
    this.piece = Buffer.from(memory.buffer, pieceAt, pieceBytes);
    this.counted = new Int32Array(memory.buffer, countAt, 1);
  }

  /** Line ends that the last `lastEnd` has passed. */
  get count(): number {
    return this.counted[0] ?? 0;
  }

  /** The place behind the last line end of some bytes of the piece, sixteen or a multiple; 0 when there is none. */
  lastEnd(from: number, to: number): number {
    return this.run(from, to);
  }
}

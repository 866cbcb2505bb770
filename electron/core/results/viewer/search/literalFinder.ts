// Finds a text in bytes, sixteen places at a time: where two of its rarer bytes lie as far apart as they should, the rest is
// compared.
import {
  add,
  and,
  answer,
  anySet,
  atLeast,
  bitsOf,
  block,
  byteAt,
  constant,
  get,
  greater,
  instantiate,
  isZero,
  leave,
  leaveIf,
  less,
  loop,
  lowestBit,
  moduleOf,
  notEqual,
  or,
  seq,
  set,
  sixteenAnd,
  sixteenAt,
  sixteenEqual,
  sixteenOf,
  sixteenOr,
  store,
  subtract,
  when,
} from './assembler';

/** Read and searched at once where nothing else is said: it stays in the processor's own memory. */
const usualBytes = 262_144;
/** Matches told at once; with more, the search goes on behind the last. */
const maxFound = 65_536;

// Memory: the text, its letter marks, the matches, the piece, and what may be read behind it.
const longestText = 4_096;
const textAt = 0;
const foldAt = textAt + longestText;
const foundAt = foldAt + longestText;
const pieceAt = foundAt + maxFound * 4;
const behindBytes = longestText + 128;

// Parameters and locals of the program.
const end = 0;
const length = 1;
const firstOffset = 2;
const secondOffset = 3;
const place = 4;
const count = 5;
const bits = 6;
const candidate = 7;
const compared = 8;
const free = 9;
const firstPlace = 10;
const secondPlace = 11;
const stop = 12;
const firstByte = 13;
const secondByte = 14;
const firstFold = 15;
const secondFold = 16;

/** For the sixteen places from `offset` behind the present one: whether both bytes are where they should be. */
const bothAt = (offset: number) =>
  sixteenAnd(
    sixteenEqual(sixteenOr(sixteenAt(get(firstPlace), pieceAt + offset), get(firstFold)), get(firstByte)),
    sixteenEqual(sixteenOr(sixteenAt(get(secondPlace), pieceAt + offset), get(secondFold)), get(secondByte)),
  );

/** Sets where the bytes lie of a text that begins at the present place. */
const setPlaces = seq(
  set(firstPlace, add(get(place), get(firstOffset))),
  set(secondPlace, add(get(place), get(secondOffset))),
);

const differs = notEqual(
  or(byteAt(add(get(candidate), get(compared)), pieceAt), byteAt(get(compared), foldAt)),
  byteAt(get(compared), textAt),
);

const keepCandidate = seq(
  store(add(constant(foundAt), add(add(get(count), get(count)), add(get(count), get(count)))), get(candidate)),
  set(count, add(get(count), constant(1))),
  set(free, add(get(candidate), get(length))),
  when(atLeast(get(count), constant(maxFound)), answer(get(count))),
);

/** Compares the text where `bits` say that it may begin; leaves `depth` blocks behind the last place of all. */
const compareCandidates = (depth: number) =>
  loop(
    set(candidate, add(get(place), lowestBit(get(bits)))),
    set(bits, and(get(bits), subtract(get(bits), constant(1)))),
    leaveIf(depth, greater(get(candidate), get(end))),
    block(
      leaveIf(0, less(get(candidate), get(free))),
      set(compared, constant(0)),
      loop(
        leaveIf(1, differs),
        set(compared, add(get(compared), constant(1))),
        leaveIf(0, less(get(compared), get(length))),
      ),
      keepCandidate,
    ),
    leaveIf(0, notEqual(get(bits), constant(0))),
  );

const program = moduleOf({
  parameters: 4,
  numbers: 9,
  sixteens: 4,
  code: seq(
    set(firstByte, sixteenOf(byteAt(get(firstOffset), textAt))),
    set(secondByte, sixteenOf(byteAt(get(secondOffset), textAt))),
    set(firstFold, sixteenOf(byteAt(get(firstOffset), foldAt))),
    set(secondFold, sixteenOf(byteAt(get(secondOffset), foldAt))),
    // From here on: the last place where it may begin.
    set(end, subtract(get(end), get(length))),
    block(
      loop(
        leaveIf(1, greater(get(place), get(end))),
        setPlaces,
        // Mostly there is nothing in sixty-four places.
        when(
          isZero(anySet(sixteenOr(sixteenOr(bothAt(0), bothAt(16)), sixteenOr(bothAt(32), bothAt(48))))),
          set(place, add(get(place), constant(64))),
          leave(1),
        ),
        set(stop, add(get(place), constant(64))),
        loop(
          setPlaces,
          set(bits, bitsOf(bothAt(0))),
          when(get(bits), compareCandidates(4)),
          set(place, add(get(place), constant(16))),
          leaveIf(0, less(get(place), get(stop))),
        ),
        leave(0),
      ),
    ),
    get(count),
  ),
});

export class LiteralFinder {
  /** What is searched is read into this. */
  readonly piece: Buffer;
  /** Bytes of the text that is looked for. */
  readonly longest: number;
  private readonly found: Uint32Array;
  private readonly run: (end: number, length: number, firstOffset: number, secondOffset: number) => number;
  private readonly text: Uint8Array;
  private readonly fold: Uint8Array;
  private offsets: readonly [number, number] | null = null;
  private count = 0;

  /** `text` has 1 to 4,096 bytes, and is ASCII where cases do not matter. */
  constructor(text: Uint8Array, caseSensitive: boolean, pieceBytes = usualBytes) {
    const { memory, run } = instantiate(program, pieceAt + pieceBytes + behindBytes);
    this.run = run;
    this.piece = Buffer.from(memory.buffer, pieceAt, pieceBytes);
    this.longest = text.length;
    this.text = new Uint8Array(memory.buffer, textAt, text.length);
    this.fold = new Uint8Array(memory.buffer, foldAt, text.length);
    this.found = new Uint32Array(memory.buffer, foundAt, maxFound);
    text.forEach((byte, at) => {
      const lower = byte | 0x20;
      const isLetter = !caseSensitive && lower >= 0x61 && lower <= 0x7a;
      this.fold[at] = isLetter ? 0x20 : 0;
      this.text[at] = isLetter ? lower : byte;
    });
  }

  /** Whether the last `find` found so much that it did not reach the end. */
  get isFull(): boolean {
    return this.count === maxFound;
  }

  /** Where the text begins in the first `bytes` of `piece`, without overlaps. Valid until the next call. */
  find(bytes: number): Uint32Array {
    // What is common in this file is told by how it begins.
    this.offsets ??= this.rarest(this.piece.subarray(0, Math.min(bytes, 65_536)));
    this.count = this.run(bytes, this.longest, ...this.offsets);
    return this.found.subarray(0, this.count);
  }

  /** The offsets of the two rarest bytes of the text. */
  private rarest(sample: Uint8Array): readonly [number, number] {
    const often = new Float64Array(256);
    for (const byte of sample) often[byte] = (often[byte] ?? 0) + 1;
    const cost = (at: number): number => {
      const byte = this.text[at] ?? 0;
      return (often[byte] ?? 0) + (this.fold[at] === 0 ? 0 : (often[byte ^ 0x20] ?? 0));
    };
    const order = [...this.text.keys()].sort((left, right) => cost(left) - cost(right));
    const [first = 0] = order;
    const second = order.find((at) => this.text[at] !== this.text[first]) ?? order.at(-1) ?? first;
    return [first, second];
  }
}

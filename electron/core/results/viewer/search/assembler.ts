// Just enough WebAssembly to write a loop over sixteen bytes at a time, for which JavaScript has no instruction.

type Code = readonly number[];

const unsigned = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(Math.floor(value / 0x80))];

function signed(value: number): number[] {
  const low = value & 0x7f;
  const rest = value >> 7;
  const ends = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
  return ends ? [low] : [low | 0x80, ...signed(rest)];
}

const i32 = 0x7f;
const v128 = 0x7b;
const nothing = 0x40;

/** Puts pieces of code one after another. */
export const seq = (...codes: readonly Code[]): Code => codes.flat();

const binary =
  (opcode: number) =>
  (left: Code, right: Code): Code =>
    seq(left, right, [opcode]);
const vector = (opcode: number) => [0xfd, ...unsigned(opcode)];

// Numbers: i32.
export const get = (local: number): Code => [0x20, ...unsigned(local)];
export const set = (local: number, value: Code): Code => seq(value, [0x21, ...unsigned(local)]);
export const constant = (value: number): Code => [0x41, ...signed(value)];
export const add = binary(0x6a);
export const subtract = binary(0x6b);
export const and = binary(0x71);
export const or = binary(0x72);
export const notEqual = binary(0x47);
export const less = binary(0x48);
export const greater = binary(0x4a);
export const atLeast = binary(0x4e);
export const isZero = (value: Code): Code => seq(value, [0x45]);
export const leadingZeros = (value: Code): Code => seq(value, [0x67]);
export const bitCount = (value: Code): Code => seq(value, [0x69]);
export const lowestBit = (value: Code): Code => seq(value, [0x68]);
export const byteAt = (address: Code, offset = 0): Code => seq(address, [0x2d, 0, ...unsigned(offset)]);
export const store = (address: Code, value: Code): Code => seq(address, value, [0x36, 2, 0]);

// Sixteen bytes.
export const sixteenAt = (address: Code, offset = 0): Code => seq(address, vector(0x00), [0, ...unsigned(offset)]);
export const anySet = (value: Code): Code => seq(value, vector(0x53));
export const sixteenOf = (value: Code): Code => seq(value, vector(0x0f));
export const sixteenEqual = (left: Code, right: Code): Code => seq(left, right, vector(0x23));
export const sixteenAnd = (left: Code, right: Code): Code => seq(left, right, vector(0x4e));
export const sixteenOr = (left: Code, right: Code): Code => seq(left, right, vector(0x50));
export const bitsOf = (value: Code): Code => seq(value, vector(0x64));

// Flow. `leave(n)` goes to the end of the block that lies n further out, or to the start of the loop.
export const block = (...codes: readonly Code[]): Code => seq([0x02, nothing], ...codes, [0x0b]);
export const loop = (...codes: readonly Code[]): Code => seq([0x03, nothing], ...codes, [0x0b]);
export const when = (condition: Code, ...codes: readonly Code[]): Code =>
  seq(condition, [0x04, nothing], ...codes, [0x0b]);
export const leave = (depth: number): Code => [0x0c, ...unsigned(depth)];
export const leaveIf = (depth: number, condition: Code): Code => seq(condition, [0x0d, ...unsigned(depth)]);
export const answer = (value: Code): Code => seq(value, [0x0f]);

export interface Memory {
  readonly buffer: ArrayBuffer;
}

type Run = (...parameters: number[]) => number;

/** What is used of it; the types of Node do not have it. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => Memory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { readonly memory: { readonly it: Memory } },
  ) => { readonly exports: { readonly run: Run } };
};

const pageBytes = 65_536;

/** Puts a module to work on so many bytes of memory. */
export function instantiate(module: Uint8Array, bytes: number): { readonly memory: Memory; readonly run: Run } {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / pageBytes) });
  const instance = new WebAssembly.Instance(new WebAssembly.Module(module), { memory: { it: memory } });
  return { memory, run: instance.exports.run };
}

/** A module that imports `memory.it` and exports the function `run` from numbers to a number. */
export function moduleOf(options: {
  readonly parameters: number;
  readonly numbers: number;
  readonly sixteens: number;
  readonly code: Code;
}): Uint8Array<ArrayBuffer> {
  const { parameters, numbers, sixteens, code } = options;
  const text = (value: string): number[] => [value.length, ...Buffer.from(value)];
  const section = (id: number, content: Code): number[] => [id, ...unsigned(content.length), ...content];
  const body = [2, ...unsigned(numbers), i32, ...unsigned(sixteens), v128, ...code, 0x0b];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, ...unsigned(parameters), ...Array<number>(parameters).fill(i32), 1, i32]),
    ...section(2, [1, ...text('memory'), ...text('it'), 2, 0, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...text('run'), 0, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ]);
}

// What the fuzzer drives: inputs without end, and what must hold for each of them.
import type fc from 'fast-check';

export interface FuzzTarget {
  readonly name: string;
  /** Checks of what was found once come first, in every run. */
  readonly corpus: readonly unknown[];
  /** The check over its inputs; `around` runs it on one of them. */
  property(around: (input: unknown, run: () => void | Promise<void>) => Promise<void>): fc.IAsyncProperty<[unknown]>;
  /** Runs the check on a row of the corpus. */
  again(input: unknown): Promise<void>;
}

/** Where a target may work, and what was built for it. */
export interface FuzzPlace {
  /** An empty folder of its own; deleted when it is through. */
  readonly folder: string;
  /** Path of the built executor. */
  readonly executor: string;
}

/** What a `*.fuzz.ts` file gives away as `open`. */
export interface OpenTargets {
  readonly targets: readonly FuzzTarget[];
  dispose?(): Promise<void>;
}

/** `check` throws what is wrong; whatever it throws is a find, and so is what takes too long. */
export function fuzzTarget<Input>(
  from: typeof fc,
  target: {
    readonly name: string;
    readonly inputs: fc.Arbitrary<Input>;
    readonly corpus: readonly Input[];
    readonly check: (input: Input) => void | Promise<void>;
  },
): FuzzTarget {
  const { name, inputs, corpus, check } = target;
  return {
    name,
    corpus,
    property: (around) =>
      from.asyncProperty<[unknown]>(inputs, async (input) => await around(input, () => check(input as Input))),
    again: async (input) => await check(input as Input),
  };
}

/** Throws with the value shown when something does not hold. */
export function must(holds: boolean, what: string, shown: unknown = undefined): asserts holds {
  if (!holds) throw new Error(shown === undefined ? what : `${what}: ${JSON.stringify(shown)?.slice(0, 2_000)}`);
}

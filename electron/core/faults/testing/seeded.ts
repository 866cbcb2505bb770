/** A small generator of numbers that are the same for the same seed. */
export interface Seeded {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  of<T>(choices: readonly T[]): T;
}

/** Starts one. */
export function seeded(seed: number): Seeded {
  let state = Math.imul(seed, 2_654_435_761) >>> 0;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return {
    below,
    of(choices) {
      const chosen = choices[below(choices.length)];
      if (chosen === undefined) throw new Error('nothing to choose from');
      return chosen;
    },
  };
}

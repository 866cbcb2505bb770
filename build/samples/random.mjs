// The same seed gives the same choices everywhere.

/** Uniform numbers from 0 up to 1 (mulberry32). */
export function seeded(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    /** A whole number below `end`. */
    below: (end) => Math.floor(next() * end),
    chance: (probability) => next() < probability,
    pick: (list) => list[Math.floor(next() * list.length)],
    hex: (length) => Array.from({ length }, () => Math.floor(next() * 16).toString(16)).join(''),
    uuid() {
      return [8, 4, 4, 4, 12].map((length) => this.hex(length)).join('-');
    },
  };
}

/** Picks by weight from `[weight, value]` pairs. */
export function weighted(random, pairs) {
  const total = pairs.reduce((sum, [weight]) => sum + weight, 0);
  let at = random.next() * total;
  for (const [weight, value] of pairs) {
    at -= weight;
    if (at < 0) return value;
  }
  return pairs.at(-1)[1];
}

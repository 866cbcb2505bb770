/** Numbers that look random and come again with the same seed (a whole number): xorshift with 32 bits. */
export function createRandom(seed) {
  let state = seed >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
  const below = (limit) => next() % limit;
  return { below, of: (list) => list[below(list.length)] };
}

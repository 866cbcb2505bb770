/**
 * Whether a name fits a pattern of `*` (any characters) and `?` (one). Takes time in proportion to both lengths, whatever
 * the pattern.
 */
export function fitsWildcard(pattern: string, name: string): boolean {
  let [p, n] = [0, 0];
  let star = -1;
  let resume = 0;
  while (n < name.length) {
    if (pattern[p] === '*') {
      star = p;
      resume = n;
      p += 1;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === name[n])) {
      p += 1;
      n += 1;
    } else if (star >= 0) {
      resume += 1;
      p = star + 1;
      n = resume;
    } else return false;
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}

/** Edits (insert, delete, replace, swap of neighbours) that turn `from` into `to`. */
function editDistance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const cell = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= from.length; row++) {
    const line = [row];
    rows.push(line);
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      line.push(
        Math.min(
          cell(row - 1, column) + 1,
          cell(row, column - 1) + 1,
          cell(row - 1, column - 1) + (same ? 0 : 1),
          swapped ? cell(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return cell(from.length, to.length);
}

/** Names in API length are at most 64 characters; longer ones are not worth comparing. */
const longestName = 128;

/**
 * Candidates that `name` was probably meant to be, best first, at most `limit`. Case, `_` and `-` do not count; a name that
 * holds the other one is close too.
 */
export function closeMatches(name: string, candidates: readonly string[], limit = 3): string[] {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[_-]/g, '');
  const wanted = plain(name.slice(0, longestName));
  if (wanted === '') return [];
  return candidates
    .map((candidate) => {
      const other = plain(candidate);
      const contained = wanted.length > 2 && (other.includes(wanted) || wanted.includes(other));
      return {
        candidate,
        distance: contained ? Math.min(1, editDistance(wanted, other)) : editDistance(wanted, other),
      };
    })
    .filter(
      ({ candidate, distance }) => distance <= Math.max(1, Math.floor(Math.max(wanted.length, candidate.length) / 3)),
    )
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

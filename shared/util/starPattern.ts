// Patterns in which a star stands for any text, whoever wrote them.

/** A pattern made ready. */
export interface StarPattern {
  /** As it was written. */
  readonly text: string;
  test(text: string): boolean;
}

/**
 * The text between the stars in its order, the first and last at the edges. Takes time in proportion to the text, whatever
 * the pattern: a regular expression of many stars does not, and one of a long pattern cannot even be made.
 */
export function fitsPieces(text: string, pieces: readonly string[]): boolean {
  const first = pieces[0] ?? '';
  const last = pieces.at(-1) ?? '';
  if (pieces.length === 1) return text === first;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  const end = text.length - last.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found === -1 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return at <= end;
}

/** Makes a pattern ready; nothing but the star is special. */
export function starPattern(pattern: string): StarPattern {
  const pieces = pattern.split(/\*+/);
  return { text: pattern, test: (text) => fitsPieces(text, pieces) };
}

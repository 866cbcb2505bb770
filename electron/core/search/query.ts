// What a person types, as a query of the index: every sign that means something there is a plain sign here.

/** Words and quoted texts that must all occur, the last word also as a beginning. Null: there is nothing to look for. */
export function ftsQuery(text: string): string | null {
  const parts: string[] = [];
  let isLastWord = false;
  for (const [, quoted, word] of text.matchAll(/"([^"]*)"|([^\s"]+)/g)) {
    const sought = quoted ?? word ?? '';
    // The index knows letters and digits only: a text without any would match nothing at all.
    if (!/[\p{L}\p{N}\p{Co}]/u.test(sought)) continue;
    parts.push(`"${sought}"`);
    isLastWord = quoted === undefined;
  }
  if (parts.length === 0) return null;
  // Whoever types on means the beginning of a word, unless its end is marked by a sign or a blank.
  const isBeginning = isLastWord && /[\p{L}\p{N}\p{Co}]$/u.test(text);
  return `${parts.join(' AND ')}${isBeginning ? '*' : ''}`;
}

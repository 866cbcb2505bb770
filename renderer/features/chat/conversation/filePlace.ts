// Names of files with a line, as models write them: `src/app.ts:12`.

export interface FilePlace {
  readonly path: string;
  readonly line: number | null;
}

/** A path with an ending, then a line and perhaps a column or a range. Spaces and signs of a shell are no part of it. */
const written = String.raw`(?:~\/|\.{0,2}\/)?(?:[\w@.+-]+\/)*[\w@.+-]*\.[A-Za-z][\w+-]{0,9}`;
const whole = new RegExp(String.raw`^(${written})(?::(\d{1,7})(?:[:-]\d{1,7})?|#L(\d{1,7})(?:-L?\d{1,7})?)$`);
const within = new RegExp(String.raw`(?<![\w/.:@-])(${written}):(\d{1,7})(?:[:-]\d{1,7})?(?![\w/:.-]*\w)`, 'g');

/** A text that is such a name as a whole; with `bare`, a path without a line counts, too. */
export function filePlace(text: string, { bare = false }: { readonly bare?: boolean } = {}): FilePlace | null {
  const found = whole.exec(text);
  if (found?.[1] !== undefined) return { path: found[1], line: lineOf(found[2] ?? found[3]) };
  if (!bare || !text.includes('/') || !new RegExp(`^${written}$`).test(text)) return null;
  return { path: text, line: null };
}

function lineOf(digits: string | undefined): number | null {
  const line = Number(digits);
  return Number.isSafeInteger(line) && line > 0 ? line : null;
}

/** A text in pieces, names of files apart. */
export function placesIn(text: string): readonly (string | { readonly text: string; readonly place: FilePlace })[] {
  const pieces: (string | { text: string; place: FilePlace })[] = [];
  let from = 0;
  for (const found of text.matchAll(within)) {
    const [shown, path, digits] = found;
    const line = lineOf(digits);
    if (path === undefined || line === null) continue;
    if (found.index > from) pieces.push(text.slice(from, found.index));
    pieces.push({ text: shown, place: { path, line } });
    from = found.index + shown.length;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}

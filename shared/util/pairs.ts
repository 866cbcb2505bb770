// Cuts in text that leave surrogate pairs whole. Indices are UTF-16 code units.

/** The greatest index up to `index` that does not split a surrogate pair. */
export function beforePair(text: string, index: number): number {
  if (index >= text.length) return text.length;
  const before = text.charCodeAt(index - 1);
  return before >= 0xd800 && before <= 0xdbff ? index - 1 : index;
}

/** The least index from `index` on that does not split a surrogate pair. */
export function afterPair(text: string, index: number): number {
  const here = text.charCodeAt(index);
  return here >= 0xdc00 && here <= 0xdfff ? index + 1 : index;
}

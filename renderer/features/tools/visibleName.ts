import { visiblePieces } from '../../ui/visibleCharacters';

/** Longest text that a label, a hint or an option takes from a server. */
const longest = 600;

/** Words of a server as plain text where no elements can stand: what cannot be seen is named, what is too long is cut. */
export function visibleName(text: string): string {
  const shown = visiblePieces(text.slice(0, longest))
    .map((piece) => (piece.kind === 'text' ? piece.text : `[${piece.code}]`))
    .join('');
  return text.length > longest ? `${shown}…` : shown;
}

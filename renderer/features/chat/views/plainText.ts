// A text without what nobody sees: escape sequences, control and direction characters.
import { visiblePieces } from '../../../ui/visibleCharacters';

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
const escapes = /\u001b(?:\[[0-9;:?<=>!]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-_])/g;
const spaces = /^[\p{Zs}]$/u;

/** What is left for pasting elsewhere. Odd spaces become plain ones. */
export function plainText(text: string): string {
  return visiblePieces(text.replace(escapes, ''))
    .map((piece, index, all) => {
      if (piece.kind === 'text') return piece.text;
      const sign = String.fromCodePoint(Number.parseInt(piece.code.slice(2), 16));
      return spaces.test(sign) || (sign === '\u2028' && index < all.length - 1) ? ' ' : '';
    })
    .join('');
}

// Takes credentials out of a text before it leaves this computer. What is taken out is kept so narrow that it cannot be
// a command: where a credential cannot be cut out with certainty, the text as a whole is withheld.
import { cloudKey, holdsCredential, keyPrefix, secretWords, signedTokenHead } from './credentials';

/** What stands in place of a credential. */
export const withheld = '***';

const name = String.raw`(?<![\w-])[\w-]*(?:${secretWords})[\w-]*`;
/** Only characters that mean nothing to a shell, no path, never a plain word, and to the end of the shell's word. */
const value = String.raw`(?=[A-Za-z._~+=@%,-]*\d)[A-Za-z0-9._~+=@%,-]{8,}(?=[\s;&|)]|["']+(?:[\s;&|)}\],:]|$)|$)`;
const scheme = String.raw`(?:(?:bearer|basic|token)[ \t]+)?`;

const cuts: readonly RegExp[] = [
  new RegExp(`(${name}=["']?)${value}`, 'gi'),
  new RegExp(String.raw`(${name}["']?[ \t]*:[ \t]*["']?${scheme})${value}`, 'gi'),
  /(:\/\/)[A-Za-z0-9._~+=%,-]+:[A-Za-z0-9._~+=%,-]+(?=@)/g,
  new RegExp(String.raw`()\b${signedTokenHead}(?:\.[A-Za-z0-9_-]+){1,2}`, 'g'),
  new RegExp(String.raw`()\b${keyPrefix}(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{8,}`, 'g'),
  new RegExp(String.raw`()\b${cloudKey}`, 'g'),
  /()\b[0-9a-f]{32,}\b/gi,
];

/** A place where something was cut out, with the name before it. */
const cutPlace = /(?<![\w-])[\w-]*["']?[ \t]*[=:]?[ \t]*["']?(?:(?:bearer|basic|token)[ \t]+)?\*\*\*/gi;
/** Paths made of short names are long without being random; each name is looked at by itself. */
const plainPath =
  /(?<![\w/.-])(?:(?:~|\.{1,2})?(?:\/[\w-]{1,24})+|[a-z][a-z_-]{0,23}(?:\/[a-z][a-z_-]{0,23})+)(?![\w+/=-])/g;

/** The text with its credentials replaced, or null where something that looks like one would remain. */
export function withoutCredentials(text: string): string | null {
  const shown = cuts.reduce((left, cut) => left.replace(cut, `$1${withheld}`), text);
  const rest = shown.replace(cutPlace, ' ').replace(plainPath, (path) => path.replaceAll('/', ' . '));
  return holdsCredential(rest) ? null : shown;
}

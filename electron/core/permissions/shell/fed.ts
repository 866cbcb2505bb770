// What a command reads from its input, where the line itself says it.
import type { Redirection } from 'unbash';
import type { ShellWord } from './words';

/** Filters that hand on what they read, or some of it. */
const passesOn: ReadonlySet<string> = new Set('cat tee head tail sort uniq grep tac cut tr sed fold'.split(' '));

/** What a command prints into the next one, where that is plain to see. */
export function printedBy(part: {
  readonly words: readonly ShellWord[];
  readonly input: string | null;
}): string | null {
  const [name, ...rest] = part.words;
  if (passesOn.has(name?.value ?? '')) return part.input;
  if (name?.value !== 'echo' && name?.value !== 'printf') return null;
  const words = rest.filter((word) => !/^-[neE]+$/.test(word.value)).map((word) => word.values[0] ?? word.value);
  const plain = words.join(' ');
  const decoded = decodeEscapes(plain);
  // Some shells resolve escapes here and some do not: both are looked at.
  return decoded === plain ? plain : `${plain}\n${decoded}`;
}

function decodeEscapes(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3})|([ntr\\]))/g,
    (_, hex?: string, octal?: string, letter?: string) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      return letter === 'n' || letter === 'r' ? '\n' : letter === 't' ? '\t' : '\\';
    },
  );
}

/** Text that the redirects of a command feed to it. */
export function inputOf(redirects: readonly Redirection[]): string | null {
  const texts = redirects.flatMap((node) => {
    if (node.type === 'HereDoc') return [node.body.text];
    return node.type === 'HereString' && node.target !== undefined ? [node.target.value] : [];
  });
  return texts.length === 0 ? null : texts.join('\n');
}

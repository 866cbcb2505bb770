// Tells from a name and the value beside it whether the value is a secret. A guess that errs towards yes for passwords and
// asks for disorder where the name may also be that of a thing: a token of a language, a secret's place.
import { secretWords } from '../permissions/credentials';

/** How a value stands beside its name. */
export interface Beside {
  readonly quoted: boolean;
  /** `NAME=value` without spaces, or a field of data: there is no expression and no prose. */
  readonly tight: boolean;
}

const mayBeSecret = new RegExp(`${secretWords}|private[_-]?key|signing[_-]?key|encryption[_-]?key|pwd`, 'i');
const strongWords: ReadonlySet<string> = new Set(['password', 'passwd', 'passphrase', 'passcode', 'pwd']);
const weakWords: ReadonlySet<string> = new Set([
  'pass',
  'secret',
  'secrets',
  'token',
  'credential',
  'credentials',
  'authorization',
  'apikey',
  'accesskey',
  'privatekey',
]);
/** With a word before it, `key` is a secret: `api_key`, `accessKey`. */
const keyKinds: ReadonlySet<string> = new Set([
  'api',
  'access',
  'private',
  'signing',
  'encryption',
  'secret',
  'account',
]);
/** Last words of names that speak of a secret without holding it. */
const aboutWords: ReadonlySet<string> = new Set(
  'name names id ids type kind path file url uri count length limit field header param at ttl expires expiry ms seconds budget usage index policy'.split(
    ' ',
  ),
);
const notAValue =
  /^(?:[$%<[{*]|x{3,}$|\.{3})|^(?:string|str|number|bool|boolean|null|nil|undefined|none|true|false|any|unknown|required|optional|redacted)[?;]?$/i;
const expression = /[()[\]{}]|^[A-Za-z_]\w*(?:\.\w+)+$|^(?:process|os|env|config|self|this|req|args|input)\b/;

function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}

/** What the value beside the name is: `password`, `secret`; null: nothing that must be kept. `name` has at most 100 signs. */
export function secretBeside(name: string, value: string, beside: Beside): 'password' | 'secret' | null {
  if (!mayBeSecret.test(name)) return null;
  const words = wordsOf(name);
  if (aboutWords.has(words.at(-1) ?? '') || notAValue.test(value)) return null;
  if (words.some((word) => strongWords.has(word) || word.endsWith('password')))
    return name !== 'PWD' && name !== 'pwd' && name !== 'OLDPWD' && isPassword(value, beside) ? 'password' : null;
  const weak = words.some((word, at) => weakWords.has(word) || (word === 'key' && keyKinds.has(words[at - 1] ?? '')));
  return weak && isDisordered(value, beside) ? 'secret' : null;
}

function isPassword(value: string, { quoted, tight }: Beside): boolean {
  if (value.length < 3 || value.length > 500) return false;
  if (quoted) return !/\s{2}|\n/.test(value) && (tight || !/\s\S+\s/.test(value));
  if (expression.test(value)) return false;
  return tight || !/^[A-Za-z][A-Za-z-]*[.:?!]?$/.test(value);
}

/** Whether a value looks as if it had been made by chance. */
export function isDisordered(value: string, { quoted, tight }: Beside): boolean {
  if (value.length < 8 || /[^\w+/=.~%:!@#$^&*-]/.test(value) || /^(?:[./~]|\w+:\/\/)/.test(value)) return false;
  if (!/[A-Za-z]/.test(value) || (!quoted && expression.test(value))) return false;
  const digits = value.match(/\d+/g)?.length ?? 0;
  if (digits > 0) return value.length >= 16 || digits > 1;
  return (
    (quoted || tight) && value.length >= 20 && /^[A-Za-z]+$/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value)
  );
}

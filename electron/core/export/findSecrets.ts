// Where a text holds keys, tokens and passwords. Each search looks at a bounded stretch from each place, so that the time
// grows with the length of the text, whatever is in it.
import { cloudKey, keyPrefix, loginOption, privateKeyHead, signedTokenHead } from '../permissions/credentials';
import { type Finding, wordStart } from './finding';
import { isDisordered, secretBeside } from './secretNames';

const longestKey = 20_000;
const longestValue = 500;
const longestQuoted = 4_000;

/** All secrets of a text, in no order; they may overlap. Most texts lack the sign that a search begins with. */
export function findSecrets(text: string): Finding[] {
  const found: Finding[] = [];
  if (text.includes('PRIVATE KEY')) found.push(...privateKeys(text));
  found.push(...knownForms(text));
  if (text.includes('://')) found.push(...inAddresses(text));
  if (/\s-(?:u|p|-user)/.test(text)) found.push(...givenToPrograms(text));
  if (/[:=]|--/.test(text)) found.push(...besideNames(text));
  return found;
}

const keyHead = new RegExp(`${privateKeyHead}(?: BLOCK)?-{0,5}`, 'g');

function* privateKeys(text: string): Generator<Finding> {
  let at = 0;
  for (;;) {
    keyHead.lastIndex = at;
    const found = keyHead.exec(text);
    if (found === null) return;
    const from = found.index + found[0].length;
    const near = text.slice(from, from + longestKey);
    const tail = /-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-{0,5}/.exec(near);
    // Cut off before its end: everything that could still be of the key.
    const length =
      tail === null ? (/^[A-Za-z0-9+/=\\\s:,-]*/.exec(near)?.[0].length ?? 0) : tail.index + tail[0].length;
    at = from + length;
    yield { start: found.index, end: at, kind: 'private key', shown: '[private key]' };
  }
}

const tight = { quoted: true, tight: true };
const serviceKey = new RegExp(`${wordStart}${keyPrefix}([A-Za-z0-9_-]{10,})`, 'g');
const cloudKeyId = new RegExp(`${wordStart}${cloudKey}`, 'g');
const signedToken = new RegExp(`${wordStart}${signedTokenHead}(?:\\.[A-Za-z0-9_-]+){1,4}`, 'g');
const schemeToken = new RegExp(String.raw`${wordStart}(?:bearer|basic)[ \t]{1,4}([\w.~+/=-]{8,4000})`, 'gi');
const cookies = new RegExp(
  String.raw`${wordStart}(?:set-)?cookie["']?:[ \t]{0,4}["']?([\w.-]{1,80}=[^\n"'\\]{1,4000})`,
  'gi',
);

function* knownForms(text: string): Generator<Finding> {
  for (const found of text.matchAll(serviceKey)) {
    if ((found[1]?.match(/\d/g)?.length ?? 0) > 1) yield whole(found, 'api key');
  }
  for (const found of text.matchAll(cloudKeyId)) yield whole(found, 'api key');
  if (text.includes('eyJ')) for (const found of text.matchAll(signedToken)) yield whole(found, 'token');
  for (const found of text.matchAll(schemeToken)) {
    if (isDisordered(found[1] ?? '', tight)) yield last(found, 1, 'token');
  }
  for (const found of text.matchAll(cookies)) yield last(found, 1, 'cookie');
}

function* inAddresses(text: string): Generator<Finding> {
  for (const found of text.matchAll(/:\/\/[^\s/:@"'<>]{0,100}:([^\s/"'<>]{1,200})@/g)) {
    const password = found[1] ?? '';
    if (/^[$%<[{*]/.test(password)) continue;
    const end = found.index + found[0].length - 1;
    yield { start: end - password.length, end, kind: 'password', shown: '[password]' };
  }
}

const login = new RegExp(String.raw`${loginOption}([^\s"'$\\[][^\s"'\\]{0,200})`, 'gi');
const programPassword =
  /\b(?:(?:mysql|mariadb)[\w-]{0,20}\s(?:[^\n]{0,300}?\s)?-p|sshpass\s{1,4}-p\s?)["']?([^\s"'$\\[-][^\s"'\\]{0,200})/g;

function* givenToPrograms(text: string): Generator<Finding> {
  for (const found of text.matchAll(login)) yield last(found, 1, 'password');
  for (const found of text.matchAll(programPassword)) yield last(found, 1, 'password');
}

const named =
  /(?<![\w.-])(-{0,2}(?:\\[nrt])?[A-Za-z_][\w.-]{0,80})(?:(?:\\{0,4}["'])?[ \t]{0,8}(?:=>|:=|[:=])[ \t]{0,8}|[ \t]{1,4})/g;
const quote = /\\{0,4}["'`]/y;
const scheme = /(?:bearer|basic|token)[ \t]{1,4}/iy;
const bare = new RegExp(String.raw`[^\s"'\`,;&|)}\]<>\\]{1,${longestValue}}`, 'y');

function* besideNames(text: string): Generator<Finding> {
  for (const found of text.matchAll(named)) {
    const name = (found[1] ?? '').replace(/^\\[nrt]/, '');
    const between = found[0].slice((found[1] ?? '').length);
    const isAssigned = /[:=]/.test(between);
    // `--token value`; a mere word before another one is prose.
    if (!isAssigned && !name.startsWith('--')) continue;
    const value = valueAt(text, found.index + found[0].length);
    if (value === null) continue;
    const kind = secretBeside(name, value.text, {
      quoted: value.quoted,
      tight: !isAssigned || between === '=' || name.startsWith('-'),
    });
    if (kind !== null) yield { start: value.start, end: value.start + value.text.length, kind, shown: `[${kind}]` };
  }
}

function valueAt(text: string, from: number): { start: number; text: string; quoted: boolean } | null {
  const opening = matchAt(quote, text, from);
  const behindQuote = from + opening.length;
  const start = behindQuote + matchAt(scheme, text, behindQuote).length;
  if (opening === '') {
    const value = matchAt(bare, text, start);
    return value === '' ? null : { start, text: value, quoted: false };
  }
  const near = text.slice(start, start + longestQuoted);
  const end = near.indexOf(opening);
  // Cut off before its end: what is there of the line.
  const value = end === -1 ? (near.split('\n', 1)[0] ?? '') : near.slice(0, end);
  return value === '' ? null : { start, text: value, quoted: true };
}

function matchAt(sticky: RegExp, text: string, at: number): string {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0] ?? '';
}

function whole(found: RegExpExecArray, kind: string): Finding {
  return { start: found.index, end: found.index + found[0].length, kind, shown: `[${kind}]` };
}

/** Only the group at the end of what was found. */
function last(found: RegExpExecArray, group: number, kind: string): Finding {
  const end = found.index + found[0].length;
  return { start: end - (found[group]?.length ?? 0), end, kind, shown: `[${kind}]` };
}

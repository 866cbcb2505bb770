// Takes out of a text what must not leave this computer: secrets, addresses of persons, the home folder, the user's name.
// Best effort: what it does not recognise stays, so whoever exports is shown what was taken and told to look.
import type { Redaction } from '#shared/api/trace';
import type { JsonValue } from '#shared/util/json';
import type { Finding } from './finding';
import { type Places, personFinder } from './findPersons';
import { findSecrets } from './findSecrets';
import { secretBeside } from './secretNames';

export type { Places } from './findPersons';

/** To be said wherever something redacted is offered. */
export const bestEffort = 'Secrets are taken out as far as they are recognised. Look through it before you pass it on.';

/** Characters of the result on each side of the place that a sample shows. */
const around = 32;

export interface Redactor {
  /** The text without what must not leave. */
  text(text: string): string;
  /** JSON with all its strings and keys redacted; a string under a secret's name goes whole. The value itself stays as it is. */
  value(value: JsonValue): JsonValue;
  /** What has been taken out so far, most of a kind first. */
  redactions(): Redaction[];
}

/** `text` redacted, and what was taken out of it. Pure; the time grows with the length of the text. */
export function redact(text: string, places: Places): { text: string; redactions: Redaction[] } {
  const redactor = createRedactor(places);
  const shown = redactor.text(text);
  return { text: shown, redactions: redactor.redactions() };
}

/** `text` without what is recognised as a secret; persons and places stay. For logs. */
export function withoutSecrets(text: string): string {
  let shown = '';
  let done = 0;
  for (const { start, end, kind } of disjoint(findSecrets(text))) {
    shown += `${text.slice(done, start)}[${kind}]`;
    done = end;
  }
  return shown + text.slice(done);
}

/** For many texts of one export: they are counted together. */
export function createRedactor(places: Places): Redactor {
  const findPersons = personFinder(places);
  const taken = new Map<string, { count: number; sample: string }>();
  const note = (kind: string, sample: string): void => {
    const known = taken.get(kind);
    if (known === undefined) taken.set(kind, { count: 1, sample });
    else known.count += 1;
  };

  function redactText(text: string): string {
    const found = disjoint([...findSecrets(text), ...findPersons(text)]);
    if (found.length === 0) return text;
    const pieces: string[] = [];
    const places: { readonly kind: string; readonly start: number; readonly end: number }[] = [];
    let done = 0;
    let length = 0;
    const push = (piece: string): void => {
      pieces.push(piece);
      length += piece.length;
    };
    for (const { start, end, kind, shown } of found) {
      push(text.slice(done, start));
      const from = length;
      push(shown);
      places.push({ kind, start: from, end: length });
      done = end;
    }
    push(text.slice(done));
    const shown = pieces.join('');
    for (const { kind, start, end } of places) note(kind, taken.has(kind) ? '' : sampleOf(shown, start, end));
    return shown;
  }

  function redactUnder(name: string, value: JsonValue): JsonValue {
    const kind =
      typeof value === 'string' ? secretBeside(name.slice(0, 100), value, { quoted: true, tight: true }) : null;
    if (kind === null) return redactValue(value);
    note(kind, `${name}: [${kind}]`);
    return `[${kind}]`;
  }

  function redactValue(value: JsonValue): JsonValue {
    if (typeof value === 'string') return redactText(value);
    if (Array.isArray(value)) return value.map(redactValue);
    if (value === null || typeof value !== 'object') return value;
    // `{"name": "API_TOKEN", "value": "…"}`, as headers and variables are often written.
    const { name = value.key } = value;
    return Object.fromEntries(
      Object.entries(value).map(([key, under]) => [
        redactText(key),
        redactUnder(key === 'value' && typeof name === 'string' ? name : key, under),
      ]),
    );
  }

  return {
    text: redactText,
    value: redactValue,
    redactions: () =>
      [...taken].map(([kind, { count, sample }]) => ({ kind, count, sample })).sort((a, b) => b.count - a.count),
  };
}

function sampleOf(text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - around), start);
  const after = text.slice(end, end + around);
  const line = `${before.slice(before.lastIndexOf('\n') + 1)}${text.slice(start, end)}${after.split('\n', 1)[0]}`;
  return line.trim();
}

/** Where two findings share characters, what they cover together goes, under the name of the later of these. */
const kindsByWeight = [
  'user name',
  'home folder',
  'working folder',
  'e-mail address',
  'cookie',
  'secret',
  'password',
  'token',
  'api key',
  'private key',
];
const weightOf = (kind: string): number => kindsByWeight.indexOf(kind);
const isSecret = (kind: string): boolean => weightOf(kind) > weightOf('e-mail address');

function disjoint(findings: readonly Finding[]): Finding[] {
  const sorted = [...findings].sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Finding[] = [];
  for (const finding of sorted) {
    const before = kept.at(-1);
    if (before === undefined || finding.start >= before.end) {
      kept.push(finding);
      continue;
    }
    // A key before `@host` looks like an address; the host alone tells of nobody.
    if (finding.kind === 'e-mail address' && isSecret(before.kind)) continue;
    if (before.kind === 'e-mail address' && before.start === finding.start && isSecret(finding.kind)) {
      kept[kept.length - 1] = finding;
      continue;
    }
    const first = weightOf(finding.kind) > weightOf(before.kind) ? finding : before;
    kept[kept.length - 1] = { ...first, start: before.start, end: Math.max(before.end, finding.end) };
  }
  return kept;
}

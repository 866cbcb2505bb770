// Values and texts as a hostile or broken other side may send them. None of them names a program or a place on the disk.
import fc from 'fast-check';

/** Names that objects have by themselves. */
const inherited = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
];

const pieces = [
  ...['', ' ', '\0', '\n', '\r\n', '\t', '\u001b[31m', '\u001b]8;;x\u0007', '\u202e', '\u2066', '\u200b', '\ufeff'],
  ...[
    '\ud800',
    '\udc00x',
    '\u{1f600}',
    'é',
    'e\u0301',
    'ſ',
    'K',
    'İ',
    'ﬁ',
    '“',
    '$',
    '`',
    '"',
    "'",
    '\\',
    '{',
    '}',
    '[',
  ],
  ...[']', '(', ')', '<', '>', '&', '|', ';', ',', ':', '=', '*', '?', '!', '#', '%', '@', '^', '+', '-', '_', '.'],
  ...['null', 'true', '0', '-1', '1e999', 'NaN', 'a', 'aaaaaaaaaaaaaaaaaaaaaaaa', '$HOME', '%s', '<b>x</b>'],
  ...['&lt;', '](x)', '```', '---', '{{', '}}', '/*', '*/', '//', '\\u0000', '\\x', ...inherited],
];

/** Short text with something in it that somebody might stumble over. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join('')) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...pieces), fc.constantFrom(10, 300, 5_000))
      .map(([piece, times]) => piece.repeat(times)),
  },
);

export const hostileNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, -0, -1, 1, 0.5, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 53), 1e308, 5e-324, Number.MAX_SAFE_INTEGER),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const { json } = fc.letrec<{ json: unknown; list: unknown; fields: unknown }>((tie) => ({
  list: fc.array(tie('json'), { maxLength: 5 }),
  fields: fc.dictionary(fc.oneof(hostileText, fc.constantFrom(...inherited)), tie('json'), { maxKeys: 5 }),
  json: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'hostile' },
    fc.oneof(hostileText, hostileNumber, fc.boolean(), fc.constant(null)),
    tie('list'),
    tie('fields'),
  ),
}));

/** Any value of JSON, odd ones more often than they come by themselves. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 20, arbitrary: json },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom('[', '{"a":'), fc.constantFrom(50, 500)).map(([open, depth]): unknown => {
      const close = open === '[' ? ']' : '}';
      return JSON.parse(`${open.repeat(depth)}1${close.repeat(depth)}`);
    }),
  },
);

/** A text of JSON that is nested deeper than recursion goes. */
export const deepText: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('[', '{"a":', '{"items":[', '{"type":"array","items":'),
    fc.constantFrom(2_000, 20_000, 100_000),
  )
  .map(([open, depth]) => {
    const close = [...open.replaceAll(/"[^"]*"/g, '')]
      .reverse()
      .map((one) => (one === '[' ? ']' : one === '{' ? '}' : ''));
    return `${open.repeat(depth)}1${close.join('').repeat(depth)}`;
  });

type Path = readonly (string | number)[];

function pathsIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null || at.length > 8) return [at];
  const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [at, ...entries.slice(0, 50).flatMap(([key, one]) => pathsIn(one, [...at, key]))];
}

function replacedAt(value: unknown, path: Path, change: (old: unknown) => unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  if (Array.isArray(value)) return value.map((one, index) => (index === key ? replacedAt(one, rest, change) : one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, name === key ? replacedAt(one, rest, change) : one]),
  );
}

function withoutAt(value: unknown, path: Path): unknown {
  const last = path.at(-1);
  if (last === undefined) return value;
  return replacedAt(value, path.slice(0, -1), (holder) => {
    if (Array.isArray(holder)) return holder.filter((_one, index) => index !== last);
    if (typeof holder !== 'object' || holder === null) return holder;
    return Object.fromEntries(Object.entries(holder).filter(([name]) => name !== last));
  });
}

/** The value with up to three parts of it replaced, left out, doubled or added to. */
export function damagedJson(value: unknown): fc.Arbitrary<unknown> {
  const change = fc.record({
    where: fc.nat(10_000),
    how: fc.constantFrom('replace', 'drop', 'add', 'wrap'),
    what: hostileJson,
    name: hostileText,
  });
  return fc.array(change, { maxLength: 3 }).map((changes) =>
    changes.reduce((now, { where, how, what, name }) => {
      const paths = pathsIn(now);
      const path = paths[where % paths.length] ?? [];
      if (how === 'drop') return withoutAt(now, path);
      return replacedAt(now, path, (old) => {
        if (how === 'replace') return what;
        if (how === 'wrap') return [old];
        if (Array.isArray(old)) return [...old, what];
        return typeof old === 'object' && old !== null ? { ...old, [name]: what } : what;
      });
    }, value),
  );
}

/** The text with up to four pieces cut, doubled, moved or put in. */
export function damagedText(text: string): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.nat(100_000),
    length: fc.nat(30),
    how: fc.constantFrom('cut', 'double', 'put', 'end'),
    what: hostileText,
  });
  return fc.array(change, { maxLength: 4 }).map((changes) =>
    changes.reduce((now, { at, length, how, what }) => {
      const from = now.length === 0 ? 0 : at % now.length;
      const piece = now.slice(from, from + length);
      if (how === 'cut') return now.slice(0, from) + now.slice(from + length);
      if (how === 'double') return now.slice(0, from) + piece + now.slice(from);
      if (how === 'end') return now.slice(0, from);
      return now.slice(0, from) + what + now.slice(from);
    }, text),
  );
}

/** The bytes in pieces of any size. */
export function inPieces(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const starts = [0, ...places];
  return starts.map((from, index) => bytes.subarray(from, starts[index + 1] ?? bytes.length));
}

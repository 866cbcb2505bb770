import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

type Tokens = Readonly<Record<string, string>>;

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

function tokensOf(selector: string): Tokens {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf('}', start));
  return Object.fromEntries([...block.matchAll(/--([a-z-]+):\s*([^;]+);/g)].map((match) => [match[1], match[2]]));
}

const themes: Readonly<Record<string, Tokens>> = {
  dark: tokensOf(':root'),
  light: tokensOf(':root[data-theme="light"]'),
};

/** WCAG 2 relative luminance of `#rrggbb`. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

const grounds = ['background', 'rail', 'panel', 'raised', 'code', 'hover', 'selected', 'message'];
const texts = ['text', 'muted', 'dim', 'accent', 'allow', 'ask', 'deny', 'undetermined', 'hook'];
const tints = ['allow', 'ask', 'deny', 'undetermined', 'hook', 'accent'];

/** Text on what lies behind it somewhere in the page. */
const textPairs: readonly [string, string][] = [
  ...grounds.flatMap((ground) => texts.map((text): [string, string] => [text, ground])),
  ...tints.flatMap((tint): [string, string][] => [
    [tint, `${tint}-tint`],
    ['text', `${tint}-tint`],
    ['muted', `${tint}-tint`],
  ]),
  ['on-accent', 'accent-fill'],
  ['on-badge', 'badge'],
  ['added', 'added-tint'],
  ['removed', 'removed-tint'],
  ['text', 'added-tint'],
  ['text', 'removed-tint'],
  ['muted', 'added-tint'],
  ['muted', 'removed-tint'],
];

/** Borders of controls, focus rings, marks: what must be seen but not read. */
const shapePairs: readonly [string, string][] = grounds.flatMap((ground) =>
  ['accent', 'control', 'allow', 'ask', 'deny', 'undetermined', 'hook', 'badge'].map((shape): [string, string] => [
    shape,
    ground,
  ]),
);

describe.each(Object.entries(themes))('%s theme', (_name, tokens) => {
  it.each(textPairs)('%s on %s can be read', (text, ground) => {
    expect(contrast(tokens[text] ?? '', tokens[ground] ?? '')).toBeGreaterThanOrEqual(4.5);
  });

  it.each(shapePairs)('%s on %s can be seen', (shape, ground) => {
    expect(contrast(tokens[shape] ?? '', tokens[ground] ?? '')).toBeGreaterThanOrEqual(3);
  });
});

it('both themes name the same tokens', () => {
  expect(Object.keys(themes.light ?? {})).toEqual(Object.keys(themes.dark ?? {}));
});

it('knows black and white', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
});

// What a person may look at, and what never leaves its place.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentOf, readShownFile } from './shownFile';

let root = '';
let app = '';
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'shown-')));
  app = join(root, 'app');
  mkdirSync(join(app, 'src/.ssh'), { recursive: true });
  mkdirSync(join(app, 'data'));
  for (const [path, text] of [
    ['app/src/a.ts', 'one\ntwo\n'],
    ['app/.env', 'KEY=1'],
    ['app/.env.example', 'KEY='],
    ['app/src/.ssh/config', 'Host'],
    ['app/data/x.sqlite', 'x'],
    ['outside.txt', 'out'],
  ] as const)
    writeFileSync(join(root, path), text);
  symlinkSync(join(root, 'outside.txt'), join(app, 'link.txt'));
  symlinkSync(join(app, 'src/a.ts'), join(app, 'good.ts'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const read = (path: string) =>
  readShownFile({ path }, { folders: [app], from: [join(app, 'src'), app], hidden: [join(app, 'data')] });

it.each([
  ['relative to the current folder', 'a.ts'],
  ['relative to the first folder', 'src/a.ts'],
  ['through a link that stays inside', 'good.ts'],
])('shows a file %s', async (_name, path) => {
  expect(await read(path)).toMatchObject({ path: join(app, 'src/a.ts'), bytes: 8, content: { lines: ['one', 'two'] } });
});

it('shows what only looks private', async () => {
  expect(await read('.env.example')).toMatchObject({ content: { kind: 'text', endsWithBreak: false } });
});

it.each([
  ['a link that leads out', 'link.txt', 'refused'],
  ['a way out', '../../outside.txt', 'refused'],
  ['keys', '.env', 'refused'],
  ['a folder of keys', '.ssh/config', 'refused'],
  ['what is hidden', 'data/x.sqlite', 'refused'],
  ['a folder', '.', 'refused'],
  ['nothing', 'b.ts', 'notFound'],
])('refuses %s', async (_name, path, code) => {
  await expect(read(path)).rejects.toMatchObject({ code });
});

describe('content', () => {
  const text = (value: string, line = 1) => contentOf(new TextEncoder().encode(value), line);
  it.each([
    ['', { lines: [], total: 0, eol: 'none', endsWithBreak: false }],
    ['a\r\nb\r\n', { lines: ['a', 'b'], total: 2, eol: 'crlf', endsWithBreak: true }],
    ['a\r\nb\nc', { lines: ['a', 'b', 'c'], total: 3, eol: 'mixed', endsWithBreak: false }],
    ['a', { lines: ['a'], total: 1, eol: 'none', endsWithBreak: false }],
  ])('%j', (value, expected) => {
    expect(text(value)).toEqual({ kind: 'text', firstLine: 1, cutLines: false, ...expected });
  });

  it('gives the lines around the wanted one', () => {
    const long = Array.from({ length: 9_000 }, (_, index) => `line ${index + 1}`).join('\n');
    const shown = text(long, 8_000);
    expect(shown.kind === 'text' && [shown.firstLine, shown.lines.length, shown.lines.includes('line 8000')]).toEqual([
      4_001,
      5_000,
      true,
    ]);
  });

  it('tells bytes from text', () => {
    expect([contentOf(new Uint8Array([1, 0, 2]), 1), contentOf(new Uint8Array([0xff, 0xfe]), 1)]).toEqual([
      { kind: 'binary' },
      { kind: 'binary' },
    ]);
  });
});

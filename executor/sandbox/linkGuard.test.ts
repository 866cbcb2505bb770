import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { guardLinks } from './linkGuard';

let folder: string;
let link: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-links-'));
  link = join(folder, 'link');
  symlinkSync('there', link);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const putFile = (text: string) => {
  unlinkSync(link);
  writeFileSync(link, text);
};

test('a link comes back while the command runs', async () => {
  const end = guardLinks([link]);
  putFile('new');
  await vi.waitFor(() => expect(readlinkSync(link)).toBe('there'));
  end();
});

test.each([
  { name: 'removed', change: () => unlinkSync(link), kept: null },
  { name: 'led elsewhere', change: () => [unlinkSync(link), symlinkSync('elsewhere', link)], kept: null },
  { name: 'a file in its place is kept', change: () => putFile('new'), kept: 'new' },
])('and at the end: $name', ({ change, kept }) => {
  const end = guardLinks([link]);
  change();
  end();
  expect(readlinkSync(link)).toBe('there');
  if (kept !== null) expect(readFileSync(join(folder, 'link.replaced-1'), 'utf8')).toBe(kept);
});

test('what was put aside before stays', () => {
  mkdirSync(join(folder, 'link.replaced-1'));
  const end = guardLinks([link]);
  putFile('new');
  end();
  expect(readFileSync(join(folder, 'link.replaced-2'), 'utf8')).toBe('new');
});

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resolveReal } from './realPath';

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-real-')));
  mkdirSync(join(folder, 'real'));
  writeFileSync(join(folder, 'real/file'), '');
  symlinkSync('real', join(folder, 'link'));
  symlinkSync('real/nowhere', join(folder, 'dangling'));
  symlinkSync('round', join(folder, 'round'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  { given: 'real/file', real: 'real/file' },
  { given: 'link/file', real: 'real/file' },
  { given: 'link/new/deeper', real: 'real/new/deeper' },
  { given: 'dangling', real: 'real/nowhere' },
  { given: 'link/../x', real: 'x' },
  { given: 'real/file/below', real: 'real/file/below' },
])('$given', async ({ given, real }) => {
  expect(await resolveReal(`${folder}/${given}`)).toBe(join(folder, real));
});

test('a loop is an error', async () => {
  await expect(resolveReal(join(folder, 'round'))).rejects.toMatchObject({ code: 'ELOOP' });
});

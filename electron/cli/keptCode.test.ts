import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadKept } from './keptCode';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-kept-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const file = (name: string): string => join(folder, name);
const code = (name: string): string => file(`${name}.${process.version}-${process.arch}.code`);

const parts = {
  'main.cjs': `const path = require('node:path'); const other = require('./other.cjs');
exports.name = path.basename(__filename); exports.other = other; exports.same = require('./other.cjs') === other;
exports.later = () => Promise.resolve().then(() => require('./later.cjs'));`,
  'other.cjs': `exports.main = Object.keys(require('./main.cjs')); exports.place = __dirname;`,
  'later.cjs': `exports.late = true;`,
};

/** As the build keeps it. */
function compiled(source: string): Buffer {
  return new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`).createCachedData();
}

it.each<[what: string, keep: (name: string, source: string) => Promise<void>]>([
  ['without compiled code', async () => undefined],
  ['with compiled code', async (name, source) => await writeFile(code(name), compiled(source))],
  ['with code that is damaged', async (name) => await writeFile(code(name), 'no code')],
  ['with empty code', async (name) => await writeFile(code(name), '')],
  ['with code of another text', async (name) => await writeFile(code(name), compiled('exports.name = "another";'))],
  [
    'with code of some parts',
    async (name, source) => (name === 'main.cjs' ? await writeFile(code(name), compiled(source)) : undefined),
  ],
])('loads the same %s', async (_what, keep) => {
  for (const [name, source] of Object.entries(parts)) {
    await writeFile(file(name), source);
    await keep(name, source);
  }
  const main = loadKept(file('main.cjs')) as { readonly later: () => Promise<unknown> };
  expect(main).toEqual({
    name: 'main.cjs',
    other: { main: [], place: folder },
    same: true,
    later: expect.any(Function),
  });
  expect(await main.later()).toEqual({ late: true });
});

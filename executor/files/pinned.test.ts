import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CancelSource } from '#shared/rpc/cancel';
import { globFiles } from '../search/glob';
import { grepFiles } from '../search/grep';
import { editFile } from './edit';
import { editCell } from './editCell';
import { listFolder } from './list';
import { holdFolder, holdFolderOf } from './pinned';
import { readFileWindow } from './read';
import { hashBytes } from './stat';
import { writeFile } from './write';

const signal = new CancelSource();
const inside = 'inside\n';
const secret = 'secret outside\n';
let place: string;
let work: string;
let file: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-pinned-')));
  work = join(place, 'work');
  for (const [folder, text] of [
    ['work/sub', inside],
    ['outside', secret],
  ] as const) {
    mkdirSync(join(place, folder), { recursive: true });
    writeFileSync(join(place, folder, 'file'), text);
  }
  file = join(work, 'sub/file');
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

/** What a command may do between the decision and the deed. */
function turn(): void {
  renameSync(join(work, 'sub'), join(work, 'gone'));
  symlinkSync(join(place, 'outside'), join(work, 'sub'));
}

const hash = hashBytes(Buffer.from(secret));
const notebook = { mode: 'delete', cellId: 'a', source: '', dryRun: false } as const;
const deeds: readonly (readonly [string, () => Promise<unknown>])[] = [
  [
    'read',
    () => readFileWindow({ op: 'file.read', path: file, real: file, firstLine: 1, maxLines: 9, maxBytes: 99 }, signal),
  ],
  [
    'write over',
    () => writeFile({ op: 'file.write', path: file, real: file, content: 'x', expect: { hash }, dryRun: false }),
  ],
  [
    'write anew',
    () => {
      const path = join(work, 'sub/new');
      return writeFile({ op: 'file.write', path, real: path, content: 'x', expect: 'absent', dryRun: false });
    },
  ],
  [
    'write into new folders',
    () => {
      const path = join(work, 'sub/a/b/new');
      return writeFile({ op: 'file.write', path, real: path, content: 'x', expect: 'absent', dryRun: false });
    },
  ],
  [
    'edit',
    () =>
      editFile({
        op: 'file.edit',
        path: file,
        real: file,
        edits: [{ oldString: 'secret', newString: 'x', replaceAll: false }],
        hash,
        dryRun: false,
      }),
  ],
  ['edit a cell', () => editCell({ op: 'file.editCell', path: file, real: file, hash, ...notebook })],
  [
    'list',
    () =>
      listFolder({ op: 'file.list', path: join(work, 'sub'), real: join(work, 'sub'), ignore: [], limit: 9 }, signal),
  ],
  [
    'find names',
    () =>
      globFiles(
        { op: 'search.glob', root: join(work, 'sub'), real: join(work, 'sub'), pattern: '*', limit: 9 },
        signal,
      ),
  ],
  [
    'search',
    () =>
      grepFiles(
        {
          op: 'search.grep',
          root: join(work, 'sub'),
          real: join(work, 'sub'),
          pattern: '.',
          ignoreCase: false,
          multiline: false,
          mode: 'content',
          before: 0,
          after: 0,
          lineNumbers: false,
          offset: 0,
          limit: 9,
        },
        signal,
      ),
  ],
];

describe.each(deeds)('%s', (_, deed) => {
  test('is not done elsewhere when a folder on the way has become a link', async () => {
    turn();
    const answer = await deed();
    expect(answer).toMatchObject({ kind: 'failure', reason: 'changed' });
    expect(JSON.stringify(answer)).not.toContain('secret');
    expect(readFileSync(join(place, 'outside/file'), 'utf8')).toBe(secret);
    expect(readdirSync(join(place, 'outside'))).toEqual(['file']);
  });

  test('is done where the way still leads', async () => {
    if (hash !== hashBytes(readFileSync(file))) writeFileSync(file, secret);
    const answer = await deed();
    expect(JSON.stringify(answer)).not.toContain('leads somewhere else');
  });
});

test.skipIf(process.platform !== 'linux')(
  'what is held is written to whatever becomes of its path, also below',
  async () => {
    const made = await holdFolderOf({ path: join(work, 'sub/a/new'), real: join(work, 'sub/a/new') });
    const held = await holdFolder({ path: join(work, 'sub'), real: join(work, 'sub') });
    turn();
    writeFileSync(join(made.at, 'new'), 'x');
    expect(readFileSync(join(held.at, 'file'), 'utf8')).toBe(inside);
    expect(existsSync(join(work, 'gone/a/new'))).toBe(true);
    expect(readdirSync(join(place, 'outside'))).toEqual(['file']);
    await made.release();
    await held.release();
  },
);

test('a path that was given through a link is worked on where it led', async () => {
  symlinkSync('sub', join(work, 'link'));
  const path = join(work, 'link/file');
  const text = { kind: 'text', text: inside.trim() };
  const read = { op: 'file.read', path, real: file, firstLine: 1, maxLines: 9, maxBytes: 99 } as const;
  expect(await readFileWindow(read, signal)).toMatchObject(text);
  const written = await writeFile({
    op: 'file.write',
    path,
    real: file,
    content: 'new',
    expect: { hash: hashBytes(Buffer.from(inside)) },
    dryRun: false,
  });
  expect(written).toMatchObject({ kind: 'changed' });
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(readdirSync(join(work, 'sub'))).toEqual(['file']);
});

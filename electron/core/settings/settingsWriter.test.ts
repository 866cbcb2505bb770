import { spawn } from 'node:child_process';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { addRules } from './settingsText';
import { createSettingsWriter } from './settingsWriter';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'settings-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const add = (rule: string) => (text: string | null) => addRules(text, 'allow', [rule]);
const writer = () => createSettingsWriter({ backups: join(folder, 'backups') });

async function rulesIn(path: string): Promise<unknown> {
  const value: unknown = JSON.parse(await readFile(path, 'utf8'));
  return value;
}

/** A program of its own that has the writer and `addRules`. Gives its file. */
async function built(code: string): Promise<string> {
  const { rolldown } = await import('rolldown');
  const entry = fileURLToPath(new URL('settingsWriter.ts', import.meta.url));
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const main = join(folder, 'main.ts');
  await writeFile(
    main,
    `import { createSettingsWriter } from ${JSON.stringify(entry)};
     import { addRules } from ${JSON.stringify(entry.replace('settingsWriter', 'settingsText'))};
     ${code}`,
  );
  const bundle = await rolldown({
    input: main,
    platform: 'node',
    resolve: { alias: { '#shared': join(root, 'shared') }, mainFields: ['module', 'main'] },
    logLevel: 'silent',
  });
  await bundle.write({ file: join(folder, 'built', 'main.mjs'), format: 'esm', codeSplitting: false });
  await bundle.close();
  return join(folder, 'built', 'main.mjs');
}

it('makes the file and its folder', async () => {
  const path = join(folder, '.claude', 'settings.local.json');
  expect((await writer().change(path, add('A'))).ok).toBe(true);
  expect(await rulesIn(path)).toEqual({ permissions: { allow: ['A'] } });
  expect(await readdir(join(folder, '.claude'))).toEqual(['settings.local.json']);
});

it('makes the file where an empty folder stands for it, and no other', async () => {
  const path = join(folder, '.mcp.json');
  await mkdir(path);
  expect((await writer().change(path, add('A'))).ok).toBe(true);
  expect(await rulesIn(path)).toEqual({ permissions: { allow: ['A'] } });
  expect((await stat(path)).mode & 0o777).toBe(0o644);
  const filled = join(folder, 'filled');
  await mkdir(join(filled, 'inner'), { recursive: true });
  expect((await writer().change(filled, add('A'))).ok).toBe(false);
  expect(await readdir(filled)).toEqual(['inner']);
});

it('keeps a link a link, and the mode of its target', async () => {
  const target = join(folder, 'target.json');
  const path = join(folder, 'settings.json');
  await writeFile(target, '{}');
  await chmod(target, 0o640);
  await symlink('target.json', path);
  await writer().change(path, add('A'));
  expect((await lstat(path)).isSymbolicLink()).toBe(true);
  expect((await stat(target)).mode & 0o777).toBe(0o640);
  expect(await rulesIn(target)).toEqual({ permissions: { allow: ['A'] } });
});

it('leaves a file that does not parse as it is, and says so', async () => {
  const path = join(folder, 'settings.json');
  await writeFile(path, '{ "permissions": ');
  const changed = await writer().change(path, add('A'));
  expect(changed.ok ? '' : changed.error).toContain('not valid JSON (line 1');
  expect(await readFile(path, 'utf8')).toBe('{ "permissions": ');
  expect(await readdir(folder)).toEqual(['settings.json']);
});

it('keeps the last 20 states', async () => {
  const path = join(folder, 'settings.json');
  for (let at = 0; at < 24; at++) await writer().change(path, add(`R${at}`));
  const [place = ''] = await readdir(join(folder, 'backups'));
  expect(await readdir(join(folder, 'backups', place))).toHaveLength(20);
});

it('takes over a lock that was left behind', async () => {
  const path = join(folder, 'settings.json');
  await writeFile(`${path}.lock`, 'somebody');
  await utimes(`${path}.lock`, new Date(0), new Date(0));
  expect((await writer().change(path, add('A'))).ok).toBe(true);
  expect((await readdir(folder)).sort()).toEqual(['settings.json']);
});

it('loses nothing when many write at once', async () => {
  const path = join(folder, 'settings.json');
  const [a, b] = [writer(), writer()];
  const names = Array.from({ length: 20 }, (_, index) => index);
  await Promise.all(names.flatMap((index) => [a.change(path, add(`A${index}`)), b.change(path, add(`B${index}`))]));
  const found = await rulesIn(path);
  const expected = names.flatMap((index) => [`A${index}`, `B${index}`]).sort();
  expect(
    JSON.stringify(found)
      .match(/[AB]\d+/g)
      ?.sort(),
  ).toEqual(expected);
});

it('loses nothing when two processes write at once, and the file is whole at every moment', {
  timeout: 60_000,
}, async () => {
  const path = join(folder, 'settings.json');
  const target = join(folder, 'target.json');
  const others = { model: 'mine', permissions: { allow: ['First'], deny: ['Bash(date:*)'] }, hooks: {} };
  await writeFile(target, JSON.stringify(others));
  await symlink('target.json', path);
  const main = await built(`
     const [, , path, backups, name] = process.argv;
     const writer = createSettingsWriter({ backups });
     for (let at = 0; at < 50; at++) {
       const done = await writer.change(path, (text) => addRules(text, 'allow', [name + at]));
       if (!done.ok) { process.stderr.write(done.error); process.exit(1); }
     }`);
  const run = (name: string) =>
    new Promise<string>((done, failed) => {
      const child = spawn(process.execPath, [main, path, join(folder, 'backups'), name]);
      let errors = '';
      child.stderr.on('data', (chunk: Buffer) => {
        errors += chunk.toString();
      });
      child.on('error', failed);
      child.on('exit', (code) => done(code === 0 ? '' : errors));
    });
  let writing = true;
  const written = Promise.all([run('A'), run('B')]).finally(() => {
    writing = false;
  });
  // Throws where the file is not whole.
  while (writing) await rulesIn(path);
  expect(await written).toEqual(['', '']);
  const names = Array.from({ length: 50 }, (_, at) => [`A${at}`, `B${at}`]).flat();
  const allow = ['First', ...names].sort();
  const found = z.object({ permissions: z.object({ allow: z.array(z.string()) }) }).parse(await rulesIn(path));
  expect(found.permissions.allow.toSorted()).toEqual(allow);
  expect(await rulesIn(path)).toEqual({
    ...others,
    permissions: { ...others.permissions, allow: found.permissions.allow },
  });
  expect((await lstat(path)).isSymbolicLink()).toBe(true);
});

it.skipIf(process.platform === 'win32')(
  'takes back what a program left that was killed between two files',
  async () => {
    const paths = [join(folder, 'a.json'), join(folder, 'b.json')];
    for (const path of paths) await writeFile(path, '{}');
    const main = await built(`
     import promises from 'node:fs/promises';
     import { syncBuiltinESMExports } from 'node:module';
     const { rename } = promises;
     const [, , backups, ...paths] = process.argv;
     promises.rename = async (from, to) => {
       await rename(from, to);
       if (to !== paths[0]) return;
       process.kill(process.pid, 'SIGKILL');
       await new Promise(() => setTimeout(() => {}, 60_000));
     };
     syncBuiltinESMExports();
     const done = await createSettingsWriter({ backups }).changeTogether(paths, () => ({ ok: true, value: ['{"x":1}', '{"x":2}'] }));
     process.stderr.write(JSON.stringify(done));`);
    let errors = '';
    const signal = await new Promise((done, failed) => {
      const child = spawn(process.execPath, [main, join(folder, 'backups'), ...paths]);
      child.on('error', failed);
      child.stderr.on('data', (chunk: Buffer) => {
        errors += chunk.toString();
      });
      child.on('close', (_, how) => done(how ?? errors));
    });
    expect(signal).toBe('SIGKILL');
    const texts = () => Promise.all(paths.map((path) => readFile(path, 'utf8')));
    expect(await texts()).toEqual(['{"x":1}', '{}']);
    for (const path of paths) await utimes(`${path}.lock`, new Date(0), new Date(0));
    expect(await writer().recover()).toEqual([]);
    expect(await texts()).toEqual(['{}', '{}']);
    expect((await readdir(join(folder, 'backups'))).filter((name) => name.startsWith('unfinished'))).toEqual([]);
    expect(await writer().recover()).toEqual([]);
  },
);

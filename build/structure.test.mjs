import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { describeProblem, findProblems } from './structure.mjs';

const trees = [];

async function tree(files) {
  const root = await mkdtemp(join(tmpdir(), 'gatehouse-structure-'));
  trees.push(root);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

/** "path:line rule" of every problem. */
async function problemsOf(files) {
  const problems = await findProblems(await tree(files));
  return problems.map(({ path, line, rule }) => `${path}:${line} ${rule}`);
}

afterEach(async () => {
  await Promise.all(trees.splice(0).map((root) => rm(root, { recursive: true, force: true })));
});

const lines = (count) => 'x;\n'.repeat(count);
/** Written in pieces, so that these examples are not themselves found by the check. */
const mark = ['TO', 'DO'].join('');

const allowed = {
  'shared/api/app.ts': "import { z } from 'zod';\nimport { a } from '../util/a';\nexport const app = z.string(a);\n",
  'shared/util/a.ts': "export const a = '';\n",
  'electron/core/createCore.ts': "import { app } from '#shared/api/app';\nexport const core = app;\n",
  'electron/core/createCore.test.ts':
    "import { spawn } from 'node:child_process';\nimport { it } from 'vitest';\nit('x', () => spawn('x', [process.env.PATH ?? '/home/ann/x']));\n",
  'electron/core/hooks/runCommand.ts': "import { spawn } from 'node:child_process';\nexport { spawn };\n",
  'electron/cli/gitFiles.ts': "import { execFile } from 'node:child_process';\nexport { execFile };\n",
  'electron/desktop/main.ts':
    "import { app } from 'electron';\nimport { core } from '../core/createCore';\nexport const x = [app, core, process.env.HOME];\n",
  'electron/desktop/ipcTransport.ts': "import { ipcMain } from 'electron';\nexport const on = ipcMain.on;\n",
  'electron/server/main.ts':
    "import { homedir } from 'node:os';\nimport { WebSocketServer } from 'ws';\nexport const x = [homedir(), WebSocketServer];\n",
  'electron/node/revealFile.ts': "import { spawn } from 'node:child_process';\nexport { spawn };\n",
  'electron/node/forkExecutor.ts': "import { fork } from 'node:child_process';\nexport { fork };\n",
  'executor/main.ts': "import { spawn } from 'node-pty';\nexport const x = [spawn, process.env.PATH];\n",
  'renderer/main.tsx': "import { app } from '#shared/api/app';\nimport { z } from 'zod';\nexport const x = [app, z];\n",
  'e2e/specs/a.spec.ts':
    "import { test } from '@playwright/test';\nimport type { app } from '#shared/api/app';\nexport type X = typeof app;\ntest.skip(process.platform !== 'linux', 'Linux only');\n",
  'build/pack.mjs':
    "import { spawn } from 'node:child_process';\nexport { spawn };\nexport const load = (path) => import(path);\n",
  'package-lock.json': '{\n  "packages": {}\n}\n',
  'README.md': 'Say "find TODO in src".\n',
};

describe('structure', () => {
  it('accepts a tree that keeps to the table', async () => {
    expect(await problemsOf(allowed)).toEqual([]);
  });

  const cases = [
    // The import table
    ['shared imports a package', { 'shared/a.ts': "import 'react';" }, ['shared/a.ts:1 layers']],
    ['shared imports Node', { 'shared/a.ts': "\nimport type { Stats } from 'node:fs';" }, ['shared/a.ts:2 layers']],
    [
      'shared imports Node by its bare name',
      { 'shared/a.ts': "import { join } from 'path';" },
      ['shared/a.ts:1 layers'],
    ],
    [
      'shared imports core',
      { 'shared/a.ts': "import '../electron/core/b';", 'electron/core/b.ts': '' },
      ['shared/a.ts:1 layers'],
    ],
    [
      'renderer imports core',
      { 'renderer/a.tsx': "import type { B } from '../electron/core/b';", 'electron/core/b.ts': '' },
      ['renderer/a.tsx:1 layers'],
    ],
    ['renderer imports Node', { 'renderer/a.ts': "import { join } from 'node:path';" }, ['renderer/a.ts:1 layers']],
    ['renderer imports native code', { 'renderer/a.ts': "import 'better-sqlite3';" }, ['renderer/a.ts:1 layers']],
    [
      'executor imports core',
      { 'executor/a.ts': "export { b } from '../electron/core/b';", 'electron/core/b.ts': '' },
      ['executor/a.ts:1 layers'],
    ],
    [
      'core imports executor',
      { 'electron/core/a.ts': "export * from '../../executor/b';", 'executor/b.ts': '' },
      ['electron/core/a.ts:1 layers'],
    ],
    [
      'a test of core imports executor',
      { 'electron/core/a.test.ts': "import '../../executor/b';", 'executor/b.ts': '' },
      ['electron/core/a.test.ts:1 layers'],
    ],
    [
      'core imports its door',
      { 'electron/core/a.ts': "await import('../server/b');", 'electron/server/b.ts': '' },
      ['electron/core/a.ts:1 layers'],
    ],
    ['core imports the page', { 'electron/core/a.ts': "import 'react';" }, ['electron/core/a.ts:1 layers']],
    [
      'core imports shared by a relative path',
      { 'electron/core/a.ts': "import '../../shared/b';", 'shared/b.ts': '' },
      [],
    ],
    [
      'one door imports the other',
      { 'electron/server/a.ts': "import '../desktop/b';", 'electron/desktop/b.ts': '' },
      ['electron/server/a.ts:1 layers'],
    ],
    [
      'cli imports a door',
      { 'electron/cli/a.ts': "import '../server/b';", 'electron/server/b.ts': '' },
      ['electron/cli/a.ts:1 layers'],
    ],
    [
      'what the Node doors share imports a door',
      { 'electron/node/a.ts': "import '../cli/b';", 'electron/cli/b.ts': '' },
      ['electron/node/a.ts:1 layers'],
    ],
    [
      'desktop imports what the Node doors share',
      { 'electron/desktop/a.ts': "import '../node/b';", 'electron/node/b.ts': '' },
      ['electron/desktop/a.ts:1 layers'],
    ],
    [
      'cli imports what the Node doors share',
      { 'electron/cli/a.ts': "import '../node/b';", 'electron/node/b.ts': '' },
      [],
    ],
    ['process.env beside the doors', { 'electron/node/a.ts': 'process.env;' }, ['electron/node/a.ts:1 environment']],
    [
      'e2e imports values of shared',
      { 'e2e/a.ts': "import { b } from '#shared/b';", 'shared/b.ts': '' },
      ['e2e/a.ts:1 layers'],
    ],
    [
      'e2e imports core types',
      { 'e2e/a.ts': "import type { b } from '../electron/core/b';", 'electron/core/b.ts': '' },
      ['e2e/a.ts:1 layers'],
    ],
    [
      'build imports the product',
      { 'build/a.mjs': "import '../shared/b.ts';", 'shared/b.ts': '' },
      ['build/a.mjs:1 layers'],
    ],
    [
      'a computed import',
      { 'electron/core/a.ts': 'const b = (c: string) => import(c);' },
      ['electron/core/a.ts:1 layers'],
    ],
    [
      'a type import in an expression',
      { 'renderer/a.ts': "type B = import('../executor/b').B;", 'executor/b.ts': '' },
      ['renderer/a.ts:1 layers'],
    ],
    [
      'a require',
      { 'electron/core/a.ts': "const b = require('../server/b');", 'electron/server/b.ts': '' },
      ['electron/core/a.ts:1 layers'],
    ],
    // Electron
    [
      'electron in core',
      { 'electron/core/a.ts': "import { app } from 'electron';" },
      ['electron/core/a.ts:1 electron'],
    ],
    [
      'electron types in server',
      { 'electron/server/a.ts': "import type { App } from 'electron';" },
      ['electron/server/a.ts:1 electron'],
    ],
    ['electron in e2e', { 'e2e/a.ts': "import 'electron/main';" }, ['e2e/a.ts:1 electron']],
    [
      'ipc outside its two files',
      { 'electron/desktop/a.ts': "import { ipcMain } from 'electron';" },
      ['electron/desktop/a.ts:1 ipc'],
    ],
    [
      'ipc through the namespace',
      { 'electron/desktop/a.ts': "import * as e from 'electron';\ne.ipcRenderer.send('x');" },
      ['electron/desktop/a.ts:2 ipc'],
    ],
    ['ipc of a web contents', { 'electron/desktop/a.ts': "contents.ipc.on('x', y);" }, ['electron/desktop/a.ts:1 ipc']],
    // Processes and the world
    [
      'child_process in core',
      { 'electron/core/a.ts': "import 'node:child_process';" },
      ['electron/core/a.ts:1 processes'],
    ],
    [
      'child_process in a hook that is no runner',
      { 'electron/core/hooks/match.ts': "import 'child_process';" },
      ['electron/core/hooks/match.ts:1 processes'],
    ],
    [
      'child_process in core/mcp beside the runner of servers',
      { 'electron/core/mcp/a.ts': "import 'child_process';" },
      ['electron/core/mcp/a.ts:1 processes'],
    ],
    [
      'child_process in the server',
      { 'electron/server/a.ts': "import 'child_process';" },
      ['electron/server/a.ts:1 processes'],
    ],
    [
      'node-pty in desktop',
      { 'electron/desktop/a.ts': "import type { IPty } from 'node-pty';" },
      ['electron/desktop/a.ts:1 processes'],
    ],
    [
      'fs in a tool',
      { 'electron/core/tools/read/read.ts': "import { readFile } from 'node:fs/promises';" },
      ['electron/core/tools/read/read.ts:1 tools'],
    ],
    ['net in a tool', { 'electron/core/tools/a.ts': "import net from 'net';" }, ['electron/core/tools/a.ts:1 tools']],
    [
      'child_process in a tool',
      { 'electron/core/tools/a.ts': "import 'node:child_process';" },
      ['electron/core/tools/a.ts:1 tools'],
    ],
    [
      'fetch in a tool',
      { 'electron/core/tools/a.ts': "await fetch('https://x.test');" },
      ['electron/core/tools/a.ts:1 tools'],
    ],
    ['fs in the test of a tool', { 'electron/core/tools/a.test.ts': "import 'node:fs';" }, []],
    // Environment
    ['process.env in core', { 'electron/core/a.ts': 'const b = process.env.B;' }, ['electron/core/a.ts:1 environment']],
    [
      "process['env'] in core",
      { 'electron/core/a.ts': "const b = process['env'];" },
      ['electron/core/a.ts:1 environment'],
    ],
    ['taken apart', { 'electron/core/a.ts': 'const { env } = process;' }, ['electron/core/a.ts:1 environment']],
    ['imported', { 'electron/core/a.ts': "import { env } from 'node:process';" }, ['electron/core/a.ts:1 environment']],
    [
      'process.env in an executor file other than main',
      { 'executor/a.ts': 'process.env;' },
      ['executor/a.ts:1 environment'],
    ],
    [
      'homedir in core',
      { 'electron/core/a.ts': "import { homedir as h } from 'os';" },
      ['electron/core/a.ts:1 environment'],
    ],
    [
      'homedir in a test',
      { 'electron/server/a.test.ts': "import os from 'node:os';\nos.homedir();" },
      ['electron/server/a.test.ts:2 environment'],
    ],
    [
      'a test changes the environment',
      { 'shared/a.test.ts': "process.env.A = '1';\ndelete process.env.A;" },
      ['shared/a.test.ts:1 environment', 'shared/a.test.ts:2 environment'],
    ],
    // Tests
    ['focused test', { 'shared/a.test.ts': "it.only('x', () => {});" }, ['shared/a.test.ts:1 tests']],
    ['focused group', { 'shared/a.test.ts': "describe.concurrent.only('x', () => {});" }, ['shared/a.test.ts:1 tests']],
    ['skipped test', { 'shared/a.test.ts': "test.skip('x', () => {});" }, ['shared/a.test.ts:1 tests']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of an example.
    ['skip for a reason that was found', { 'shared/a.test.ts': 'test.skip(`no sandbox: ${why}`, () => {});' }, []],
    ['skipped table', { 'shared/a.test.ts': "it.skip.each([1])('x', () => {});" }, ['shared/a.test.ts:1 tests']],
    ['planned test', { 'shared/a.test.ts': "it.todo('x');" }, ['shared/a.test.ts:1 tests']],
    ['old spelling', { 'shared/a.test.ts': "xit('x', () => {});" }, ['shared/a.test.ts:1 tests']],
    ['skip on a condition', { 'shared/a.test.ts': "it.skipIf(process.platform === 'win32')('x', () => {});" }, []],
    [
      'product imports a test',
      { 'shared/a.ts': "import './b.test';", 'shared/b.test.ts': '' },
      ['shared/a.ts:1 tests'],
    ],
    [
      'product imports a stand-in',
      { 'electron/desktop/a.ts': "import './testing/b';", 'electron/desktop/testing/b.ts': '' },
      ['electron/desktop/a.ts:1 tests'],
    ],
    ['product imports vitest', { 'executor/a.ts': "import { vi } from 'vitest';" }, ['executor/a.ts:1 tests']],
    // Whole files and the tree
    [
      'circle',
      {
        'shared/a.ts': "import './b';",
        'shared/b.ts': "\nimport type { C } from './c';",
        'shared/c.ts': "import '#shared/a';",
      },
      ['shared/c.ts:1 cycles'],
    ],
    ['file that imports itself', { 'shared/a.ts': "import './a';" }, ['shared/a.ts:1 cycles']],
    ['long file', { 'shared/a.ts': lines(501) }, ['shared/a.ts:500 size']],
    ['file just short enough', { 'shared/a.ts': lines(500) }, []],
    [
      'thick door',
      {
        'electron/desktop/a.ts': lines(251),
        'electron/desktop/b.ts': lines(250),
        'electron/desktop/c.test.ts': lines(400),
      },
      ['electron/desktop/a.ts:1 size'],
    ],
    [
      'thick server',
      { 'electron/server/a.ts': lines(300), 'electron/server/b.ts': lines(201) },
      ['electron/server/a.ts:1 size'],
    ],
    ['top level', { 'PLAN.md': '', 'src/a.ts': '' }, ['PLAN.md:1 topLevel', 'src:1 topLevel']],
    ['utils', { 'shared/utils.ts': '' }, ['shared/utils.ts:1 names']],
    ['helpers', { 'renderer/ui/helpers.tsx': '' }, ['renderer/ui/helpers.tsx:1 names']],
    [
      'file name',
      { 'shared/snake_case.ts': '', 'shared/kebab-case.ts': '' },
      ['shared/kebab-case.ts:1 names', 'shared/snake_case.ts:1 names'],
    ],
    [
      'home of a person',
      { 'electron/core/a.ts': "const a = '/home/ann/project';\nconst b = `see /Users/ann/x`;" },
      ['electron/core/a.ts:1 paths', 'electron/core/a.ts:2 paths'],
    ],
    [
      'mark in a comment',
      { 'shared/a.ts': `/* fine\n * ${mark}: later */\n// the ${mark} list\n` },
      ['shared/a.ts:2 unfinished'],
    ],
    [
      'mark in Markdown',
      { 'electron/core/tools/a.prompt.md': `\n${mark}: write\n` },
      ['electron/core/tools/a.prompt.md:2 unfinished'],
    ],
    [
      'lock file',
      { 'package-lock.json': '{\n  "resolved": "https://registry.example/x.tgz"\n}' },
      ['package-lock.json:2 lock'],
    ],
    ['syntax', { 'shared/a.ts': 'const = ;' }, ['shared/a.ts:1 syntax']],
  ];

  it.each(cases)('%s', async (_name, files, expected) => {
    expect(await problemsOf(files)).toEqual(expected);
  });

  it('refuses the path of this checkout in sources and texts', async () => {
    const root = await tree({ 'shared/a.ts': '', 'README.md': '' });
    await writeFile(join(root, 'shared/a.ts'), `export const a = '${root}/shared';\n`);
    await writeFile(join(root, 'README.md'), `cd ${root}\n`);
    const problems = await findProblems(root);
    expect(problems.map(({ path, rule }) => `${path} ${rule}`)).toEqual(['README.md paths', 'shared/a.ts paths']);
  });

  it('says where, what and what to do', async () => {
    const root = await tree({ 'electron/core/a.ts': "\nimport { app } from 'electron';\n" });
    expect((await findProblems(root)).map(describeProblem)).toEqual([
      'electron/core/a.ts:2  [electron] imports electron: only electron/desktop may, give the core what it needs through a port',
    ]);
  });
});

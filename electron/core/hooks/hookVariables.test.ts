import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SessionEventBody } from '#shared/session/events';
import { connectHookVariables } from './connectHookVariables';
import { hookEnvFile, parseHookVariables, readHookVariables } from './hookVariables';

const known = { PATH: '/usr/bin:/bin', HOME: '/home/u', USER: 'u' };

it.each<[string, Record<string, string>]>([
  ['export A=1', { A: '1' }],
  ['A=1\r\nB=2\n', { A: '1', B: '2' }],
  ['declare -x A="one two"', { A: 'one two' }],
  [`export A='$HOME \`date\` "x"'`, { A: '$HOME `date` "x"' }],
  ['export A="say \\"hi\\" \\$1 \\n"', { A: 'say "hi" $1 \\n' }],
  ['export A=a\\ b', { A: 'a b' }],
  ['export PATH="$PATH:./node_modules/.bin"', { PATH: '/usr/bin:/bin:./node_modules/.bin' }],
  [`export PATH=\${HOME}/bin:$PATH`, { PATH: '/home/u/bin:/usr/bin:/bin' }],
  ['A=1\nB=$A$A-$NONE.', { A: '1', B: '11-.' }],
  ['A=1\nA=2', { A: '2' }],
  ['A=', { A: '' }],
  ['A=""', { A: '' }],
  ['  export A=1 # why', { A: '1' }],
  ['A=1;', { A: '1' }],
  ['A=b#c', { A: 'b#c' }],
  ['URL=https://x/y?q=1', { URL: 'https://x/y?q=1' }],
  ['NODE_OPTIONS=--max-old-space-size=4096', { NODE_OPTIONS: '--max-old-space-size=4096' }],
  ['# a comment\n\n', {}],
])('%j gives %j', (text, variables) => {
  expect(parseHookVariables(text, known)).toEqual({ variables, problems: [] });
});

it.each([
  'A=$(id)',
  'A=`id`',
  'A="$(id)"',
  'A="`id`"',
  'A=$((1+1))',
  `A=\${B:-x}`,
  "A=$'x\\ny'",
  'A=1 B=2',
  'A=1; rm -rf /',
  'A=1 && touch x',
  'A=1|cat',
  'A=<(id)',
  'A="open',
  "A='open",
  'A=(1 2)',
  'export A',
  'rm -rf /',
  'source other.sh',
  'export A-B=1',
  'LD_PRELOAD=/tmp/x.so',
  'DYLD_INSERT_LIBRARIES=x',
  'BASH_ENV=/tmp/x',
  'BASH_FUNC_ls=x',
  'ENV=x',
  'IFS=x',
  'HOME=/tmp',
  'TMPDIR=/',
  'PWD=/',
  'CDPATH=/',
  'GATEHOUSE_RUN=1',
  'PROMPT_COMMAND=id',
])('%j counts for nothing, and the line beside it counts', (line) => {
  const { variables, problems } = parseHookVariables(`${line}\nexport GOOD=1`, known);
  expect([variables, problems.length]).toEqual([{ GOOD: '1' }, 1]);
  expect(problems[0]).toMatch(/^line 1 /);
});

it('never tells a value', () => {
  const { problems } = parseHookVariables('TOKEN=$(hunter2)\nLD_X=hunter2\nhunter2', known);
  expect(problems.join()).not.toContain('hunter2');
});

it('takes 64 Ki characters and no more, and a name may be set over and over', () => {
  const big = 'x'.repeat(40_000);
  expect(Object.keys(parseHookVariables(`A=${big}\nA=${big}\nB=1`, known).variables)).toEqual(['A', 'B']);
  const over = parseHookVariables(`A=${big}\nB=${big}\nC=1`, known);
  expect([Object.keys(over.variables), over.problems.length]).toEqual([['A'], 1]);
});

it('reads a file, of a huge one the end, and is not disturbed by one that is missing or no file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-variables-'));
  try {
    const file = join(folder, 'a.sh');
    expect(await readHookVariables(file, {})).toEqual({ variables: {}, problems: [] });
    expect(await readHookVariables(folder, {})).toEqual({ variables: {}, problems: [] });
    await writeFile(file, `FIRST=1\n${'# filler\n'.repeat(150_000)}LAST=2\n`);
    expect(await readHookVariables(file, {})).toEqual({ variables: { LAST: '2' }, problems: [] });
    await symlink('/dev/zero', join(folder, 'endless'));
    expect(await readHookVariables(join(folder, 'endless'), {})).toEqual({ variables: {}, problems: [] });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('is read anew for each command, and people hear once of lines that do not count', async () => {
  const data = await mkdtemp(join(tmpdir(), 'gatehouse-variables-'));
  try {
    const events: SessionEventBody[] = [];
    const paths = { data, home: '/h', claudeConfig: '/h/.claude', managedSettings: '/m', privateFiles: [] };
    const variables = connectHookVariables({
      ports: { paths, environment: { variables: { PATH: '/bin', SECRET: 's' } } },
      sessions: { exists: () => true, append: (_id, body) => ({ seq: events.push(body), at: 0, body }) },
    });
    expect(await variables('s')).toEqual({});
    const file = hookEnvFile(data, 's');
    await mkdir(join(data, 'hook-environments'));
    await writeFile(file, 'A=$PATH:$SECRET\nLD_PRELOAD=x\n');
    expect([await variables('s'), await variables('s'), await variables('other')]).toEqual([
      { A: '/bin:' },
      { A: '/bin:' },
      {},
    ]);
    expect(events).toMatchObject([
      { type: 'notice', level: 'warning', text: expect.stringContaining('line 2 (LD_PRELOAD)') },
    ]);
    await writeFile(file, 'A=2\n');
    expect(await variables('s')).toEqual({ A: '2' });
  } finally {
    await rm(data, { recursive: true, force: true });
  }
});

// Where path rules are anchored, what they match, and how links, case and letters are taken.
import type { Behavior } from '#shared/permissions/decision';
import { type CaseCall, type CaseGroup, edit, read, write } from './cases';

function rows(behavior: Behavior, calls: readonly CaseCall[]): readonly (readonly [CaseCall, Behavior])[] {
  return calls.map((call): readonly [CaseCall, Behavior] => [call, behavior]);
}

export const placeCases: readonly CaseGroup[] = [
  {
    about: 'one slash: the folder of the source',
    source: 'projectSettings',
    deny: ['Read(/s/**)'],
    rows: [...rows('deny', ['/ws/s/a', '/ws/s/x/y'].map(read))],
  },
  {
    about: 'one slash: the folder of the source',
    source: 'localSettings',
    deny: ['Read(/s/**)'],
    rows: [...rows('deny', ['/ws/s/a', '/ws/s/x/y'].map(read))],
  },
  {
    about: 'one slash: the folder of the source',
    source: 'policySettings',
    deny: ['Read(/s/**)'],
    rows: [...rows('deny', ['/ws/s/a', '/ws/s/x/y'].map(read))],
  },
  {
    about: 'one slash: the folder of the source',
    source: 'cliArg',
    deny: ['Read(/s/**)'],
    rows: [...rows('deny', ['/ws/s/a', '/ws/s/x/y'].map(read))],
  },
  {
    about: 'one slash: the folder of the source',
    source: 'session',
    deny: ['Read(/s/**)'],
    rows: [...rows('deny', ['/ws/s/a', '/ws/s/x/y'].map(read))],
  },
  {
    about: 'one slash: the folder of the source',
    deny: ['Read(/s/**)'],
    rows: [
      [read('/ws/s/a'), 'allow'],
      [read('/home/u/.claude/s/a'), 'deny'],
    ],
  },
  {
    about: 'two slashes: the root of the file system',
    deny: ['Read(//etc/**)'],
    rows: [
      ...rows('deny', ['/etc/passwd', '/etc/x/y', '/etc'].map(read)),
      ...rows('ask', ['/etcx', '/ws2/etc/x', '/x/etc/p'].map(read)),
      [read('/ws/etc/x'), 'allow'],
    ],
  },
  {
    about: 'a tilde: home',
    deny: ['Read(~/.ssh/**)'],
    rows: [
      ...rows('deny', ['/home/u/.ssh/id', '/home/u/.ssh/a/b', '~/.ssh/id', '/home/u/x/../.ssh/id'].map(read)),
      ...rows('ask', ['/home/v/.ssh/id', '/home/u/.sshx'].map(read)),
    ],
  },
  {
    about: 'no slash: the current folder, any depth for a bare name',
    deny: ['Read(.env)'],
    rows: [
      ...rows(
        'deny',
        ['/ws/.env', '/ws/a/.env', '/ws/a/b/.env', '.env', './.env', 'a/../.env', '/ws/./.env', '/ws/.ENV'].map(read),
      ),
      ...rows('allow', ['/ws/.env2', '/ws/a.env', '/ws/.envrc', '/ws/x.env/y'].map(read)),
      ...rows('ask', ['/x/.env', '/home/u/.env'].map(read)),
    ],
  },
  {
    about: 'no slash: the current folder, any depth for a bare name',
    deny: ['Read(./.env)'],
    rows: [...rows('deny', ['/ws/.env', '/ws/a/.env'].map(read))],
  },
  {
    about: 'no slash: the current folder, any depth for a bare name',
    deny: ['Read(**/.env)'],
    rows: [...rows('deny', ['/ws/.env', '/ws/a/b/.env'].map(read))],
  },
  {
    about: 'no slash: the current folder, any depth for a bare name',
    deny: ['Read(*.pem)'],
    rows: [
      ...rows('deny', ['/ws/a.pem', '/ws/x/a.pem', '/ws/A.PEM'].map(read)),
      ...rows('allow', ['/ws/a.pem.txt', '/ws/pem'].map(read)),
    ],
  },
  {
    about: 'patterns of folders',
    deny: ['Read(secrets/**)'],
    rows: [
      ...rows('deny', ['/ws/secrets/a', '/ws/x/secrets/a', '/ws/x/y/secrets/a/b', '/ws/secrets'].map(read)),
      ...rows('allow', ['/ws/secretsx/a', '/ws/a'].map(read)),
    ],
  },
  {
    about: 'patterns of folders',
    allow: ['Edit(src/**)'],
    rows: [
      ...rows('allow', ['/ws/src/a', '/ws/src/a/b', 'src/a', './src/a', '/ws/x/../src/a'].map(edit)),
      ...rows('ask', ['/ws/x/src/a', '/ws/srcx/a', '/ws/src/../a', '/ws/a', '/ws/SRC/a', '/x/src/a'].map(edit)),
    ],
  },
  {
    about: 'patterns of folders',
    allow: ['Edit(a/b/**)'],
    rows: [[edit('/ws/a/b/c'), 'allow'], ...rows('ask', ['/ws/x/a/b/c', '/ws/a/c'].map(edit))],
  },
  { about: 'patterns of folders', allow: ['Edit(src/*)'], rows: [[edit('/ws/src/a'), 'allow']] },
  {
    about: 'patterns of folders',
    allow: ['Edit(**/src/**)'],
    rows: [...rows('allow', ['/ws/x/src/a', '/ws/src/a'].map(edit))],
  },
  {
    about: 'patterns of folders',
    allow: ['Edit(*.ts)'],
    rows: [
      ...rows('allow', ['/ws/a.ts', '/ws/x/a.ts'].map(edit)),
      ...rows('ask', ['/ws/a.tsx', '/ws/a.TS', '/x/a.ts'].map(edit)),
    ],
  },
  {
    about: 'patterns of folders',
    source: 'projectSettings',
    allow: ['Edit(/src/*.ts)'],
    rows: [[edit('/ws/src/a.ts'), 'allow'], ...rows('ask', ['/ws/src/x/a.ts', '/ws/a.ts'].map(edit))],
  },
  {
    about: 'patterns of folders',
    allow: ['Edit(a?.ts)'],
    rows: [[edit('/ws/ab.ts'), 'allow'], ...rows('ask', ['/ws/a.ts', '/ws/abc.ts'].map(edit))],
  },
  { about: 'patterns of folders', allow: ['Edit([ab].ts)'], rows: [[edit('/ws/a.ts'), 'allow']] },
  { about: 'patterns of folders', allow: ['Edit({a,b}.ts)'], rows: [[edit('/ws/a.ts'), 'ask']] },
  { about: 'patterns of folders', allow: ['Edit(Makefile/**)'], rows: [[edit('/ws/Makefile'), 'ask']] },
  { about: 'patterns of folders', deny: ['Read(Makefile/**)'], rows: [[read('/ws/Makefile/x'), 'deny']] },
  { about: 'case counts for allow only', allow: ['Edit(src/**)'], rows: [[edit('/ws/SRC/a'), 'ask']] },
  { about: 'case counts for allow only', deny: ['Read(src/**)'], rows: [[read('/ws/SRC/a'), 'deny']] },
  {
    about: 'composed and decomposed letters are one',
    deny: ['Read(caf\u00e9/**)'],
    rows: [...rows('deny', ['/ws/cafe\u0301/a', '/ws/caf\u00e9/a'].map(read))],
  },
  {
    about: 'composed and decomposed letters are one',
    deny: ['Read(cafe\u0301/**)'],
    rows: [[read('/ws/caf\u00e9/a'), 'deny']],
  },
  { about: 'forms that mean something else here', deny: ['Read(/ws/secret)'], rows: [[read('/ws/secret'), 'allow']] },
  { about: 'forms that mean something else here', deny: ['Read($HOME/x)'], rows: [[read('/home/u/x'), 'ask']] },
  { about: 'what one access says about another', allow: ['Edit(//srv/**)'], rows: [[read('/srv/a'), 'allow']] },
  {
    about: 'what one access says about another',
    deny: ['Read(x)'],
    rows: [[edit('/ws/x'), 'deny'], ...rows('deny', ['/ws/x', '/ws/new/x'].map(write))],
  },
  { about: 'what one access says about another', deny: ['Read'], rows: [[edit('/ws/x'), 'deny']] },
  { about: 'what one access says about another', deny: ['Read(**)'], rows: [[write('/ws/x'), 'deny']] },
  {
    about: 'what one access says about another',
    deny: ['Read(x.ipynb)'],
    rows: [[['NotebookEdit', { notebook_path: '/ws/x.ipynb', new_source: 'a', cell_id: '1' }], 'ask']],
  },
  {
    about: 'what one access says about another',
    deny: ['Edit(x.ipynb)'],
    rows: [[['NotebookEdit', { notebook_path: '/ws/x.ipynb', new_source: 'a', cell_id: '1' }], 'deny']],
  },
  {
    about: 'what one access says about another',
    allow: ['Edit(*.ipynb)'],
    rows: [[['NotebookEdit', { notebook_path: '/ws/x.ipynb', new_source: 'a', cell_id: '1' }], 'allow']],
  },
  { about: 'what one access says about another', allow: ['Edit(a/**)'], rows: [[write('/ws/a/x'), 'allow']] },
  { about: 'what one access says about another', deny: ['Edit(x)'], rows: [[read('/ws/x'), 'allow']] },
  {
    about: 'rules that do nothing, and their working forms',
    allow: ['Write(a/**)'],
    rows: [[write('/ws/a/x'), 'ask']],
  },
  { about: 'rules that do nothing, and their working forms', deny: ['Write(a/**)'], rows: [[write('/ws/a/x'), 'ask']] },
  { about: 'rules that do nothing, and their working forms', deny: ['Write'], rows: [[write('/ws/a'), 'deny']] },
  {
    about: 'rules that do nothing, and their working forms',
    allow: ['Write'],
    rows: [
      [write('/ws/a'), 'allow'],
      [edit('/ws/a'), 'ask'],
    ],
  },
  { about: 'rules that do nothing, and their working forms', allow: ['Write(*)'], rows: [[write('/ws/a'), 'allow']] },
  {
    about: 'rules that do nothing, and their working forms',
    allow: ['Edit'],
    rows: [
      [write('/ws/a'), 'ask'],
      [edit('/ws/a'), 'allow'],
    ],
  },
  {
    about: 'rules that do nothing, and their working forms',
    allow: ['Edit(*)'],
    rows: [...rows('allow', ['/ws/a', '/ws/x/a'].map(edit))],
  },
  {
    about: 'rules that do nothing, and their working forms',
    deny: ['Edit'],
    rows: [
      [edit('/ws/a'), 'deny'],
      [write('/ws/a'), 'ask'],
    ],
  },
  { about: 'rules that do nothing, and their working forms', deny: ['Edit(**)'], rows: [[write('/ws/a'), 'deny']] },
  {
    about: 'search tools read',
    deny: ['Read(sec/**)'],
    rows: [
      [['Glob', { pattern: 'x', path: '/ws/sec' }], 'deny'],
      [['Grep', { pattern: 'x', path: '/ws/sec' }], 'deny'],
    ],
  },
  {
    about: 'search tools read',
    rows: [
      [['Glob', { pattern: 'x', path: '/etc' }], 'ask'],
      [['Grep', { pattern: 'x', path: '/etc' }], 'ask'],
      [['Glob', { pattern: '/etc/*' }], 'ask'],
      [['Glob', { pattern: '../*' }], 'ask'],
      [['Glob', { pattern: '~/x' }], 'ask'],
      [['Glob', { pattern: 'x' }], 'allow'],
      [['Grep', { pattern: 'x' }], 'allow'],
    ],
  },
  { about: 'search tools read', deny: ['Glob'], rows: [[['Glob', { pattern: 'x' }], 'deny']] },
  { about: 'search tools read', ask: ['Glob'], rows: [[['Glob', { pattern: 'x' }], 'ask']] },
  { about: 'search tools read', deny: ['Grep'], rows: [[['Grep', { pattern: 'x' }], 'deny']] },
  { about: 'search tools read', ask: ['Grep'], rows: [[['Grep', { pattern: 'x' }], 'ask']] },
  {
    about: 'search tools read',
    deny: ['Glob(sec/**)'],
    rows: [[['Glob', { pattern: 'x', path: '/ws/sec' }], 'allow']],
  },
  { about: 'search tools read', deny: ['Read(//etc/**)'], rows: [[['Glob', { pattern: '/etc/*' }], 'deny']] },
  {
    about: 'exceptions within one list',
    deny: ['Read(conf/**)', 'Read(!conf/a.txt)'],
    rows: [
      [read('/ws/conf/a.txt'), 'allow'],
      [read('/ws/conf/b.txt'), 'deny'],
    ],
  },
  {
    about: 'exceptions within one list',
    deny: ['Read(!conf/a.txt)', 'Read(conf/**)'],
    rows: [[read('/ws/conf/a.txt'), 'deny']],
  },
  {
    about: 'exceptions within one list',
    more: { projectSettings: { deny: ['Read(conf/**)'] }, userSettings: { deny: ['Read(!conf/a.txt)'] } },
    rows: [[read('/ws/conf/a.txt'), 'deny']],
  },
];

// Commands, skills and agents over real folders.
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { contextSections } from './contextText';
import { powersOf, readDefinitions, toolList } from './definitions';
import type { ContextPlace } from './places';

let base = '';
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'definitions-')));
  await mkdir(join(base, 'home/repo'), { recursive: true });
});
afterEach(() => rm(base, { recursive: true, force: true }));

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(base, path)), { recursive: true });
    await writeFile(join(base, path), text);
  }
}

const short = (text: string) => text.replaceAll(`${base}/`, '');
const place = (trusted = true, folder = 'home/repo'): ContextPlace => ({
  paths: {
    home: join(base, 'home'),
    claudeConfig: join(base, 'home/.claude'),
    managedSettings: join(base, 'etc/managed-settings.json'),
    hidden: [],
  },
  folder: join(base, folder),
  trusted,
  isTrusted: () => false,
});

test('commands and skills with all that their heads say', async () => {
  await put({
    'home/repo/.claude/commands/web/fix.md': [
      '---',
      'name: other',
      'description: Fixes the page',
      'argument-hint: [file]',
      'arguments: file how',
      'allowed-tools: Read, Bash(git add:*)',
      'disallowed-tools: [WebFetch]',
      'model: sonnet',
      'hooks:',
      '  Stop:',
      '    - hooks: [{"type": "command", "command": "x"}]',
      '---',
      'Fix $file',
    ].join('\n'),
    'home/.claude/skills/notes/SKILL.md': [
      '---',
      'name: release-notes',
      'description: Writes notes',
      'when_to_use: Before a release',
      'disable-model-invocation: true',
      'context: fork',
      'agent: Explore',
      '---',
      'Write them.',
    ].join('\n'),
    'home/.claude/commands/plain.md': '# Plain\n\nDo it.',
  });
  const { skills, problems } = await readDefinitions(place());
  expect(problems).toEqual([]);
  expect(skills.map((skill) => ({ ...skill, file: short(skill.file) }))).toEqual([
    {
      ...{ kind: 'command', name: 'plain', description: 'Plain', whenToUse: '', argumentHint: '', argumentNames: [] },
      ...{
        allow: [],
        deny: [],
        model: null,
        hooks: undefined,
        forPerson: true,
        forModel: true,
        fork: false,
        agent: null,
      },
      ...{ body: '# Plain\n\nDo it.', file: 'home/.claude/commands/plain.md', source: 'user' },
    },
    {
      ...{ kind: 'skill', name: 'release-notes', description: 'Writes notes', whenToUse: 'Before a release' },
      ...{ argumentHint: '', argumentNames: [], allow: [], deny: [], model: null, hooks: undefined },
      ...{ forPerson: true, forModel: false, fork: true, agent: 'Explore', body: 'Write them.' },
      ...{ file: 'home/.claude/skills/notes/SKILL.md', source: 'user' },
    },
    {
      ...{ kind: 'command', name: 'web:fix', description: 'Fixes the page', whenToUse: '', argumentHint: '[file]' },
      ...{ argumentNames: ['file', 'how'], allow: ['Read', 'Bash(git add:*)'], deny: ['WebFetch'], model: 'sonnet' },
      ...{ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'x' }] }] } },
      ...{ forPerson: true, forModel: true, fork: false, agent: null, body: 'Fix $file' },
      ...{ file: 'home/repo/.claude/commands/web/fix.md', source: 'project' },
    },
  ]);
});

test('agents; a mode that would be laxer does not count', async () => {
  await put({
    'home/repo/.claude/agents/a.md':
      '---\nname: careful\ndescription: Looks\ntools: Read, Grep\npermissionMode: plan\nmaxTurns: 3\nmodel: inherit\n---\nLook.',
    'home/repo/.claude/agents/b.md':
      '---\ndescription: Wild\ndisallowedTools: Bash\npermissionMode: bypassPermissions\nbackground: true\nisolation: worktree\nskills: [notes]\n---\nGo.',
  });
  const { agents, problems } = await readDefinitions(place());
  const common = { hooks: undefined, source: 'project' as const };
  expect(agents.map((agent) => ({ ...agent, file: short(agent.file ?? '') }))).toEqual([
    {
      ...{
        name: 'b',
        description: 'Wild',
        prompt: 'Go.',
        tools: null,
        withoutTools: ['Bash'],
        model: null,
        mode: null,
      },
      ...{
        maxTurns: null,
        background: true,
        isolation: 'worktree',
        skills: ['notes'],
        file: 'home/repo/.claude/agents/b.md',
      },
      ...common,
    },
    {
      ...{
        name: 'careful',
        description: 'Looks',
        prompt: 'Look.',
        tools: ['Read', 'Grep'],
        withoutTools: [],
        model: null,
      },
      ...{
        mode: 'plan',
        maxTurns: 3,
        background: false,
        isolation: null,
        skills: [],
        file: 'home/repo/.claude/agents/a.md',
      },
      ...common,
    },
  ]);
  expect(problems.map(short)).toEqual([
    'home/repo/.claude/agents/b.md: permissionMode bypassPermissions was left out: an agent can only be stricter than its session.',
  ]);
});

test('a project’s definition counts over the person’s of the same name; of an untrusted folder none does', async () => {
  await put({
    'home/.claude/commands/fix.md': 'mine',
    'home/repo/.claude/commands/fix.md': 'theirs',
    'home/repo/.claude/agents/evil.md': 'x',
    'home/repo/.claude/skills/evil/SKILL.md': 'x',
  });
  expect((await readDefinitions(place())).skills.map(({ name, body }) => [name, body])).toEqual([
    ['evil', 'x'],
    ['fix', 'theirs'],
  ]);
  const untrusted = await readDefinitions(place(false));
  expect(untrusted.skills.map(({ name, body }) => [name, body])).toEqual([['fix', 'mine']]);
  expect([untrusted.agents, untrusted.waiting.map(short)]).toEqual([
    [],
    ['home/repo/.claude/skills/evil/SKILL.md', 'home/repo/.claude/commands/fix.md', 'home/repo/.claude/agents/evil.md'],
  ]);
});

test('a session on the home folder takes the person’s own files as theirs', async () => {
  await put({ 'home/.claude/commands/fix.md': 'mine' });
  const { skills, waiting } = await readDefinitions(place(false, 'home'));
  expect([skills.map(({ source }) => source), waiting]).toEqual([['user'], []]);
});

test('files that nobody should run are left out and named', async () => {
  await put({
    'home/secret.md': 'secret',
    'home/repo/.claude/commands/broken.md': '---\nallowed-tools\n---\nx',
    'home/repo/.claude/commands/bad name.md': 'x',
    'home/repo/.claude/skills/empty/other.md': 'x',
  });
  await symlink(join(base, 'home/secret.md'), join(base, 'home/repo/.claude/commands/link.md'));
  const { skills, problems } = await readDefinitions(place());
  expect(skills).toEqual([]);
  expect(problems.map(short)).toEqual([
    'home/repo/.claude/commands/bad name.md was left out: its name is not usable.',
    'home/repo/.claude/commands/broken.md was left out: line 2 of it is not understood.',
    'home/repo/.claude/commands/link.md was left out: it is a link to home/secret.md, which lies elsewhere.',
  ]);
});

test('the model is told of skills and agents in a line each', async () => {
  await put({
    'home/repo/.claude/skills/a/SKILL.md': `---\ndescription: ${'long '.repeat(200)}\n---\nx`,
    'home/repo/.claude/commands/hidden.md': '---\ndisable-model-invocation: true\n---\nx',
    'home/repo/.claude/agents/b.md': '---\ndescription: |\n  Two\n  lines\n---\nx',
  });
  const memory = { files: [], conditional: [], waiting: [], problems: [] };
  const lines = contextSections(memory, await readDefinitions(place())).split('\n');
  expect(lines.filter((line) => line.startsWith('- ')).map((line) => [line.slice(0, 12), line.length])).toEqual([
    ['- a: long lo', 400],
    ['- b: Two lin', 14],
  ]);
});

test.each<[unknown, string[]]>([
  ['Read Grep,Bash(npm run test:*)', ['Read', 'Grep', 'Bash(npm run test:*)']],
  [
    ['Read', 'Bash(a b), Grep'],
    ['Read', 'Bash(a b)', 'Grep'],
  ],
  [undefined, []],
  [5, []],
])('tools in %j', (value, expected) => {
  expect(toolList(value)).toEqual(expected);
});

test('names what a project’s definitions bring, and only that', async () => {
  const hooks = (command: string) => `hooks:\n  Stop:\n    - hooks: [{"type": "command", "command": "${command}"}]\n`;
  const files = {
    'home/repo/.claude/commands/free.md': '---\nallowed-tools: Bash(a:*)\n---\nText.',
    'home/repo/.claude/commands/plain.md': '---\ndisallowed-tools: Bash\n---\nText.',
    'home/repo/.claude/agents/busy.md': `---\n${hooks('x')}---\nText.`,
    'home/.claude/commands/own.md': '---\nallowed-tools: Bash\n---\nText.',
  };
  await put(files);
  const before = powersOf(await readDefinitions(place()));
  expect(Object.keys(before).map(short)).toEqual([
    'home/repo/.claude/commands/free.md',
    'home/repo/.claude/agents/busy.md',
  ]);
  await put({ 'home/repo/.claude/commands/free.md': '---\nallowed-tools: Bash(a:*)\n---\nOther text.' });
  expect(powersOf(await readDefinitions(place()))).toEqual(before);
  await put({ 'home/repo/.claude/agents/busy.md': `---\n${hooks('y')}---\nText.` });
  const after = powersOf(await readDefinitions(place()));
  expect(
    Object.entries(after)
      .filter(([file, name]) => before[file] !== name)
      .map(([file]) => short(file)),
  ).toEqual(['home/repo/.claude/agents/busy.md']);
});

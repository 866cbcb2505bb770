import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type MemoryHost, memoryHost } from './testing/memoryHost';

const settings = (permissions: object): string => `${JSON.stringify({ permissions }, null, 2)}\n`;

/** A transcript with shell commands of the project. */
function transcript(host: MemoryHost, commands: readonly string[]): string {
  const lines = commands.map((command, at) =>
    JSON.stringify({
      type: 'assistant',
      uuid: `u${at}`,
      sessionId: 'session-1',
      timestamp: new Date(Date.now() - 60_000).toISOString(),
      cwd: host.folder,
      message: {
        id: `m${at}`,
        role: 'assistant',
        content: [{ type: 'tool_use', id: `toolu_${at}`, name: 'Bash', input: { command } }],
      },
    }),
  );
  const asked = JSON.stringify({
    type: 'user',
    uuid: 'u',
    sessionId: 'session-1',
    timestamp: new Date(Date.now() - 61_000).toISOString(),
    cwd: host.folder,
    permissionMode: 'default',
    message: { role: 'user', content: 'go on' },
  });
  return host.write('home/.claude/projects/-srv-app/session-1.jsonl', `${[asked, ...lines].join('\n')}\n`);
}

it('shows which past calls a draft would allow, and writes nothing but its index', async () => {
  const host = memoryHost();
  const file = transcript(host, ['npm publish', 'npm publish', 'git push', 'ls']);
  const before = readFileSync(file, 'utf8');
  const project = host.write('project/.claude/settings.json', settings({ ask: ['Bash(npm publish *)'] }));
  host.write('project/draft.json', settings({ allow: ['Bash(npm publish *)'] }));

  const text = await host.run('replay', '--settings-draft', 'draft.json');
  expect(text.err).toBe('');
  expect(text.code).toBe(1);
  expect(text.out).toContain('4 calls of the last 30 days: 2 newly allowed, 0 newly asked, 0 newly denied');
  expect(text.out).toContain('ask to allow, 2x: Bash: npm publish');

  const markdown = await host.run('replay', '--settings-draft', 'draft.json', '--markdown');
  expect(markdown.out).toContain('| `Bash: npm publish` | 2 | ask | **allow** |');
  const json = await host.run('replay', '--settings-draft', 'draft.json', '--json');
  expect(JSON.parse(json.out)).toMatchObject({ calls: 4, matrix: { ask: { allow: 2 } } });
  const stricter = await host.run('replay', '--settings-draft', '.claude/settings.json');
  expect(stricter.code).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(readFileSync(project, 'utf8')).toBe(settings({ ask: ['Bash(npm publish *)'] }));
});

it.each([
  [[], 'Give the draft'],
  [['--settings-draft', 'gone.json'], 'there is no such file'],
  [['--settings-draft', 'x', '--revision', 'HEAD'], 'Give the draft'],
  [['--settings-draft', 'x', '--as', 'policy'], '--as knows'],
  [['--settings-draft', 'x', '--days', '0'], '--days is a number'],
])('refuses %j', async (args, problem) => {
  const { code, err } = await memoryHost().run('replay', ...args);
  expect([code, err.includes(problem)]).toEqual([3, true]);
});

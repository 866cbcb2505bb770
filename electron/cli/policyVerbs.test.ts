import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type MemoryHost, memoryHost } from './testing/memoryHost';

const settings = (permissions: object): string => `${JSON.stringify({ permissions }, null, 2)}\n`;

describe('lint', () => {
  it('has nothing to say of a clean folder', async () => {
    const host = memoryHost();
    host.write('project/.claude/settings.json', settings({ allow: ['Bash(npm test *)'] }));
    expect(await host.run('lint')).toEqual({ code: 0, out: 'Nothing to remark.', err: '' });
  });

  it('names the place, and ends with 1', async () => {
    const host = memoryHost();
    host.write('project/.claude/settings.json', settings({ deny: ['Write(x/**)'] }));
    const { code, out } = await host.run('lint', '.');
    expect(code).toBe(1);
    expect(out).toContain('.claude/settings.json:4: error neverConsulted deny Write(x/**)');
    expect(out).toContain('Fix, safe: Write Edit(x/**)');
    const { out: json } = await host.run('lint', '--json');
    expect(JSON.parse(json).findings[0].kind).toBe('neverConsulted');
  });

  it('makes what is safe, keeps the rest of the file, and shows what is left', async () => {
    const host = memoryHost();
    const file = host.write(
      'project/.claude/settings.json',
      '{\n  "model": "x",\n  "permissions": {\n    "allow": ["Bash(ls*)", "Bash(make:*)", "Bash(make *)", "Bash(*)"],\n    "deny": ["Write(x/**)"]\n  }\n}\n',
    );
    const { code, out, err } = await host.run('lint', '--fix-safe');
    expect(err).toContain('Changed: ');
    expect(code).toBe(1);
    expect(out).toContain('overBroad');
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('"model": "x"');
    expect(JSON.parse(text).permissions.deny).toEqual(['Edit(x/**)']);
    expect(JSON.parse(text).permissions.allow).not.toContain('Bash(ls*)');
  });

  it.each([[['a', 'b']], [['--zork']], [['no-such-folder']]])('refuses %j', async (args) => {
    expect((await memoryHost().run('lint', ...args)).code).toBe(3);
  });
});

describe('test', () => {
  const tests = (...list: object[]): string => JSON.stringify({ version: 1, tests: list });
  const pushing = {
    kind: 'call',
    name: 'pushing # asks',
    tool: 'Bash',
    input: { command: 'git push' },
    expect: 'deny',
  };

  it('passes, fails and says why', async () => {
    const host = memoryHost();
    const file = 'project/.gatehouse/rule-tests.json';
    host.write(file, tests(pushing));
    const failed = await host.run('test');
    expect(failed.code).toBe(1);
    expect(failed.out.split('\n').slice(0, 3)).toEqual(['TAP version 13', '1..1', 'not ok 1 - pushing \\# asks']);
    expect(failed.out).toContain('# deny was expected; it came to ask');
    host.write('project/.claude/settings.json', settings({ deny: ['Bash(git push *)'] }));
    expect(await host.run('test')).toEqual({ code: 0, out: 'TAP version 13\n1..1\nok 1 - pushing \\# asks', err: '' });
    const { out } = await host.run('test', '--json');
    expect(JSON.parse(out)).toMatchObject({ passed: 1, failed: 0, problems: [] });
  });

  it('does not pass what it skipped or cannot read', async () => {
    const host = memoryHost();
    host.write('project/.gatehouse/rule-tests.json', tests({ kind: 'later' }));
    const { code, out } = await host.run('test');
    expect(code).toBe(1);
    expect(out).toContain('# .gatehouse/rule-tests.json:1: Test 1 was skipped');
    host.write('project/.gatehouse/rule-tests.json', '{');
    expect((await host.run('test')).code).toBe(1);
  });
});

function git(host: MemoryHost, ...args: readonly string[]): void {
  execFileSync('git', ['-C', host.folder, '-c', 'user.name=kim', '-c', 'user.email=kim@example.com', ...args], {
    env: { PATH: process.env.PATH, HOME: host.home },
    stdio: 'ignore',
  });
}

describe('diff', () => {
  it('compares two revisions without running anything of the repository', async () => {
    const host = memoryHost();
    const marker = join(host.root, 'ran');
    git(host, 'init', '-q', '-b', 'main');
    host.write('project/.gitattributes', '*.json filter=x diff=x\n');
    host.write('project/.claude/settings.json', settings({ deny: ['Bash(git push *)'] }));
    git(host, 'add', '.');
    git(host, 'commit', '-q', '-m', 'one');
    host.write('project/.claude/settings.json', settings({ allow: ['Bash(git push *)'] }));
    git(host, 'commit', '-q', '-a', '-m', 'two');
    for (const key of ['filter.x.smudge', 'diff.x.textconv', 'core.fsmonitor', 'core.pager'])
      git(host, 'config', key, `touch ${marker}`);

    const looser = await host.run('diff', 'HEAD~1', 'HEAD', '--markdown');
    expect(looser.err).toBe('');
    expect(looser.code).toBe(1);
    expect(looser.out).toContain('| `git push --force` (changes what others have) | deny | **allow** |');
    const stricter = await host.run('diff', 'HEAD', 'HEAD~1');
    expect(stricter.code).toBe(0);
    expect(stricter.out).toContain('~ Bash(git push *): allow to deny');
    expect(existsSync(marker)).toBe(false);
  });

  it('compares files', async () => {
    const host = memoryHost();
    host.write('project/a.json', settings({}));
    host.write('project/b.json', settings({ allow: ['Bash(npm publish *)'] }));
    const { code, out } = await host.run('diff', '--files', 'a.json', 'b.json', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ looser: true, rules: [{ kind: 'added' }] });
    expect((await host.run('diff', '--files', 'a.json', 'a.json')).code).toBe(0);
  });

  it.each([[['HEAD']], [['--', '--output=x', 'HEAD']], [['nothing', 'HEAD']], [['--files', 'a.json', 'b.json']]])(
    'refuses %j',
    async (args) => {
      const host = memoryHost();
      git(host, 'init', '-q', '-b', 'main');
      expect((await host.run('diff', ...args)).code).toBe(3);
    },
  );
});

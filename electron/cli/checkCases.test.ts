import { describe, expect, it } from 'vitest';
import { memoryHost } from './testing/memoryHost';

const base = { workspace: '/ws', home: '/home/u', tool: 'Bash', mode: 'default' };
const user = (permissions: object) => ({ user: { permissions } });

async function decide(...cases: readonly object[]) {
  const host = memoryHost();
  const lines = cases.map((one, index) => JSON.stringify({ id: `c${index}`, ...base, ...one }));
  const file = host.write('cases.jsonl', `${lines.join('\n')}\n`);
  const { code, out, err } = await host.run('check', '--cases', file);
  const printed = out.split('\n');
  return { code, err, last: printed.at(-1), answers: printed.slice(0, -1).map((line): unknown => JSON.parse(line)) };
}

/** Only the decision, for a case whose expectation does not matter. */
async function decision(one: object): Promise<unknown> {
  const { answers } = await decide({ expect: 'allow', also_ok: ['ask', 'deny'], ...one });
  const [answer] = answers;
  return typeof answer === 'object' && answer !== null && 'decision' in answer ? answer.decision : answer;
}

describe('gatehouse check --cases', () => {
  it('prints a line for each case and the count', async () => {
    const rules = user({ allow: ['Bash(make:*)'] });
    expect(
      await decide(
        { settings: rules, input: { command: 'make' }, expect: 'allow' },
        { settings: rules, input: { command: 'curl' }, expect: 'allow' },
        { settings: rules, input: { command: 'curl' }, expect: 'deny', also_ok: ['ask'], unheard_of: 1 },
      ),
    ).toEqual({
      code: 1,
      err: '',
      last: '2 passed, 1 failed',
      answers: [
        { id: 'c0', decision: 'allow', reason: 'Bash(make:*) · user', expect: 'allow', ok: true },
        {
          id: 'c1',
          decision: 'ask',
          reason: 'No rule allows it, and curl is not in the read-only set.',
          expect: 'allow',
          ok: false,
        },
        {
          id: 'c2',
          decision: 'ask',
          reason: 'No rule allows it, and curl is not in the read-only set.',
          expect: 'deny',
          ok: true,
        },
      ],
    });
  });

  it('ends with 0 when all passed, empty lines and a byte order mark aside', async () => {
    const host = memoryHost();
    const line = JSON.stringify({ id: 1, ...base, input: { command: 'ls' }, expect: 'allow' });
    const file = host.write('cases.jsonl', `\uFEFF${line}\r\n\n${line}\n`);
    const { code, out } = await host.run('check', '--cases', file);
    expect([code, out.split('\n').at(-1)]).toEqual([0, '2 passed, 0 failed']);
  });

  it.each<[string, object, string]>([
    ['a mode', { mode: 'yolo' }, 'mode: '],
    ['a source', { settings: { enterprise: {} } }, 'settings'],
    ['a platform', { platform: 'beos' }, 'platform: '],
    ['a shell', { shell: 'fish' }, 'shell: '],
    ['a disk', { fs_case: 'maybe' }, 'fs_case: '],
    ['a decision', { expect: 'maybe' }, 'expect: '],
    ['a hook’s decision', { hook_results: [{ permissionDecision: 'perhaps' }] }, 'hook_results.0.permissionDecision: '],
    ['a hook’s event', { hook_results: [{ event: 'preToolUse' }] }, 'hook_results.0.event: '],
    ['a file', { files: { a: { link: 'b' } } }, 'files.a'],
    ['trust', { trusted: 'yes' }, 'trusted: '],
  ])('takes %s that is not known for an error, and goes on', async (_, wrong, message) => {
    const good = { input: { command: 'ls' }, expect: 'allow' };
    const { code, last, answers } = await decide({ ...good, ...wrong }, good);
    expect([code, last]).toEqual([3, '1 passed, 1 failed']);
    expect(answers[0]).toMatchObject({ id: 'c0', decision: 'error', ok: false });
    expect(JSON.stringify(answers[0])).toContain(`Line 1 is not understood: ${message}`);
  });

  it('takes a line that is no JSON for an error', async () => {
    const host = memoryHost();
    const { code, out } = await host.run('check', '--cases', host.write('c.jsonl', '{"id"\n'));
    expect(code).toBe(3);
    expect(out).toContain('"id":"line 1","decision":"error","reason":"Line 1 is not JSON:');
  });

  it('reads all seven sources', async () => {
    for (const source of ['managed', 'cli', 'user', 'project', 'local', 'session', 'flag'])
      expect(
        await decision({
          settings: { [source]: { permissions: { deny: ['Bash(make)'] } } },
          input: { command: 'make' },
        }),
      ).toBe('deny');
  });

  it('drops what an untrusted project allows, keeps what it denies', async () => {
    const settings = {
      project: {
        permissions: {
          allow: ['Bash(make)'],
          deny: ['Bash(node)'],
          additionalDirectories: ['/srv'],
          defaultMode: 'acceptEdits',
        },
      },
    };
    const read = { tool: 'Read', input: { file_path: '/srv/a' } };
    const { mode: _mode, ...noMode } = base;
    const results = async (trusted: boolean) => [
      await decision({ settings, trusted, input: { command: 'make' } }),
      await decision({ settings, trusted, input: { command: 'node' } }),
      await decision({ settings, trusted, ...read }),
      await decision({ ...noMode, mode: undefined, settings, trusted, input: { command: 'touch a' } }),
    ];
    expect(await results(true)).toEqual(['allow', 'deny', 'allow', 'allow']);
    expect(await results(false)).toEqual(['ask', 'deny', 'ask', 'ask']);
  });

  it('lets a policy switch off the rules of everybody else', async () => {
    const managed = { permissions: { allow: ['Bash(node)'] }, allowManagedPermissionRulesOnly: true };
    const settings = { managed, ...user({ allow: ['Bash(make)'] }) };
    expect(await decision({ settings, input: { command: 'make' } })).toBe('ask');
    expect(await decision({ settings, input: { command: 'node' } })).toBe('allow');
  });

  it('narrows by the switches of any source', async () => {
    const outside = { tool: 'Read', input: { file_path: '/srv/a' } };
    const rules = { allow: ['Read(//srv/**)'] };
    expect(await decision({ settings: user(rules), ...outside })).toBe('allow');
    const blocked = user({ ...rules, blockReadsOutsideWorkingDirectories: true });
    expect(await decision({ settings: blocked, ...outside })).toBe('deny');
    expect(await decision({ settings: user({ denyInsteadOfPrompting: true }), input: { command: 'make' } })).toBe(
      'deny',
    );
  });

  it('removes a mode that settings switch off', async () => {
    const settings = { managed: { permissions: { disableBypassPermissionsMode: 'disable' } } };
    const bypass = { mode: 'bypassPermissions', input: { command: 'make' } };
    expect(await decision(bypass)).toBe('allow');
    expect(await decision({ ...bypass, settings })).toBe('ask');
  });

  it.each<[string, readonly object[], string, string]>([
    ['an allow saves the question', [{ permissionDecision: 'allow' }], 'curl', 'allow'],
    ['an allow never beats a deny rule', [{ permissionDecision: 'allow' }], 'rm x', 'deny'],
    ['an allow never beats an ask rule', [{ permissionDecision: 'allow' }], 'git push', 'ask'],
    ['an allow never opens a gate', [{ permissionDecision: 'allow' }], 'rmdir ~', 'ask'],
    ['an ask is a floor', [{ permissionDecision: 'ask' }], 'make', 'ask'],
    ['deny beats ask and allow', [{ permissionDecision: 'allow' }, { permissionDecision: 'deny' }], 'make', 'deny'],
    ['ask beats allow', [{ permissionDecision: 'allow' }, { permissionDecision: 'ask' }], 'make', 'ask'],
    ['defer comes before a person', [{ permissionDecision: 'defer' }], 'make', 'ask'],
    ['exit code 2 denies whatever was printed', [{ exit_code: 2, permissionDecision: 'allow' }], 'make', 'deny'],
    ['exit code 1 is no denial', [{ exit_code: 1 }], 'make', 'allow'],
    ['exit code 1 denies where the hook says so', [{ exit_code: 1, onFailure: 'block' }], 'make', 'deny'],
    ['a hook that was too late has no opinion', [{ timed_out: true, permissionDecision: 'allow' }], 'curl', 'ask'],
    [
      'nothing said in so many words',
      [{ permissionDecision: null, updatedInput: null, stderr: null }],
      'make',
      'allow',
    ],
    ['the older word for deny', [{ decision: 'block' }], 'make', 'deny'],
    ['the nested form', [{ hookSpecificOutput: { permissionDecision: 'deny' } }], 'make', 'deny'],
    ['other events say nothing', [{ event: 'PostToolUse', permissionDecision: 'deny' }], 'make', 'allow'],
    ['a rewrite meets the rules', [{ updatedInput: { command: 'rm x' } }], 'make', 'deny'],
    ['a rewrite sheds no deny', [{ permissionDecision: 'allow', updatedInput: { command: 'ls' } }], 'rm x', 'deny'],
    ['a rewrite may make it allowed', [{ updatedInput: { command: 'make' } }], 'curl', 'allow'],
    [
      'of two rewrites the last counts',
      [{ updatedInput: { command: 'curl' } }, { updatedInput: { command: 'make' } }],
      'curl',
      'allow',
    ],
  ])('hooks: %s', async (_, hooks, command, expected) => {
    const settings = user({ allow: ['Bash(make:*)'], ask: ['Bash(git push:*)'], deny: ['Bash(rm:*)'] });
    expect(await decision({ settings, hook_results: hooks, input: { command } })).toBe(expected);
  });

  it('follows links, also on disks that ignore case', async () => {
    const linked = { files: { Link: { symlink: '/srv/x' } }, tool: 'Read' };
    expect(await decision({ ...linked, input: { file_path: '/ws/link' } })).toBe('allow');
    expect(await decision({ ...linked, input: { file_path: '/ws/link' }, fs_case: 'insensitive' })).toBe('ask');
    expect(await decision({ ...linked, input: { file_path: 'Link' } })).toBe('ask');
  });

  it('knows Windows paths', async () => {
    const windows = { platform: 'win32', workspace: 'C:\\proj', tool: 'Read' };
    expect(await decision({ ...windows, input: { file_path: 'c:\\PROJ\\a.ts' } })).toBe('allow');
    expect(await decision({ ...windows, input: { file_path: 'C:\\proj-evil\\a.ts' } })).toBe('ask');
    expect(await decision({ ...windows, input: { file_path: 'src\\..\\..\\a.ts' } })).toBe('ask');
  });

  it('decides 1,000 cases in less than five seconds of work', async () => {
    const commands = ['git status -s', 'make && curl -s x | sh', 'cd a && cp b c > d', 'echo "$(rm -rf ~)"'];
    const cases = Array.from({ length: 1_000 }, (_, index) => ({
      settings: user({ allow: ['Bash(make:*)', 'Edit(/src/**)'], deny: ['Bash(rm:*)'] }),
      input: { command: `${commands[index % commands.length] ?? ''} ${index}` },
      expect: 'allow',
      also_ok: ['ask', 'deny'],
    }));
    // The processor's time, so that other work on the machine does not count.
    const before = process.cpuUsage();
    expect((await decide(...cases)).last).toBe('1000 passed, 0 failed');
    const { user: used, system } = process.cpuUsage(before);
    expect((used + system) / 1_000).toBeLessThan(5_000);
  });
});

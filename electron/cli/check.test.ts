import { describe, expect, it } from 'vitest';
import { type MemoryHost, memoryHost } from './testing/memoryHost';

const settings = (permissions: object) => JSON.stringify({ permissions });
const bash = (command: string) => ['check', '--tool', 'Bash', '--input', JSON.stringify({ command })];

function prepared(): MemoryHost {
  const host = memoryHost();
  host.write('home/.claude/settings.json', settings({ allow: ['Bash(make:*)'] }));
  host.write('project/.claude/settings.json', settings({ deny: ['Bash(make evil:*)'], allow: ['Bash(node:*)'] }));
  host.write('project/.claude/settings.local.json', settings({ ask: ['Bash(make publish)'] }));
  return host;
}

describe('gatehouse check', () => {
  it.each([
    ['make all', 0],
    ['make publish', 1],
    ['make evil now', 2],
    ['curl x', 1],
    ['ls', 0],
  ])('%s → exit %d', async (command, code) => {
    expect((await prepared().run(...bash(command))).code).toBe(code);
  });

  it('names rule, file and line', async () => {
    const host = prepared();
    const { out } = await host.run(...bash('make all && make evil now'));
    expect(out.replaceAll(host.root, '')).toBe(`DENY: Bash may not do this
├─ by the rule Bash(make evil:*) · project, /project/.claude/settings.json:1
├─ 2 parts, each with its own verdict
│  ├─ allow: run make all
│  │  └─ by the rule Bash(make:*) · user, /home/.claude/settings.json:1
│  └─ deny: run make evil now
│     └─ by the rule Bash(make evil:*) · project, /project/.claude/settings.json:1
├─ rules that fit
│  ├─ decides: deny Bash(make evil:*) · project, /project/.claude/settings.json:1
│  │  ├─ fits make evil now
│  │  └─ Deny beats ask and allow.
│  └─ loses: allow Bash(make:*) · user, /home/.claude/settings.json:1
│     ├─ fits make all | make evil now
│     └─ Deny beats allow, whichever is narrower and whichever file it stands in.
├─ rules that nearly fit
│  └─ ask Bash(make publish) · local, /project/.claude/settings.local.json:1
│     └─ make all: The rule says “publish” where the call says “all”.
├─ commands found
│  ├─ make all (make is not in the read-only set)
│  └─ make evil now (make is not in the read-only set)
└─ mode Default: Reads run; everything else asks unless a rule allows it.`);
  });

  it('answers in JSON', async () => {
    const { out } = await prepared().run(...bash('make evil now'), '--json');
    expect(JSON.parse(out)).toMatchObject({
      decision: 'deny',
      reason: 'Bash(make evil:*) · project, line 1',
      because: { type: 'rule', rule: { text: 'Bash(make evil:*)', source: 'projectSettings', line: 1 } },
      parts: [{ text: 'make evil now', behavior: 'deny' }],
      problems: [],
      why: { tool: 'Bash', mode: 'default', rules: [{ standing: 'wins' }, { standing: 'loses' }] },
    });
  });

  it('takes more settings as JSON and as a file', async () => {
    const host = prepared();
    const asJson = await host.run(...bash('make all'), '--settings', settings({ deny: ['Bash(make all)'] }));
    expect(asJson.code).toBe(2);
    host.write('project/more.json', settings({ ask: ['Bash(make all)'] }));
    const asFile = await host.run(...bash('make all'), '--settings', 'more.json');
    expect(asFile.code).toBe(1);
    expect(asFile.out).toContain(`Bash(make all) · flag, ${host.folder}/more.json:1`);
  });

  it.each<[string, readonly string[], readonly [number, boolean]]>([
    ['what nothing decides in auto', ['curl x', '--mode', 'auto'], [1, true]],
    ['what only reads', ['ls', '--mode', 'auto'], [0, false]],
    ['what a rule allows', ['make all', '--mode', 'auto'], [0, false]],
    ['what a rule asks', ['make publish', '--mode', 'auto'], [1, false]],
    ['what a rule denies', ['make evil', '--mode', 'auto'], [2, false]],
    ['what a broad rule would allow elsewhere', ['node x.js', '--mode', 'auto'], [1, true]],
    ['a critical removal', ['rm -rf /', '--mode', 'auto'], [1, false]],
    ['another mode', ['curl x', '--mode', 'default'], [1, false]],
    [
      'another mode where something is described',
      ['curl x', '--settings', '{"autoMode":{"allow":["fetches"]}}'],
      [1, true],
    ],
    [
      'auto where it is switched off',
      ['curl x', '--mode', 'auto', '--settings', settings({ disableAutoMode: 'disable' })],
      [1, false],
    ],
  ])('says that the model is not asked here: %s', async (_name, [command = '', ...more], [code, said]) => {
    const host = prepared();
    const words =
      'A model would now be asked what it thinks of the call. It is not asked here: this is what follows when it is not sure.';
    const text = await host.run(...bash(command), ...more);
    expect([text.code, text.out.split('\n').includes(words)]).toEqual([code, said]);
    const json = await host.run(...bash(command), ...more, '--json');
    expect([json.code, JSON.parse(json.out).notAsked]).toEqual([code, said ? words : undefined]);
  });

  it('takes a mode and a folder, and the mode that the settings begin with', async () => {
    const host = prepared();
    expect((await host.run(...bash('curl x'), '--mode', 'dontAsk')).code).toBe(2);
    expect((await host.run(...bash('touch a'), '--mode', 'acceptEdits')).code).toBe(0);
    host.write('other/.claude/settings.json', settings({ defaultMode: 'acceptEdits' }));
    expect((await host.run(...bash('touch a'), '--cwd', '../other')).code).toBe(0);
    expect((await host.run(...bash('make evil'), '--cwd', '../other')).code).toBe(0);
  });

  it('leaves out what a folder allows as long as nobody trusts it', async () => {
    const host = prepared();
    const trusted = await host.run(...bash('node x.js'));
    expect(trusted.code).toBe(0);
    expect(trusted.out).toContain('as if you trust the folder. --untrusted leaves them out.');
    const untrusted = await host.run(...bash('node x.js'), '--untrusted');
    expect(untrusted.code).toBe(1);
    expect(untrusted.out).toContain(
      'node x.js: It came with this folder and does not count until you trust the folder.',
    );
    expect((await host.run(...bash('make evil'), '--untrusted')).code).toBe(2);
    expect((await host.run(...bash('node x.js'), '--trusted')).out).toBe(trusted.out);
    const both = await host.run(...bash('node x.js'), '--trusted', '--untrusted');
    expect([both.code, both.err]).toEqual([3, expect.stringContaining('--trusted and --untrusted contradict')]);
  });

  it('knows files, hosts and servers too', async () => {
    const host = prepared();
    const check = async (tool: string, input: object) =>
      (await host.run('check', '--tool', tool, '--input', JSON.stringify(input))).code;
    expect(await check('Read', { file_path: 'a.txt' })).toBe(0);
    expect(await check('Read', { file_path: '/etc/hosts' })).toBe(1);
    expect(await check('Read', { file_path: `${host.root}/data/secrets.json` })).toBe(2);
    expect(await check('WebFetch', { url: 'https://example.org', prompt: 'x' })).toBe(1);
    expect(await check('mcp__db__query', {})).toBe(1);
  });

  it('tells of a broken settings file and goes on with the others', async () => {
    const host = prepared();
    const file = host.write('project/.claude/settings.local.json', '{');
    const { code, err } = await host.run(...bash('make all'));
    expect(code).toBe(0);
    expect(err).toContain(`${file}:1: `);
  });

  it('writes nothing', async () => {
    const host = memoryHost();
    await host.run(...bash('make'));
    const { readdirSync } = await import('node:fs');
    expect(readdirSync(host.root, { recursive: true }).sort()).toEqual(['home', 'project']);
  });
});

describe('bad usage ends with 3, the cause and the next step', () => {
  it.each<[string, readonly string[], string]>([
    ['no tool', ['--input', '{}'], '--tool is missing. Name the tool'],
    ['no input', ['--tool', 'Bash'], '--input is missing. Give the input of Bash as JSON'],
    ['input that is no JSON', ['--tool', 'Bash', '--input', 'ls'], '--input is not JSON:'],
    ['input that is no object', ['--tool', 'Bash', '--input', '[1]'], '--input must be a JSON object'],
    ['input without its field', ['--tool', 'Bash', '--input', '{}'], 'This is no input for Bash: command:'],
    [
      'a mode that is not there',
      ['--tool', 'X', '--input', '{}', '--mode', 'x'],
      'There is no mode “x”. Modes: default,',
    ],
    ['an option that is not there', ['--tol', 'Bash'], "Unknown option '--tol'"],
    ['a folder that is not there', ['--tool', 'X', '--input', '{}', '--cwd', 'nowhere'], 'nowhere is no folder.'],
    [
      'settings that are not there',
      ['--tool', 'X', '--input', '{}', '--settings', 'no.json'],
      'there is no such file.',
    ],
    ['settings that are no JSON', ['--tool', 'X', '--input', '{}', '--settings', '{"a'], '--settings is not JSON:'],
    ['cases beside a tool', ['--cases', 'x', '--tool', 'Bash'], '--tool does not go with --cases'],
    ['a file of cases that is not there', ['--cases', 'no.jsonl'], 'cannot be read (ENOENT). Check the path.'],
  ])('%s', async (_, args, message) => {
    const { code, out, err } = await memoryHost().run('check', ...args);
    expect(code).toBe(3);
    expect(out).toBe('');
    expect(err).toContain(message);
  });

  it('a settings file that is broken', async () => {
    const host = memoryHost();
    host.write('project/s.json', '{"permissions":');
    const { code, err } = await host.run(...bash('ls'), '--settings', 's.json');
    expect(code).toBe(3);
    expect(err).toContain('Line 1, column');
  });
});

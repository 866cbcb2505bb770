import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PermissionMode } from '#shared/permissions/modes';
import type { Evaluation, PermissionEngine, PermissionRequest } from './engine';
import { compileCommand } from './matchCommand';
import { createPermissionEngine } from './permissionEngine';
import type { CommandSandbox } from './sandboxed';
import { loadSecondParser } from './shell/treeSitter';
import { engineWorld } from './testing/engineWorld';

let base: string;
let engine: PermissionEngine;
const { project, file, engineOptions, situation, bash, put, permissions } = engineWorld(() => base);

const usual: CommandSandbox = { active: true, refusal: '', autoAllow: false, allowOutside: true, excluded: [] };
let sandbox = usual;

const excluded = (...texts: readonly string[]): Partial<CommandSandbox> => ({
  excluded: texts.map((text) => ({ text, where: 'user settings', pattern: compileCommand(text) })),
});

beforeAll(async () => {
  await loadSecondParser();
  base = await realpath(await mkdtemp(join(tmpdir(), 'sandboxed-')));
  for (const folder of ['data', 'home/.claude', 'etc', 'project/.claude', 'elsewhere'])
    await mkdir(join(base, folder), { recursive: true });
  engine = createPermissionEngine({ ...engineOptions(), commandSandbox: () => sandbox });
  await engine.openSession('s', project());
}, 60_000);
afterAll(async () => {
  await engine.dispose();
  await rm(base, { recursive: true, force: true });
});

interface Case {
  readonly sandbox?: Partial<CommandSandbox>;
  readonly rules?: Readonly<Record<string, readonly string[]>>;
  readonly mode?: PermissionMode;
  readonly command: string;
  readonly wanted?: boolean;
  readonly more?: Partial<PermissionRequest>;
}

async function evaluated(one: Case): Promise<Evaluation> {
  sandbox = { ...usual, ...one.sandbox };
  await put(file.user(), permissions(one.rules ?? {}));
  const request = bash(one.command);
  const facts =
    one.wanted === true ? request.facts.map((fact) => ({ ...fact, outside: true as const })) : request.facts;
  return await engine.evaluate(
    { ...request, facts, ...one.more } as PermissionRequest,
    situation({ mode: one.mode ?? 'default' }),
  );
}

/** `allow inside`, `ask outside safety outsideSandbox`: what is decided, what it would run in, and why. */
async function outcome(one: Case): Promise<string> {
  const { decision, confinement } = await evaluated(one);
  const { reason } = decision;
  const why = reason.type === 'safety' ? `safety ${reason.check}` : reason.type;
  return `${decision.behavior} ${confinement?.runs ?? 'nowhere'} ${why}`;
}

const modes: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan', 'bypassPermissions'];

describe('a command that the model wants to run outside', () => {
  it.each(modes)('is always put before a person, in the mode %s', async (mode) => {
    const rules = { allow: ['Bash', 'Bash(ls:*)'] };
    expect(await outcome({ command: 'ls', wanted: true, rules, mode })).toBe('ask outside safety outsideSandbox');
  });

  it.each<readonly [string, Omit<Case, 'command'>, string]>([
    ['is denied where nobody is asked', { mode: 'dontAsk' }, 'deny outside mode'],
    [
      'is not opened by a hook before the call',
      { more: { hook: { behavior: 'allow', detail: 'x' } } },
      'ask outside safety outsideSandbox',
    ],
    [
      'is answered by a hook in the person’s place',
      { more: { answer: { behavior: 'allow', detail: 'x' } } },
      'allow outside hook',
    ],
    ['is denied by a rule first', { rules: { deny: ['Bash(make:*)'] } }, 'deny outside rule'],
    ['is asked about by a rule first', { rules: { ask: ['Bash(make:*)'] } }, 'ask outside rule'],
    [
      'runs inside where that is switched off',
      { sandbox: { allowOutside: false }, rules: { allow: ['Bash(make:*)'] } },
      'allow inside rule',
    ],
    ['is not let out by the sandbox it leaves', { sandbox: { autoAllow: true } }, 'ask outside safety outsideSandbox'],
    [
      'leaves nothing where there is no sandbox',
      { sandbox: { active: false }, rules: { allow: ['Bash(make:*)'] } },
      'allow asIs rule',
    ],
  ])('%s', async (_what, one, expected) => {
    expect(await outcome({ command: 'make', wanted: true, ...one })).toBe(expected);
  });

  it('can be allowed once, never for good', async () => {
    const { suggestions, noSuggestions, decision } = await evaluated({ command: 'make', wanted: true });
    expect({ suggestions, noSuggestions }).toEqual({
      suggestions: [],
      noSuggestions: 'No rule can allow this; it is asked every time.',
    });
    expect(decision.why?.gates).toEqual([
      { check: 'outsideSandbox', detail: expect.stringContaining('outside of the sandbox'), decides: true },
    ]);
  });
});

describe('commands that a setting excludes', () => {
  it.each<readonly [pattern: string, command: string, runs: 'inside' | 'outside']>([
    ['docker *', 'docker ps', 'outside'],
    ['docker *', 'docker', 'outside'],
    ['docker:*', 'docker run -v "$PWD":/x image', 'outside'],
    ['docker ps', 'docker ps', 'outside'],
    ['docker', 'docker ps', 'inside'],
    ['docker *', 'dockerd', 'inside'],
    ['docker *', 'ls && docker ps | head', 'outside'],
    ['docker *', 'if true; then docker ps; fi', 'outside'],
    ['docker *', 'echo "$(docker ps)"', 'outside'],
    ['docker *', 'timeout 5 docker ps', 'outside'],
    // Not the command itself.
    ['docker *', 'echo docker ps', 'inside'],
    ['docker *', 'sh -c "docker ps"', 'inside'],
    ['docker *', './docker ps', 'inside'],
    ['docker *', '$X ps', 'inside'],
    ['docker *', 'd?cker ps', 'inside'],
    // What decides which program it is must be sure.
    ['docker *', 'PATH=/srv/evil docker ps', 'inside'],
    ['docker *', 'LD_PRELOAD=/srv/x.so docker ps', 'inside'],
    // One part that no parser understood never takes the rest along.
    ['docker *', 'docker ps; echo "unfinished', 'inside'],
    ['docker *', 'docker ps; ls \u200b', 'inside'],
  ])('%s: %s', async (pattern, command, runs) => {
    const { confinement } = await evaluated({ command, sandbox: excluded(pattern) });
    expect(confinement?.runs).toBe(runs);
  });

  it.each<readonly [string, Omit<Case, 'command' | 'sandbox'>, string]>([
    ['ask as they always did', {}, 'ask outside noRule'],
    ['run by a rule', { rules: { allow: ['Bash(docker:*)'] } }, 'allow outside rule'],
    ['are denied by a rule', { rules: { deny: ['Bash(docker:*)'] } }, 'deny outside rule'],
    ['ask in plan mode', { mode: 'plan', rules: { allow: ['Bash(docker:*)'] } }, 'ask outside mode'],
  ])('%s', async (_what, one, expected) => {
    expect(
      await outcome({ command: 'docker run x', sandbox: { ...excluded('docker *'), autoAllow: true }, ...one }),
    ).toBe(expected);
  });

  it('say so in what lies behind the decision', async () => {
    const { decision, confinement } = await evaluated({ command: 'docker run x', sandbox: excluded('docker *') });
    const detail =
      'docker run x runs outside of the sandbox, and with it the whole line: docker * is in sandbox.excludedCommands (user settings).';
    expect(confinement?.outside).toEqual({ kind: 'excluded', detail });
    expect(decision.why?.opinions).toContain(detail);
  });

  it('leave it to the model’s wish where it has one', async () => {
    const { confinement } = await evaluated({ command: 'docker ps', wanted: true, sandbox: excluded('docker *') });
    expect(confinement?.outside?.kind).toBe('wanted');
  });
});

describe('the sandbox in place of an ask', () => {
  const on: Partial<CommandSandbox> = { autoAllow: true };

  it.each<readonly [string, Case, string]>([
    ['lets a command run', { command: 'npm test' }, 'allow inside tool'],
    ['lets it run in dontAsk', { command: 'npm test', mode: 'dontAsk' }, 'allow inside tool'],
    ['stands for an ask for all of Bash', { command: 'npm test', rules: { ask: ['Bash'] } }, 'allow inside tool'],
    ['not for an ask of its own', { command: 'npm test', rules: { ask: ['Bash', 'Bash(npm:*)'] } }, 'ask inside rule'],
    ['never for a refusal', { command: 'npm test', rules: { deny: ['Bash(npm:*)'] } }, 'deny inside rule'],
    ['never in plan mode', { command: 'npm test', mode: 'plan' }, 'ask inside mode'],
    [
      'never in plan mode, nor past the ask there',
      { command: 'ls', mode: 'plan', rules: { ask: ['Bash'] } },
      'ask inside rule',
    ],
    ['never for what must not be lost', { command: 'rm -rf ~' }, 'ask inside safety criticalRemoval'],
    ['never for what decides about later runs', { command: 'echo x > .bashrc' }, 'ask inside safety protectedPath'],
    ['never for what runs outside', { command: 'docker run x', sandbox: excluded('docker *') }, 'ask outside noRule'],
    ['never for a line that no parser understood', { command: 'echo "unfinished' }, 'ask inside noRule'],
    ['never for a command whose name is not known', { command: '$X y' }, 'ask inside noRule'],
    ['never without a sandbox', { command: 'npm test', sandbox: { active: false } }, 'ask asIs noRule'],
    [
      'never against a hook that asks',
      { command: 'npm test', more: { hook: { behavior: 'ask', detail: 'x' } } },
      'ask inside hook',
    ],
    [
      'never against a tool that asks',
      { command: 'npm test', more: { own: { behavior: 'ask', detail: 'x' } } },
      'ask inside tool',
    ],
  ])('%s', async (_what, one, expected) => {
    expect(await outcome({ ...one, sandbox: { ...on, ...one.sandbox } })).toBe(expected);
  });

  it('is off unless a setting says so', async () => {
    expect(await outcome({ command: 'npm test' })).toBe('ask inside noRule');
  });
});

describe('no command without a sandbox, where a setting says so', () => {
  const refusal = 'no sandbox here';

  it.each<readonly [string, Case, string]>([
    ['refuses each command', { command: 'ls', rules: { allow: ['Bash'] } }, 'deny asIs safety noSandbox'],
    ['in bypass too', { command: 'ls', mode: 'bypassPermissions' }, 'deny asIs safety noSandbox'],
    ['names a rule that denies first', { command: 'ls', rules: { deny: ['Bash(ls:*)'] } }, 'deny asIs rule'],
  ])('%s', async (_what, one, expected) => {
    expect(await outcome({ ...one, sandbox: { active: false, refusal } })).toBe(expected);
  });

  it('refuses code, and no file', async () => {
    sandbox = { ...usual, active: false, refusal };
    const about = { isMcp: false, isReadOnly: true, own: { behavior: 'passthrough' as const }, input: {} };
    const code = { kind: 'code' as const, language: 'javascript' as const, code: '1', cwd: project() };
    const path = { kind: 'path' as const, access: 'read' as const, path: join(project(), 'a') };
    const of = async (toolName: string, fact: PermissionRequest['facts'][number]) =>
      (await engine.evaluate({ ...about, toolName, facts: [fact] }, situation())).decision.behavior;
    expect([await of('REPL', code), await of('Read', path)]).toEqual(['deny', 'allow']);
  });
});

// Plan mode from both ends, through pipeline and engine.
import { afterEach, describe, expect, it } from 'vitest';
import type { PermissionMode } from '#shared/permissions/modes';
import type { AskAnswer } from '#shared/session/ask';
import type { JsonValue } from '#shared/util/json';
import { type HookOutcome, noHookOutcome, noHooks } from '../../hooks/hooks';
import { type RuledBench, type RuledBenchOptions, ruledBench } from '../../pipeline/testing/ruledBench';
import { createEnterPlanModeTool } from '../enterPlanMode/enterPlanMode';
import { createExitPlanModeTool } from './exitPlanMode';

const open: RuledBench[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.dispose()));
});

async function planning(options: RuledBenchOptions = {}): Promise<RuledBench> {
  const held: { bench?: RuledBench['bench'] } = {};
  const sessions = () => {
    if (held.bench === undefined) throw new Error('not there yet');
    return held.bench.sessions;
  };
  const plans = {
    mode: (sessionId: string) => sessions().state(sessionId).mode,
    change: (sessionId: string, mode: PermissionMode) => {
      sessions().append(sessionId, { type: 'mode.changed', mode });
      return Promise.resolve();
    },
  };
  const b = await ruledBench({ ...options, tools: [createEnterPlanModeTool(plans), createExitPlanModeTool(plans)] });
  held.bench = b.bench;
  open.push(b);
  return b;
}

const plan = '# Tides\n\n1. Read the table\n2. Write the test';

async function exit(b: RuledBench, mode: PermissionMode = 'plan', input: JsonValue = { plan }) {
  const { call, after } = await b.run({ tool: 'ExitPlanMode', input, mode });
  return {
    status: call.status,
    text: 'modelText' in call ? call.modelText : '',
    asked: b.asked.length,
    mode: b.bench.sessions.state(b.sessionId).mode,
    stops: after.stopTurn,
  };
}

describe('ExitPlanMode', () => {
  it.each<[string, AskAnswer, PermissionMode, string]>([
    ['approved', { kind: 'allowOnce' }, 'default', 'Default'],
    ['approved with a mode', { kind: 'allowOnce', mode: 'acceptEdits' }, 'acceptEdits', 'Accept edits'],
  ])('%s', async (_name, answer, mode, label) => {
    expect(await exit(await planning({ answer }))).toEqual({
      status: 'succeeded',
      text: `The plan is approved, and plan mode is over (now: ${label}). Begin the work. The approved plan:\n\n${plan}`,
      asked: 1,
      mode,
      stops: false,
    });
  });

  it('keeps planning, with words and without', async () => {
    const words = await exit(await planning({ answer: { kind: 'deny', words: 'first the tests' } }));
    expect(words).toMatchObject({ status: 'denied', mode: 'plan', stops: false });
    expect(words.text).toContain('first the tests');
    expect(await exit(await planning({ answer: { kind: 'deny' } }))).toMatchObject({ mode: 'plan', stops: true });
  });

  it.each<[string, RuledBenchOptions]>([
    ['an allow rule', { allow: ['ExitPlanMode'] }],
    ['an ask rule', { ask: ['ExitPlanMode'] }],
  ])('asks in spite of %s', async (_name, rules) => {
    expect(await exit(await planning(rules))).toMatchObject({ status: 'succeeded', asked: 1 });
  });

  it('is denied by a rule, and where nobody can be asked', async () => {
    expect(await exit(await planning({ deny: ['ExitPlanMode'] }))).toMatchObject({ status: 'denied', mode: 'plan' });
    expect(await exit(await planning({ canAsk: false }))).toMatchObject({ status: 'denied', asked: 0, mode: 'plan' });
  });

  it.each<PermissionMode>(['default', 'acceptEdits', 'bypassPermissions'])(
    'has nothing to leave in %s',
    async (mode) => {
      expect(await exit(await planning(), mode)).toMatchObject({ status: 'failed', asked: 0, mode });
    },
  );

  it.each<[string, Partial<HookOutcome>, RuledBenchOptions, number]>([
    ['a bare allow of a hook', {}, {}, 1],
    ['an allow with the input', { updatedInput: { value: { plan }, hook: 'h' } }, {}, 0],
    [
      'an allow with the input against an ask rule',
      { updatedInput: { value: { plan }, hook: 'h' } },
      { ask: ['ExitPlanMode'] },
      1,
    ],
  ])('%s', async (_name, outcome, rules, asked) => {
    const said: HookOutcome = {
      ...noHookOutcome,
      ran: 1,
      opinion: { behavior: 'allow', reason: '', hook: 'h' },
      ...outcome,
    };
    const hooks = {
      ...noHooks,
      listens: () => true,
      fire: (event: { readonly name: string }) => Promise.resolve(event.name === 'PreToolUse' ? said : noHookOutcome),
    };
    expect(await exit(await planning({ ...rules, hooks }))).toMatchObject({
      status: 'succeeded',
      asked,
      mode: 'default',
    });
  });

  it('does not take a mode that was not offered', async () => {
    const b = await planning({ answer: { kind: 'allowOnce', mode: 'bypassPermissions' } });
    const stop = new AbortController();
    const call = b.run({ tool: 'ExitPlanMode', input: { plan }, mode: 'plan', signal: stop.signal });
    await expect.poll(() => b.asked.length).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(b.bench.sessions.state(b.sessionId).mode).toBe('plan');
    stop.abort();
    expect((await call).call.status).toBe('interrupted');
  });

  it.each([{ plan: ' ' }, {}, { plan, mode: 'default' }, { plan: 'x'.repeat(30_001) }])(
    'input %# is an error',
    async (input) => {
      expect(await exit(await planning(), 'plan', input)).toMatchObject({ status: 'failed', asked: 0, mode: 'plan' });
    },
  );
});

describe('EnterPlanMode', () => {
  it.each<[PermissionMode, string, PermissionMode]>([
    ['default', 'succeeded', 'plan'],
    ['acceptEdits', 'succeeded', 'plan'],
    ['bypassPermissions', 'succeeded', 'plan'],
    ['plan', 'failed', 'plan'],
    ['dontAsk', 'failed', 'dontAsk'],
  ])('from %s: %s', async (mode, status, after) => {
    const b = await planning();
    const { call } = await b.run({ tool: 'EnterPlanMode', input: {}, mode });
    expect([call.status, b.bench.sessions.state(b.sessionId).mode, b.asked.length]).toEqual([status, after, 0]);
  });
});

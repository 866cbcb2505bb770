import { describe, expect, it } from 'vitest';
import { ToolView } from '#shared/api/tools';
import type { RuleRef } from '#shared/permissions/decision';
import { ModelFailure, type ModelRequest } from '../model/client';
import { CountedTotals } from './countedTotals';
import { usualPolicy } from './loadingPolicy';
import { createRegistry, openContext } from './registry';
import { plainMcpTool, plainTool } from './testing/plainTool';
import { toolSearchTool } from './toolSearch/toolSearch';
import { estimatedTotals, figuresOf, firstRequests, toolViews } from './toolViews';

const registry = createRegistry({
  tools: [
    plainTool('Bash', { aliases: ['Shell'], maxResultSizeChars: Number.POSITIVE_INFINITY }),
    plainTool('Rare', { shouldDefer: true, governedBy: ['Edit'], searchHint: 'rare things' }),
    plainTool('Gone'),
    toolSearchTool,
  ],
  mcpTools: [plainMcpTool('db', 'query', { searchHint: 'ask' })],
  context: { ...openContext, deniedNames: ['Gone'] },
});
const rule = (text: string, behavior: RuleRef['behavior']): RuleRef => ({ text, behavior, source: 'userSettings' });
const rules = [
  rule('Bash(git *)', 'allow'),
  rule('Shell', 'ask'),
  rule('Edit(src/**)', 'allow'),
  rule('mcp__db', 'deny'),
  rule('mcp__db__query', 'ask'),
  rule('mcp__dbs', 'deny'),
];

describe('toolViews', () => {
  it('has every tool once, in order, with state, reason and the rules that name it', () => {
    const views = toolViews({ registry, found: [], rules });
    expect(views.map((view) => [view.name, view.state, view.reason, view.rules.map(({ text }) => text)])).toEqual([
      ['Bash', 'loaded', 'It is needed often.', ['Bash(git *)', 'Shell']],
      ['Gone', 'disabled', 'A deny rule takes it away.', []],
      ['Rare', 'deferred', 'It is rarely needed, so the model knows its name and searches for it.', ['Edit(src/**)']],
      ['ToolSearch', 'loaded', 'The model finds other tools with it.', []],
      ['mcp__db__query', 'loaded', 'There is room for it in the request.', ['mcp__db', 'mcp__db__query']],
    ]);
    for (const view of views) expect(ToolView.safeParse(view).error).toBeUndefined();
  });

  it('shows a tool as the model gets it', () => {
    const [bash] = toolViews({ registry, found: [], rules: [] });
    expect(bash).toEqual({
      name: 'Bash',
      aliases: ['Shell'],
      ruleName: 'Bash',
      origin: { kind: 'builtIn' },
      state: 'loaded',
      reason: 'It is needed often.',
      tokens: 55,
      hint: '',
      description: 'Does Bash.',
      schema: {
        type: 'object',
        properties: { text: { type: 'string', description: 'Some text.' } },
        required: ['text'],
        additionalProperties: false,
      },
      rules: [],
      capabilities: {
        canBeReadOnly: false,
        asksPerson: false,
        onStop: 'cancel',
        maxResultChars: null,
        alwaysLoad: false,
        shouldDefer: false,
      },
    });
  });

  it('shows what the model has searched for as loaded', () => {
    const [, , rare] = toolViews({ registry, found: ['Rare'], rules: [] });
    expect([rare?.name, rare?.state, rare?.reason]).toEqual(['Rare', 'loaded', 'The model has searched for it.']);
  });
});

describe('figures', () => {
  const requests = firstRequests(registry);

  it('compare the first request with one that has everything, which needs no search', () => {
    expect(requests.withDeferral.tools.map(({ name }) => name)).toEqual(['Bash', 'ToolSearch', 'mcp__db__query']);
    expect(requests.withoutDeferral.tools.map(({ name }) => name)).toEqual(['Bash', 'Rare', 'mcp__db__query']);
    const chars = (tools: readonly object[]) => tools.reduce((sum, tool) => sum + JSON.stringify(tool).length, 0);
    expect(estimatedTotals(requests)).toEqual({
      withDeferral: Math.ceil((chars(requests.withDeferral.tools) + requests.withDeferral.section.length) / 3.5),
      withoutDeferral: Math.ceil(chars(requests.withoutDeferral.tools) / 3.5),
      source: 'estimated',
    });
  });

  it('say who loads what is found', () => {
    const totals = estimatedTotals(requests);
    const loadedBy = (bringsTools: boolean, one = registry) => figuresOf(one, { totals, bringsTools }).loadedBy;
    const never = createRegistry({ tools: [toolSearchTool], policy: { ...usualPolicy, deferral: 'never' } });
    expect([loadedBy(true), loadedBy(false), loadedBy(true, never)]).toEqual(['server', 'gatehouse', 'nobody']);
  });
});

describe('CountedTotals', () => {
  const requests = firstRequests(registry);
  const counting = (answer: (tools: ModelRequest['tools']) => Promise<number>) => {
    const asked: number[] = [];
    const countTokens = ({ tools }: { readonly tools: ModelRequest['tools'] }) => {
      asked.push(tools.length);
      return answer(tools);
    };
    return { asked, about: { client: { countTokens }, model: 'm', signal: new AbortController().signal } };
  };

  it('takes off what a request costs without tools, and asks once', async () => {
    const { asked, about } = counting((tools) => Promise.resolve(12 + tools.length * 100));
    const totals = new CountedTotals();
    const expected = { withDeferral: 300, withoutDeferral: 300, source: 'counted' };
    expect(await totals.of(requests, about)).toEqual(expected);
    expect(await totals.of(requests, about)).toEqual(expected);
    expect(asked).toEqual([0, 3, 3]);
  });

  it('gives up where the server cannot be asked, and tries again later', async () => {
    const down = new ModelFailure('It is down.', { next: '', retryable: true });
    let up = false;
    const { about } = counting((tools) => (up ? Promise.resolve(tools.length) : Promise.reject(down)));
    const totals = new CountedTotals();
    expect(await totals.of(requests, about)).toBeNull();
    up = true;
    expect((await totals.of(requests, about))?.source).toBe('counted');
    expect(await totals.of(requests, { ...about, client: {} })).toBeNull();
  });
});

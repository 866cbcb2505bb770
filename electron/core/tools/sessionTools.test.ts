import { expect, it } from 'vitest';
import type { RuleRef } from '#shared/permissions/decision';
import { emptyState } from '#shared/session/state';
import { usualPolicy } from './loadingPolicy';
import { SessionTools, type ToolWishes } from './sessionTools';
import { plainMcpTool, plainTool } from './testing/plainTool';
import type { AnyTool } from './tool';

const rule = (text: string, behavior: RuleRef['behavior']): RuleRef => ({ text, behavior, source: 'session' });
const wish: ToolWishes = { features: new Set(), toolSet: 'all', policy: usualPolicy };

function world() {
  const now = {
    rules: [] as readonly RuleRef[],
    mcp: [] as readonly AnyTool[],
    mode: 'default' as 'default' | 'dontAsk',
    wishes: wish,
    off: false,
  };
  const tools = new SessionTools({
    tools: [plainTool('Bash', { canBeReadOnly: () => true }), plainTool('Write', { isEnabled: () => !now.off })],
    mcpTools: () => now.mcp,
    sessions: { state: () => ({ ...emptyState(), mode: now.mode }) },
    engine: { inForce: () => now.rules },
    wishes: () => now.wishes,
  });
  return { now, tools, names: () => tools.registry('s').tools.map(({ name }) => name) };
}

it.each<[string, (now: ReturnType<typeof world>['now']) => void, readonly string[]]>([
  ['a deny rule', (now) => Object.assign(now, { rules: [rule('Bash', 'deny')] }), ['Write']],
  ['a deny rule for all', (now) => Object.assign(now, { rules: [rule('Bash(*)', 'deny')] }), ['Write']],
  ['a rule for a part', (now) => Object.assign(now, { rules: [rule('Bash(npm *)', 'deny')] }), ['Bash', 'Write']],
  ['a mode that asks nobody', (now) => Object.assign(now, { mode: 'dontAsk' }), ['Bash']],
  [
    'that mode and a rule',
    (now) => Object.assign(now, { mode: 'dontAsk', rules: [rule('Write(a/**)', 'allow')] }),
    ['Bash', 'Write'],
  ],
  [
    'a server that comes',
    (now) => Object.assign(now, { mcp: [plainMcpTool('a', 'x')] }),
    ['Bash', 'Write', 'mcp__a__x'],
  ],
  ['a tool that is switched off', (now) => Object.assign(now, { off: true }), ['Bash']],
  ['the simple set', (now) => Object.assign(now, { wishes: { ...wish, toolSet: 'simple' } }), ['Bash']],
])('%s counts with the next look', (_, change, expected) => {
  const { now, names } = world();
  const before = names();
  change(now);
  expect([before, names()]).toEqual([['Bash', 'Write'], expected]);
});

it('keeps a pool as long as all that decides about it stays', () => {
  const { now, tools } = world();
  const first = tools.registry('s');
  now.wishes = { ...wish, features: new Set(), policy: { ...usualPolicy } };
  const same = tools.registry('s') === first;
  now.mcp = [plainMcpTool('a', 'x')];
  const other = tools.registry('s');
  expect([same, other === first, tools.registry('s') === other]).toEqual([true, false, true]);
});

import { expect, test } from 'vitest';
import type { Decision, PartVerdict } from '#shared/permissions/decision';
import { ruleFor } from './ruleFor';
import { asks } from './testing/samples';

const reason = { type: 'noRule', detail: '' } as const;
const part = (kind: PartVerdict['kind'], text: string, behavior: PartVerdict['behavior'] = 'ask'): PartVerdict => ({
  kind,
  text,
  behavior,
  reason,
});
const decided = (...parts: PartVerdict[]): Decision => ({ ...asks, parts });

test.each<[string, string, Decision | null, string]>([
  [
    'the part that is in the way',
    'Bash',
    decided(part('command', 'ls', 'allow'), part('command', 'rm x')),
    'Bash(rm x)',
  ],
  ['brackets in a command', 'Bash', decided(part('command', 'echo (a)')), 'Bash(echo (a))'],
  ['a file that is written', 'Write', decided(part('write', '/srv/app/a.ts')), 'Edit(//srv/app/a.ts)'],
  ['a file that is read', 'Read', decided(part('read', 'src/a.ts')), 'Read(src/a.ts)'],
  ['a host', 'WebFetch', decided(part('host', 'example.org')), 'WebFetch(domain:example.org)'],
  ['a tool as a whole', 'mcp__files__read', decided(part('tool', 'mcp__files__read')), 'mcp__files__read'],
  ['no decision', 'Read', null, 'Read'],
])('%s', (_name, tool, decision, rule) => {
  expect(ruleFor({ tool, decision })).toBe(rule);
});

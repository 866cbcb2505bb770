// Several handlers of one event: who wins, what is kept.
import { expect, it } from 'vitest';
import type { HookEventName } from '#shared/session/hookRun';
import { combine, type NamedVote } from './combine';
import { type HookOpinion, type HookOutcome, noHookOutcome } from './hooks';
import { noVote, type Vote } from './verdict';

const votes = (...wanted: readonly Partial<Vote>[]): readonly NamedVote[] =>
  wanted.map((one, index) => ({ hook: `h${index}`, vote: { ...noVote, ...one } }));
const says = (behavior: HookOpinion['behavior'], more: Partial<Vote> = {}): Partial<Vote> => ({
  opinion: { behavior, reason: 'r' },
  ...more,
});
const opinion = (behavior: HookOpinion['behavior'], hook: string): HookOpinion => ({ behavior, reason: 'r', hook });
const input = (value: string): Partial<Vote> => ({ updatedInput: { value } });

it.each<[string, HookEventName, readonly Partial<Vote>[], Partial<HookOutcome>]>([
  ['nobody', 'PreToolUse', [], {}],
  ['no opinions', 'PreToolUse', [{}, {}], {}],
  [
    'deny over all',
    'PreToolUse',
    [says('allow'), says('ask'), says('defer'), says('deny')],
    { opinion: opinion('deny', 'h3') },
  ],
  ['defer over ask', 'PreToolUse', [says('allow'), says('ask'), says('defer')], { opinion: opinion('defer', 'h2') }],
  ['ask over allow', 'PreToolUse', [says('allow'), {}, says('ask')], { opinion: opinion('ask', 'h2') }],
  ['the first of equals', 'PreToolUse', [says('allow'), says('allow')], { opinion: opinion('allow', 'h0') }],
  [
    'the last rewrite in order',
    'PreToolUse',
    [input('a'), says('allow', input('b')), {}],
    { opinion: opinion('allow', 'h1'), updatedInput: { value: 'b', hook: 'h1' } },
  ],
  ['no rewrite beside a deny', 'PreToolUse', [input('a'), says('deny')], { opinion: opinion('deny', 'h1') }],
  [
    'the first block and the first stop',
    'Stop',
    [{}, { block: 'b1', stop: 's1' }, { block: 'b2', stop: 's2' }],
    { block: { reason: 'b1', hook: 'h1' }, stop: { reason: 's1', hook: 'h1' } },
  ],
  [
    'all context, messages and retries',
    'PostToolUse',
    [
      { context: ['a'], messages: ['m'] },
      { context: ['b', 'c'], retry: true },
    ],
    { context: ['a', 'b', 'c'], messages: ['m'], retry: true },
  ],
  [
    'the last changed result',
    'PostToolUse',
    [{ updatedOutput: { value: 1 } }, { updatedOutput: { value: null } }],
    { updatedOutput: { value: null, hook: 'h1' } },
  ],
  [
    'changes of permission with an allow',
    'PermissionRequest',
    [says('allow', { permissionUpdates: [{ type: 'setMode', mode: 'plan' }] })],
    { opinion: opinion('allow', 'h0'), permissionUpdates: [{ type: 'setMode', mode: 'plan' }] },
  ],
  [
    'none beside a deny, whose interruption counts',
    'PermissionRequest',
    [says('allow', { permissionUpdates: [{ type: 'setMode', mode: 'plan' }] }), says('deny', { interrupt: true })],
    { opinion: opinion('deny', 'h1'), interrupt: true },
  ],
])('%s', (_name, event, given, expected) => {
  expect(combine(event, votes(...given))).toEqual({ ...noHookOutcome, ran: given.length, ...expected });
});

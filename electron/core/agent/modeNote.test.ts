import { expect, it, test } from 'vitest';
import type { PermissionMode } from '#shared/permissions/modes';
import { bench, message } from '../testing/bench';
import { contextText } from './contextText';
import type { Entry } from './entry';
import { modeNote, modeSource } from './modeNote';

const said = (kind: 'person' | 'context', text: string): Entry => ({ kind, seq: 0, text });
const noted = (mode: PermissionMode, isAgent = false): Entry =>
  said(
    'context',
    contextText(modeSource, modeNote({ entries: mode === 'plan' ? [] : [noted('plan')], mode, isAgent }) ?? ''),
  );
const forged = said('person', noted('plan').kind === 'context' ? 'The session is in plan mode now' : '');

it.each<[string, readonly Entry[], PermissionMode, boolean, RegExp | null]>([
  ['never on', [], 'default', false, null],
  ['switched on', [], 'plan', false, /is in plan mode now: .*ExitPlanMode/],
  ['still on', [noted('plan')], 'plan', false, null],
  ['switched off', [noted('plan')], 'acceptEdits', false, /no longer in plan mode/],
  ['still off', [noted('plan'), noted('default')], 'default', false, null],
  ['on again', [noted('plan'), noted('default')], 'plan', false, /is in plan mode now/],
  ['a person’s words are no note', [forged], 'plan', false, /is in plan mode now/],
  ['a sub-agent has no plan to present', [], 'plan', true, /say in your report/],
  ['a sub-agent, still on', [noted('plan', true)], 'plan', true, null],
])('%s', (_, entries, mode, isAgent, note) => {
  const found = modeNote({ entries, mode, isAgent });
  if (note === null) expect(found).toBeNull();
  else expect(found).toMatch(note);
});

test('the model hears of it at its next message, once', async () => {
  const b = bench({ plays: ['One.', 'Two.', 'Three.', 'Four.'].map((text) => message({ text })) });
  for (const mode of ['plan', 'plan', 'default', 'default'] as const) {
    if (b.sessions.state(b.sessionId).mode !== mode) b.sessions.append(b.sessionId, { type: 'mode.changed', mode });
    const ended = b.until((body) => body.type === 'turn.finished');
    b.agent.send(b.sessionId, 'go');
    await ended;
  }
  const last = b.requests.map(({ messages }) => JSON.stringify(messages.at(-1)?.content));
  expect(last.map((text) => [/is in plan mode now/.test(text), /no longer in plan mode/.test(text)])).toEqual([
    [true, false],
    [false, false],
    [false, true],
    [false, false],
  ]);
});

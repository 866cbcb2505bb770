import { describe, expect, it } from 'vitest';
import { findPlaces } from './findPlaces';
import type { SessionState } from './state';
import type { ToolCall } from './toolCall';

function call(callId: string, output: string): ToolCall {
  return {
    callId,
    messageId: 'a1',
    name: 'Bash',
    input: { command: 'tide --now' },
    presentation: {
      title: 'Bash',
      summary: 'tide --now',
      activity: 'Running tide',
      icon: 'terminal',
      view: { kind: 'terminal', command: 'tide --now' },
    },
    createdAt: 1,
    steps: [],
    currentStep: null,
    decision: null,
    status: 'succeeded',
    endedAt: 2,
    view: { kind: 'terminal', command: 'tide --now', output, exitCode: 0 },
    modelText: output,
    note: '',
  };
}

const state: Pick<SessionState, 'items' | 'calls'> = {
  items: [
    { kind: 'user', messageId: 'u1', text: 'Show me the Tide, the tide', at: 1 },
    {
      kind: 'assistant',
      messageId: 'a1',
      at: 2,
      blocks: [
        { type: 'thinking', thinking: 'the tide', signature: '' },
        { type: 'text', text: 'The tide rises (a*b).' },
        { type: 'tool_use', id: 'c1', name: 'Bash', input: {} },
      ],
      stopReason: 'tool_use',
    },
    { kind: 'notice', at: 3, level: 'info', text: 'the tide', next: '' },
  ],
  calls: { c2: call('c2', 'nothing'), c1: call('c1', 'low \u001b[31mti\u001b[0mde at 4') },
};

describe('findPlaces', () => {
  const message = { messageId: 'u1', callId: null, block: null };
  const answer = { messageId: 'a1', callId: null, block: 1 };
  const inCall = (callId: string) => ({ messageId: 'a1', callId, block: null });
  it.each([
    [
      'any case, colours aside, calls where they stand',
      { text: 'tide', matchCase: false },
      [
        { ...message, count: 2 },
        { ...answer, count: 1 },
        { ...inCall('c1'), count: 2 },
        { ...inCall('c2'), count: 1 },
      ],
    ],
    ['case as it is', { text: 'Tide', matchCase: true }, [{ ...message, count: 1 }]],
    ['signs as they are', { text: '(a*b)', matchCase: false }, [{ ...answer, count: 1 }]],
    ['nothing', { text: 'zebra', matchCase: false }, []],
    ['no text', { text: '', matchCase: false }, []],
  ])('%s', (_, sought, places) => {
    const total = places.reduce((sum, { count }) => sum + count, 0);
    expect(findPlaces(state, sought)).toEqual({ places, total, truncated: false });
  });

  it('tells of a bounded number of places that there are more', () => {
    const items = Array.from({ length: 6_000 }, (_, index) => ({
      kind: 'user' as const,
      messageId: `u${index}`,
      text: 'x',
      at: index,
    }));
    const found = findPlaces({ items, calls: {} }, { text: 'x', matchCase: true });
    expect([found.places.length, found.total, found.truncated]).toEqual([5_000, 5_000, true]);
  });
});

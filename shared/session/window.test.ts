import { describe, expect, test } from 'vitest';
import type { SessionEvent, SessionEventBody } from './events';
import { lightCall } from './light';
import { reduce } from './reduce';
import { emptyState, type SessionState } from './state';
import { callsOf, itemTotal, newestOf, positionOf, windowAt } from './window';

const model = { id: 'm', label: 'M', scripted: false };
const presentation = { title: 'Bash', summary: 'ls', activity: '', icon: 'terminal' as const };
const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };

const created = (callId: string, messageId: string, agentId?: string): SessionEventBody => ({
  type: 'call.created',
  callId,
  messageId,
  name: 'Bash',
  input: { command: 'ls' },
  presentation,
  ...(agentId === undefined ? {} : { agentId }),
});
const finished = (callId: string, text = 'out'): SessionEventBody => ({
  type: 'call.finished',
  callId,
  status: 'succeeded',
  content: [{ type: 'text', text }],
  view: { kind: 'text', text },
  note: '',
});
const agent = (callId: string): SessionEventBody => ({
  type: 'agent.changed',
  agent: {
    agentId: 'a1',
    callId,
    parent: null,
    type: 'general',
    description: '',
    model: 'm',
    background: false,
    status: 'running',
    startedAt: 1,
    endedAt: null,
    note: '',
  },
});

/** Turns of a message, an answer with one call, and a last answer; the second turn's call started a sub-agent. */
function turns(count: number): SessionEventBody[] {
  return [
    { type: 'session.created', folder: '/f', title: 'T', mode: 'default', model, network: false },
    ...Array.from({ length: count }, (_, turn): SessionEventBody[] => [
      { type: 'message.sent', messageId: `u${turn}`, text: `go ${turn}` },
      { type: 'turn.started', turnId: `t${turn}`, model },
      { type: 'assistant.started', messageId: `m${turn}` },
      { type: 'assistant.finished', messageId: `m${turn}`, stopReason: 'tool_use', usage },
      created(`m${turn}.0`, `m${turn}`),
      ...(turn === 1 ? [agent('m1.0'), created('x.0', 'x', 'a1'), finished('x.0')] : []),
      finished(`m${turn}.0`),
      { type: 'assistant.started', messageId: `n${turn}` },
      { type: 'assistant.block', messageId: `n${turn}`, index: 0, block: { type: 'text', text: 'done' } },
      { type: 'assistant.finished', messageId: `n${turn}`, stopReason: 'end_turn', usage },
      { type: 'turn.finished', turnId: `t${turn}`, outcome: 'done' },
    ]).flat(),
  ];
}

const events = (bodies: readonly SessionEventBody[], after = 0): SessionEvent[] =>
  bodies.map((body, index) => ({ seq: after + index + 1, at: after + index + 1, body }));
const stateOf = (bodies: readonly SessionEventBody[]): SessionState => events(bodies).reduce(reduce, emptyState());

const whole = stateOf(turns(6));

/** First position, turns before, ids of items and of calls. */
const brief = (window: ReturnType<typeof windowAt>) =>
  window === null
    ? null
    : [
        window.first,
        window.turnsBefore,
        window.items.map((item) => ('messageId' in item ? item.messageId : item.kind)).join(' '),
        window.calls.map((call) => call.callId).join(' '),
      ];

describe('windowAt', () => {
  test.each<[string, Parameters<typeof windowAt>[1], number, unknown]>([
    ['before a position', { before: 6 }, 3, [3, 1, 'u1 m1 n1', 'm1.0 x.0']],
    ['before a position near the beginning', { before: 2 }, 5, [0, 0, 'u0 m0', 'm0.0']],
    ['before the beginning', { before: 0 }, 5, [0, 0, '', '']],
    ['from a position', { from: 16 }, 5, [16, 6, 'm5 n5', 'm5.0']],
    ['from the end', { from: 18 }, 5, [18, 6, '', '']],
    ['from beyond the end', { from: 90 }, 5, [18, 6, '', '']],
    ['around a position', { around: 9 }, 4, [7, 3, 'm2 n2 u3 m3', 'm2.0 m3.0']],
    ['around the first', { around: 0 }, 4, [0, 0, 'u0 m0 n0 u1', 'm0.0']],
    ['around the last', { around: 17 }, 4, [14, 5, 'n4 u5 m5 n5', 'm5.0']],
    ['at a message', { messageId: 'u3' }, 2, [8, 3, 'n2 u3', '']],
    ['at a call', { callId: 'm4.0' }, 2, [12, 4, 'u4 m4', 'm4.0']],
    ['at a call of a sub-agent', { callId: 'x.0' }, 2, [3, 1, 'u1 m1', 'm1.0 x.0']],
    ['at no message', { messageId: 'none' }, 2, null],
    ['at no call', { callId: 'none' }, 2, null],
    [
      'more than there are',
      { from: 0 },
      500,
      [
        0,
        0,
        whole.items.map((item) => 'messageId' in item && item.messageId).join(' '),
        Object.keys(whole.calls).join(' '),
      ],
    ],
  ])('%s', (_what, place, count, expected) => {
    expect(brief(windowAt(whole, place, count))).toEqual(expected);
  });
});

test('the newest items and the windows before them make the whole, whatever their lengths', () => {
  for (let newest = 1; newest <= 20; newest += 1)
    for (let page = 1; page <= 7; page += 3) {
      const end = newestOf(whole, newest);
      let { items, firstItem, turnsBefore } = end;
      const calls = new Map(Object.values(end.calls).map((call) => [call.callId, call]));
      while (firstItem > 0) {
        const window = windowAt(whole, { before: firstItem }, page);
        if (window === null) throw new Error('there is no window');
        items = [...window.items, ...items];
        ({ first: firstItem, turnsBefore } = window);
        for (const call of window.calls) calls.set(call.callId, call);
      }
      const byNumber = [...calls.values()].sort((a, b) => (a.number ?? 0) - (b.number ?? 0));
      const joined = {
        ...end,
        items,
        firstItem,
        turnsBefore,
        calls: Object.fromEntries(byNumber.map((call) => [call.callId, call])),
      };
      expect([newest, page, joined]).toEqual([newest, page, whole]);
    }
});

test('events go on from the newest items as from the whole', () => {
  const more = turns(9).slice(turns(6).length);
  const after = turns(6).length;
  for (const count of [1, 4, 18]) {
    const part = events(more, after).reduce(reduce, newestOf(whole, count));
    const all = events(more, after).reduce(reduce, whole);
    expect(itemTotal(part)).toBe(itemTotal(all));
    expect(newestOf(part, count)).toEqual(newestOf(all, count));
    expect(part.callsMade).toBe(all.callsMade);
  }
});

test('a call that has not ended comes along, however long ago it was made', () => {
  const bodies = turns(6).filter((body) => body.type !== 'call.finished' || body.callId !== 'm0.0');
  expect(Object.keys(newestOf(stateOf(bodies), 3).calls)).toEqual(['m0.0', 'm5.0']);
});

test('calls belong to their messages and to the calls that started their agents', () => {
  expect(callsOf(whole, whole.items.slice(3, 5)).map(({ callId }) => callId)).toEqual(['m1.0', 'x.0']);
  expect([positionOf(whole, { callId: 'x.0' }), positionOf(whole, { messageId: 'x' })]).toEqual([4, null]);
});

describe('lightCall', () => {
  const call = whole.calls['m0.0'];
  if (call === undefined || !('view' in call)) throw new Error('no call');
  const long = 'x'.repeat(50_000);
  const views: [string, NonNullable<typeof call.view>][] = [
    ['terminal', { kind: 'terminal', command: 'ls', output: long, exitCode: 0 }],
    ['text', { kind: 'text', text: long }],
    ['markdown', { kind: 'markdown', text: long }],
    ['image', { kind: 'image', mediaType: 'image/png', base64: long, alt: 'a' }],
    ['table', { kind: 'table', columns: ['a'], rows: Array.from({ length: 5_000 }, () => ['cell of a row']) }],
    ['json', { kind: 'json', value: Array.from({ length: 5_000 }, (_, id) => ({ id, text: long.slice(0, 600) })) }],
    [
      'files',
      {
        kind: 'files',
        files: Array.from({ length: 5_000 }, (_, id) => ({ path: `/srv/app/${id}` })),
        truncated: false,
      },
    ],
    [
      'diff',
      {
        kind: 'diff',
        path: '/srv/app/a',
        created: false,
        hunks: [
          {
            oldStart: 1,
            newStart: 1,
            lines: Array.from({ length: 5_000 }, () => ({ sign: '+' as const, text: 'line' })),
          },
        ],
        added: 5_000,
        removed: 0,
        truncated: false,
      },
    ],
  ];

  test.each(views)('keeps the kind of a long %s, and little of it', (_kind, view) => {
    const light = lightCall({ ...call, view, modelText: long, input: { command: long } });
    expect([light.light, 'view' in light && light.view?.kind]).toEqual([true, view.kind]);
    expect(JSON.stringify(light).length).toBeLessThan(30_000);
    expect(lightCall(light)).toBe(light);
  });

  test('a short call stays the very same, and so does one that has not ended', () => {
    const unfinished = turns(1).filter((body) => body.type !== 'call.finished');
    const running = stateOf(
      unfinished.map((body) => (body.type === 'call.created' ? { ...body, input: { command: long } } : body)),
    ).calls['m0.0'];
    if (running === undefined) throw new Error('no call');
    expect(lightCall(call)).toBe(call);
    expect(lightCall(running)).toBe(running);
  });

  test('a pair of surrogates is not cut in two', () => {
    const light = lightCall({ ...call, view: { kind: 'text', text: `x${'😀'.repeat(20_000)}` } });
    const text = 'view' in light && light.view?.kind === 'text' ? light.view.text : '';
    expect([text.length, /[\ud800-\udbff]$/.test(text)]).toEqual([5_999, false]);
  });
});

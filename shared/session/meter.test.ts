// What the models used, by model, by turn and by sub-agents.
import { expect, it } from 'vitest';
import type { SessionEventBody } from './events';
import { reduce } from './reduce';
import { emptyState, meteredTurns } from './state';

const model = (id: string) => ({ id, label: id, scripted: false });
const usage = (inputTokens: number, cacheReadTokens = 0) => ({
  inputTokens,
  outputTokens: 1,
  cacheReadTokens,
  cacheWriteTokens: 0,
});
const finished = (used: ReturnType<typeof usage>, more: { agentId?: string; messageId?: string } = {}) =>
  ({ type: 'assistant.finished', messageId: 'm', stopReason: 'end_turn', usage: used, ...more }) as const;
const turn = (turnId: string, id: string) => ({ type: 'turn.started', turnId, model: model(id) }) as const;
const agent = (id: string): SessionEventBody => ({
  type: 'agent.changed',
  agent: {
    agentId: 'a1',
    callId: 'c',
    parent: null,
    type: 'Explore',
    description: '',
    model: id,
    background: false,
    status: 'running',
    startedAt: 1,
    endedAt: null,
    note: '',
  },
});
const after = (...bodies: readonly SessionEventBody[]) =>
  bodies.reduce((state, body, index) => reduce(state, { seq: index + 1, at: index + 1, body }), emptyState()).meter;

it('counts by the model of the turn, sub-agents by theirs', () => {
  const meter = after(
    turn('t1', 'large'),
    finished(usage(10, 5)),
    agent('small'),
    finished(usage(100), { agentId: 'a1' }),
    turn('t2', 'other'),
    finished(usage(20)),
  );
  expect(meter).toEqual({
    byModel: { large: usage(10, 5), small: usage(100), other: usage(20) },
    agents: usage(100),
    model: 'other',
    last: usage(20),
    turns: [
      { turnId: 't1', startedAt: 1, byModel: { large: usage(10, 5), small: usage(100) }, agents: usage(100) },
      {
        turnId: 't2',
        startedAt: 5,
        byModel: { other: usage(20) },
        agents: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
      },
    ],
  });
});

it('does not take a summary, or what was compacted, for the state of the window', () => {
  const summed = after(turn('t1', 'm'), finished(usage(10)), finished(usage(90), { messageId: 'summary' }));
  const compacted = {
    type: 'conversation.compacted',
    throughSeq: 1,
    summary: '',
    trigger: 'auto',
    tokensBefore: 1,
  } as const;
  expect([summed.last, after(turn('t1', 'm'), finished(usage(10)), compacted).last]).toEqual([usage(10), null]);
});

it('keeps the newest turns', () => {
  const turns = Array.from({ length: meteredTurns + 5 }, (_, index) => turn(`t${index}`, 'm'));
  const kept = after(...turns).turns.map(({ turnId }) => turnId);
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([meteredTurns, 't5', `t${meteredTurns + 4}`]);
});

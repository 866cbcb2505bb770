import { expect, it } from 'vitest';
import type { SessionEvent } from '../session/events';
import { emptyTrace, foldTrace } from './foldTrace';
import { traceEvents } from './testing/traceEvents';
import { ranMs, waitedMs, wholeMs } from './times';
import { TotalsCounter } from './totals';
import type { TraceRow } from './traceRow';

function folded(events: readonly SessionEvent[]) {
  const fold = emptyTrace();
  for (const event of events) foldTrace(fold, event);
  return fold;
}

const rowsOf = (events: readonly SessionEvent[]): readonly TraceRow[] =>
  [...folded(events).entries.values()].map(({ row }) => row);

it('makes rows of calls, with their steps, who decided and who asked', () => {
  expect(rowsOf(traceEvents)).toEqual([
    {
      callId: 'c1',
      number: 1,
      name: 'Bash',
      title: 'Bash',
      icon: 'terminal',
      what: 'npm test',
      messageId: 'm1',
      agent: null,
      createdAt: 1_000,
      endedAt: 3_001,
      status: 'succeeded',
      verdict: 'allow',
      cause: 'rule',
      because: 'Bash(npm test *) · project, line 3',
      steps: [
        { step: 'lookup', startedAt: 1_000, endedAt: 1_000.5, waitedMs: 0, outcome: 'passed' },
        { step: 'preHook', startedAt: 1_001, endedAt: 1_005, waitedMs: 0, outcome: 'touched' },
        { step: 'permission', startedAt: 1_005, endedAt: 1_006, waitedMs: 0, outcome: 'passed' },
        { step: 'execution', startedAt: 1_006, endedAt: 3_000, waitedMs: 0, outcome: 'passed' },
      ],
      prompts: [],
      waitedMs: 0,
      hooks: { runs: 2, failed: 1, changed: 0 },
      keptBytes: 50_000,
    },
    {
      callId: 'c2',
      number: 2,
      name: 'Bash',
      title: 'Bash',
      icon: 'terminal',
      what: 'git push ⏎ origin',
      messageId: 'm1',
      agent: null,
      createdAt: 4_000,
      endedAt: null,
      status: 'running',
      verdict: 'ask',
      cause: 'person',
      because: 'you; asked because of Bash(git push *) · project, line 21',
      steps: [
        { step: 'permission', startedAt: 4_001, endedAt: 14_003, waitedMs: 10_000, outcome: 'passed' },
        { step: 'execution', startedAt: 14_004, endedAt: null, waitedMs: 0, outcome: 'passed' },
      ],
      prompts: [{ askedAt: 4_002, answeredAt: 14_002, by: 'person' }],
      waitedMs: 10_000,
      hooks: { runs: 0, failed: 0, changed: 0 },
      keptBytes: null,
    },
    {
      callId: 'c3',
      number: 3,
      name: 'Bash',
      title: 'Bash',
      icon: 'terminal',
      what: 'rm -rf cache',
      messageId: 'm2',
      agent: { agentId: 'a1', name: 'check the stations', byCall: 'c2' },
      createdAt: 15_000,
      endedAt: 15_004,
      status: 'denied',
      verdict: 'deny',
      cause: 'noRule',
      because: 'no rule',
      steps: [{ step: 'permission', startedAt: 15_001, endedAt: 15_003, waitedMs: 0, outcome: 'stopped' }],
      prompts: [],
      waitedMs: 0,
      hooks: { runs: 0, failed: 0, changed: 0 },
      keptBytes: null,
    },
  ]);
});

it('keeps hooks that ran for no call, and numbers what each event touched', () => {
  const { hooks, entries, seq } = folded(traceEvents);
  expect([...hooks.values()].map((hook) => [hook.seq, hook.run.event])).toEqual([[2, 'SessionStart']]);
  expect([...entries.values()].map(({ firstSeq, lastSeq }) => [firstSeq, lastSeq])).toEqual([
    [4, 15],
    [16, 22],
    [23, 27],
  ]);
  expect(seq).toBe(27);
});

it('never changes a row that it has given out', () => {
  const fold = emptyTrace();
  const given: { row: TraceRow; copy: TraceRow }[] = [];
  for (const event of traceEvents) {
    foldTrace(fold, event);
    for (const { row } of fold.entries.values()) given.push({ row, copy: structuredClone(row) });
  }
  for (const { row, copy } of given) expect(row).toEqual(copy);
});

it('ends what was open when a call is interrupted, and begins anew when it is taken up again', () => {
  const open = traceEvents.slice(0, 17);
  const asked: readonly SessionEvent[] = [
    ...open,
    {
      seq: 18,
      at: 9_000,
      body: { type: 'call.finished', callId: 'c2', status: 'interrupted', content: [], view: null, note: '' },
    },
  ];
  expect(rowsOf(asked)[1]).toMatchObject({
    status: 'interrupted',
    endedAt: 9_000,
    prompts: [{ askedAt: 4_002, answeredAt: 9_000, by: 'abort' }],
  });
  const again: readonly SessionEvent[] = [
    ...asked,
    { seq: 19, at: 9_500, body: { type: 'call.reopened', callId: 'c2' } },
  ];
  expect(rowsOf(again)[1]).toMatchObject({ status: 'checking', endedAt: null, verdict: null, cause: null, steps: [] });
});

it('counts the time in which a running command waits for hosts, once where it waits for two', () => {
  const at = traceEvents.at(-1)?.at ?? 0;
  const seq = traceEvents.at(-1)?.seq ?? 0;
  const asked = (askId: string, host: string, callId = 'c2'): SessionEvent['body'] => ({
    type: 'network.asked',
    ask: { askId, callId, host, port: 443, command: 'curl', agent: null, patterns: [host] },
  });
  const answered = (askId: string, by: 'person' | 'abort'): SessionEvent['body'] => ({
    type: 'network.answered',
    askId,
    callId: 'c2',
    outcome: { by, allowed: false },
  });
  const bodies: readonly [after: number, SessionEvent['body']][] = [
    [10, asked('n1', 'a.example')],
    [20, asked('n2', '2001:db8::1')],
    // Of a call that has ended: its task waits in its own time.
    [25, asked('n3', 'b.example', 'c1')],
    [40, answered('n1', 'person')],
    [60, answered('n2', 'abort')],
    [70, answered('n4', 'person')],
  ];
  const events = bodies.map(([after, body], index) => ({ seq: seq + 1 + index, at: at + after, body }));
  const before = rowsOf(traceEvents);
  const [first, second] = rowsOf([...traceEvents, ...events]);
  if (second === undefined || before[1] === undefined) throw new Error('two calls');
  expect(first).toEqual(before[0]);
  expect(second.prompts.slice(1)).toEqual([
    { askedAt: at + 10, answeredAt: at + 40, by: 'person', host: 'a.example:443' },
    { askedAt: at + 20, answeredAt: at + 60, by: 'abort', host: '[2001:db8::1]:443' },
  ]);
  expect(waitedMs(second, at + 100) - waitedMs(before[1], at + 100)).toBe(50);
});

it('knows nothing of calls that it has not seen begin', () => {
  expect(rowsOf(traceEvents.slice(4, 15))).toEqual([]);
});

it('measures a call that goes on until now, a person’s time apart', () => {
  const open = rowsOf(traceEvents.slice(0, 17))[1];
  const running = rowsOf(traceEvents)[1];
  if (open === undefined || running === undefined) throw new Error('two calls');
  const lengths = (row: TraceRow, now: number) => [wholeMs(row, now), waitedMs(row, now), ranMs(row, now)];
  expect(lengths(open, 9_002)).toEqual([5_002, 5_000, 2]);
  expect(lengths(running, 15_000)).toEqual([11_000, 10_000, 1_000]);
});

it('adds up time by tool, decisions by cause, and how people answer', () => {
  const counter = new TotalsCounter(15_000);
  counter.addSession(rowsOf(traceEvents));
  counter.addSession([]);
  const [, asked] = rowsOf(traceEvents);
  if (asked === undefined) throw new Error('a call that asked');
  const hasty = {
    ...asked,
    createdAt: 7_200_000,
    endedAt: 7_200_900,
    waitedMs: 0,
    prompts: [{ askedAt: 7_200_000, answeredAt: 7_200_400, by: 'person' as const }],
  };
  counter.addSession([hasty]);
  expect(counter.totals()).toEqual({
    calls: 4,
    sessions: 2,
    runningMs: 2_001 + 1_000 + 4 + 500,
    waitedMs: 10_400,
    prompts: 2,
    promptsPerHour: 1,
    medianAnswerMs: 5_200,
    hastyAnswers: 1,
    byTool: [{ tool: 'Bash', calls: 4, runningMs: 3_505, waitedMs: 10_400, failed: 0, denied: 1 }],
    byCause: [
      { cause: 'person', verdict: 'ask', calls: 2 },
      { cause: 'rule', verdict: 'allow', calls: 1 },
      { cause: 'noRule', verdict: 'deny', calls: 1 },
    ],
  });
});

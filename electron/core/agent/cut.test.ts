import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SessionEventBody } from '#shared/session/events';
import { Conversation } from './conversation';
import { chooseCut, lastRequest, transcript } from './cut';
import { pairingFaults } from './testing/pairingFaults';

const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** `p` a person's message, `c` one call with its result, `t` a text of the model, `n` a note, `s` a pause. */
function logOf(shape: string): SessionEventBody[] {
  return [...shape].flatMap((kind, at): SessionEventBody[] => {
    const messageId = `m${at}`;
    if (kind === 'p') return [{ type: 'message.sent', messageId, text: `wish ${at} ${'.'.repeat(350)}` }];
    if (kind === 'n') return [{ type: 'context.added', from: 'Stop hook', text: `note ${at}` }];
    const block =
      kind === 'c'
        ? { type: 'tool_use' as const, id: `id${at}`, name: 'Read', input: { file_path: `f${at}` } }
        : { type: 'text' as const, text: `said ${at}` };
    const stopReason = kind === 's' ? 'pause_turn' : kind === 'c' ? 'tool_use' : 'end_turn';
    const result: SessionEventBody = {
      type: 'call.finished',
      callId: `${messageId}.0`,
      status: 'succeeded',
      content: [{ type: 'text', text: `found ${at}` }],
      view: null,
      note: '',
    };
    return [
      { type: 'assistant.started', messageId },
      { type: 'assistant.block', messageId, index: 0, block },
      { type: 'assistant.finished', messageId, stopReason, usage },
      ...(kind === 'c' ? [result] : []),
    ];
  });
}

function conversationOf(shape: string) {
  const conversation = new Conversation();
  const log = logOf(shape);
  for (const [at, body] of log.entries()) conversation.apply({ seq: at + 1, body });
  return { conversation, log };
}

const kindsOf = (shape: string, keepTokens: number) => {
  const { entries } = conversationOf(shape).conversation.shown();
  const cut = chooseCut(entries, keepTokens);
  return cut === null ? null : shape.slice(cut.dropped.length);
};

test.each([
  ['ptp', 0, 'p'],
  ['pt', 0, ''],
  ['pccc', 0, ''],
  ['pccc', 50, 'cc'],
  ['ptpt', 105, 'pt'],
  ['pcn', 0, ''],
  ['ptpp', 0, 'pp'],
  ['pcnt', 40, 't'],
  ['ps', 0, ''],
  ['pstc', 25, 'c'],
  ['p', 0, null],
  ['', 0, null],
  ['pn', 0, null],
])('%j keeping %i tokens leaves %j', (shape, keepTokens, kept) => {
  expect(kindsOf(shape, keepTokens)).toBe(kept);
});

test('whatever is cut, nothing of a pair is left alone and all that is said anew stays', () => {
  const shapes = fc.array(fc.constantFrom('p', 'c', 't', 'n', 's'), { maxLength: 30 }).map((kinds) => kinds.join(''));
  fc.assert(
    fc.property(shapes, fc.integer({ min: 0, max: 600 }), (shape, keepTokens) => {
      const { conversation, log } = conversationOf(shape);
      const cut = chooseCut(conversation.shown().entries, keepTokens);
      if (cut === null) return;
      const { throughSeq } = cut;
      conversation.apply({
        seq: log.length + 1,
        body: { type: 'conversation.compacted', throughSeq, summary: 'S', trigger: 'auto', tokensBefore: 1 },
      });
      const messages = conversation.messages();
      expect(pairingFaults(messages).filter((fault) => !fault.includes('out of turn'))).toEqual([]);
      const shown = JSON.stringify(messages);
      const after = /[^cts]*$/.exec(shape)?.[0] ?? '';
      for (const [at, kind] of [...shape].entries()) {
        if (at >= shape.length - after.length && kind === 'p') expect(shown).toContain(`wish ${at} `);
      }
      // A result stands for its call in the log: both before the cut or both after it.
      for (const [seq, body] of log.entries()) {
        if (body.type !== 'call.finished') continue;
        const start = log.findIndex((other) => 'messageId' in other && body.callId === `${other.messageId}.0`);
        expect(start + 1 <= throughSeq).toBe(seq + 1 <= throughSeq);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('a transcript is bounded, whole at its end, and says what it leaves out', () => {
  const { conversation } = conversationOf('pctpct');
  const whole = transcript(conversation.shown(), 100_000);
  expect(whole).toContain('[call of Read] {"file_path":"f1"}\n[result]\nfound 1');
  const short = transcript({ ...conversation.shown(), summary: 'Earlier.' }, 60);
  expect(short).toContain('Earlier.');
  expect(short).toContain('older pieces are left out');
  expect(short.endsWith('said 5')).toBe(true);
});

test("the person's last request survives", () => {
  expect(lastRequest(conversationOf('pcpc').conversation.shown().entries)).toMatch(/^wish 2/);
  expect(lastRequest([])).toBeNull();
});

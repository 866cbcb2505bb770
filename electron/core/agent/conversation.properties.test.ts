import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AssistantBlock, SessionEventBody } from '#shared/session/events';
import { Conversation } from './conversation';
import { pairingFaults } from './testing/pairingFaults';

const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const messageId = fc.constantFrom('m1', 'm2', 'm3');
const index = fc.integer({ min: 0, max: 3 });
const text = fc.constantFrom('', ' ', 'x', '</gatehouse-context>');
const id = fc.constantFrom('a', 'b', 'call.1', '');

const block: fc.Arbitrary<AssistantBlock> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text }),
  fc.record({ type: fc.constant('thinking' as const), thinking: text, signature: fc.constantFrom('', 'sig') }),
  fc.record({ type: fc.constant('redacted_thinking' as const), data: fc.constant('x') }),
  fc.record({
    type: fc.constant('tool_use' as const),
    id,
    name: fc.constantFrom('Read', '', 'odd name'),
    input: fc.constantFrom({}, 'text', null, []),
  }),
  id.map((call) => ({ type: 'server' as const, block: { type: 'server_tool_use', id: call, name: 'w', input: {} } })),
  id.map((call) => ({ type: 'server' as const, block: { type: 'web_search_tool_result', tool_use_id: call } })),
);

const event: fc.Arbitrary<SessionEventBody> = fc.oneof(
  fc.record({ type: fc.constant('message.sent' as const), messageId: fc.constant('u'), text }),
  fc.record({ type: fc.constant('context.added' as const), from: fc.constant('Stop hook'), text }),
  fc.record({ type: fc.constant('assistant.started' as const), messageId }),
  { arbitrary: fc.record({ type: fc.constant('assistant.block' as const), messageId, index, block }), weight: 4 },
  fc.record({
    type: fc.constant('assistant.finished' as const),
    messageId,
    stopReason: fc.constantFrom('end_turn', 'tool_use', 'pause_turn', 'refusal', 'asked_again', 'broken', 'max_tokens'),
    usage: fc.constant(usage),
  }),
  {
    arbitrary: fc.record({
      type: fc.constant('call.finished' as const),
      callId: fc.tuple(messageId, index).map(([message, at]) => `${message}.${at}`),
      status: fc.constantFrom('succeeded' as const, 'failed' as const, 'interrupted' as const),
      content: fc.array(
        fc.oneof(
          fc.record({ type: fc.constant('text' as const), text }),
          fc.constant({ type: 'image' as const, mediaType: 'image/png', base64: 'AA==' }),
        ),
        { maxLength: 2 },
      ),
      view: fc.constant(null),
      note: fc.constant(''),
    }),
    weight: 3,
  },
  fc.record({
    type: fc.constant('conversation.compacted' as const),
    throughSeq: fc.integer({ min: 1, max: 40 }),
    summary: text,
    trigger: fc.constant('auto' as const),
    tokensBefore: fc.constant(1),
  }),
);

test('whatever the log holds, the messages satisfy every rule of the protocol', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      const conversation = new Conversation();
      for (const [at, body] of events.entries()) {
        conversation.apply({ seq: at + 1, body });
        // Asked for in between, too: what is kept between requests must not go stale.
        if (at % 7 === 0) conversation.messages();
      }
      expect(pairingFaults(conversation.messages())).toEqual([]);
    }),
    { numRuns: 3_000 },
  );
});

test('the check itself finds faults', () => {
  const call = { type: 'tool_use' as const, id: 'a', name: 'Read', input: {} };
  const answer = { type: 'tool_result' as const, tool_use_id: 'a', content: [] };
  const say = { type: 'text' as const, text: 'x' };
  expect(pairingFaults([{ role: 'assistant', content: [say] }])).not.toEqual([]);
  const start = { role: 'user' as const, content: [say] };
  const asks = { role: 'assistant' as const, content: [call] };
  for (const content of [[say], [say, answer], [answer, answer], []]) {
    expect(pairingFaults([start, asks, { role: 'user', content }])).not.toEqual([]);
  }
  expect(pairingFaults([start, asks, { role: 'user', content: [answer, say] }])).toEqual([]);
  expect(pairingFaults([start, { role: 'user', content: [answer] }])).not.toEqual([]);
});

import { expect, test } from 'vitest';
import type { SessionEventBody } from '#shared/session/events';
import { Conversation } from './conversation';

const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const sent = (text: string): SessionEventBody => ({ type: 'message.sent', messageId: 'u', text });
const started = (messageId: string): SessionEventBody => ({ type: 'assistant.started', messageId });
const use = (messageId: string, index: number, id: string): SessionEventBody => ({
  type: 'assistant.block',
  messageId,
  index,
  block: { type: 'tool_use', id, name: 'Read', input: { file_path: id } },
});
const said = (messageId: string, index: number, text: string): SessionEventBody => ({
  type: 'assistant.block',
  messageId,
  index,
  block: { type: 'text', text },
});
const finished = (messageId: string): SessionEventBody => ({
  type: 'assistant.finished',
  messageId,
  stopReason: 'tool_use',
  usage,
});
const result = (callId: string, text: string, status: 'succeeded' | 'failed' = 'succeeded'): SessionEventBody => ({
  type: 'call.finished',
  callId,
  status,
  content: [{ type: 'text', text }],
  view: null,
  note: '',
});

function messagesOf(events: readonly SessionEventBody[]) {
  const conversation = new Conversation();
  for (const event of events) conversation.apply(event);
  return conversation.messages();
}

test('results go back in call order, in one user message, whatever order they came in', () => {
  const messages = messagesOf([
    sent('go'),
    started('m1'),
    said('m1', 0, 'Reading.'),
    use('m1', 1, 'a'),
    use('m1', 2, 'b'),
    result('m1.2', 'B'),
    finished('m1'),
    result('m1.1', 'A', 'failed'),
  ]);
  expect(messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'go' }] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Reading.' },
        { type: 'tool_use', id: 'a', name: 'Read', input: { file_path: 'a' } },
        { type: 'tool_use', id: 'b', name: 'Read', input: { file_path: 'b' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'A' }], is_error: true },
        { type: 'tool_result', tool_use_id: 'b', content: [{ type: 'text', text: 'B' }] },
      ],
    },
  ]);
});

test('a call without a result gets a synthetic error beside it, and later text follows the results', () => {
  const messages = messagesOf([sent('go'), started('m1'), use('m1', 0, 'a'), sent('and now?')]);
  expect(messages.at(-1)).toEqual({
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: 'a',
        content: [{ type: 'text', text: 'Interrupted: this call has no result.' }],
        is_error: true,
      },
      { type: 'text', text: 'and now?' },
    ],
  });
});

test('ids that a provider uses again in a later message are kept apart', () => {
  const messages = messagesOf([
    sent('go'),
    started('m1'),
    use('m1', 0, 'call-1'),
    result('m1.0', 'first'),
    started('m2'),
    use('m2', 0, 'call-1'),
  ]);
  expect(messages.map((message) => JSON.stringify(message.content))).toMatchObject([
    expect.anything(),
    expect.anything(),
    expect.stringContaining('first'),
    expect.anything(),
    expect.stringContaining('Interrupted'),
  ]);
});

test('a message that broke off before any block is not sent', () => {
  const messages = messagesOf([sent('go'), started('m1'), finished('m1'), sent('again')]);
  expect(messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'go' },
        { type: 'text', text: 'again' },
      ],
    },
  ]);
});

test('images of an error result go beside it, those of a success inside', () => {
  const image = { type: 'image' as const, mediaType: 'image/png', base64: 'AA==' };
  const api = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } };
  const outcome = (status: 'succeeded' | 'denied') =>
    messagesOf([
      started('m1'),
      use('m1', 0, 'a'),
      {
        type: 'call.finished',
        callId: 'm1.0',
        status,
        content: [{ type: 'text', text: 't' }, image],
        view: null,
        note: '',
      },
    ]).at(-1)?.content;
  expect(outcome('succeeded')).toEqual([
    { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 't' }, api] },
  ]);
  expect(outcome('denied')).toEqual([
    { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 't' }], is_error: true },
    api,
  ]);
});

test('thinking goes back unchanged with its signature', () => {
  const block = { type: 'thinking' as const, thinking: 'hm', signature: 'sig' };
  const messages = messagesOf([started('m1'), { type: 'assistant.block', messageId: 'm1', index: 0, block }]);
  expect(messages).toEqual([{ role: 'assistant', content: [block] }]);
});

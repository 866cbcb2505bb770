import { expect, test } from 'vitest';
import type { AssistantBlock, SessionEventBody } from '#shared/session/events';
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
const finished = (messageId: string, stopReason = 'tool_use', inputTokens = 0): SessionEventBody => ({
  type: 'assistant.finished',
  messageId,
  stopReason,
  usage: { ...usage, inputTokens },
});
const result = (callId: string, text: string, status: 'succeeded' | 'failed' = 'succeeded'): SessionEventBody => ({
  type: 'call.finished',
  callId,
  status,
  content: [{ type: 'text', text }],
  view: null,
  note: '',
});

function conversationOf(events: readonly SessionEventBody[]) {
  const conversation = new Conversation();
  for (const [index, body] of events.entries()) conversation.apply({ seq: index + 1, body });
  return conversation;
}

const messagesOf = (events: readonly SessionEventBody[]) => conversationOf(events).messages();
const user = (...texts: string[]) => ({ role: 'user', content: texts.map((text) => ({ type: 'text', text })) });
const block = (messageId: string, index: number, made: AssistantBlock): SessionEventBody => ({
  type: 'assistant.block',
  messageId,
  index,
  block: made,
});
const added = (from: string, text: string): SessionEventBody => ({ type: 'context.added', from, text });

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

test('ids that a provider uses again are made unique, and pairing is judged per message', () => {
  const messages = messagesOf([
    sent('go'),
    started('m1'),
    use('m1', 0, 'call-1'),
    use('m1', 1, 'call-1'),
    result('m1.0', 'first'),
    result('m1.1', 'second'),
    started('m2'),
    use('m2', 0, 'call-1'),
  ]);
  expect(
    messages.flatMap(({ content }) =>
      (Array.isArray(content) ? content : []).flatMap((part) =>
        part.type === 'tool_result' ? [[part.tool_use_id, JSON.stringify(part.content)]] : [],
      ),
    ),
  ).toEqual([
    ['call-1', expect.stringContaining('first')],
    ['call-1_2', expect.stringContaining('second')],
    ['call-1_3', expect.stringContaining('Interrupted')],
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

test('thinking goes back unchanged, in order, with its signature; a message is not ended by it', () => {
  const thinking = { type: 'thinking' as const, thinking: 'hm', signature: 'sig' };
  const redacted = { type: 'redacted_thinking' as const, data: 'x' };
  const events = [sent('go'), started('m1'), block('m1', 0, thinking), block('m1', 1, redacted)];
  expect(messagesOf(events)).toEqual([user('go')]);
  const messages = messagesOf([...events, use('m1', 2, 'a'), block('m1', 3, thinking)]);
  expect(messages[1]).toEqual({
    role: 'assistant',
    content: [thinking, redacted, { type: 'tool_use', id: 'a', name: 'Read', input: { file_path: 'a' } }],
  });
});

const serverUse: AssistantBlock = {
  type: 'server',
  block: { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
};
const serverResult: AssistantBlock = {
  type: 'server',
  block: { type: 'web_search_tool_result', tool_use_id: 's', content: [{ extra: 1 }] },
};

test('blocks of server tools go back unchanged, are never answered, and go on where the server paused', () => {
  const paused = [sent('go'), started('m1'), block('m1', 0, serverUse), finished('m1', 'pause_turn')];
  expect(messagesOf(paused)).toEqual([user('go'), { role: 'assistant', content: [serverUse.block] }]);
  expect(messagesOf([...paused, started('m2'), block('m2', 0, serverResult), said('m2', 1, 'Found.')])).toEqual([
    user('go'),
    { role: 'assistant', content: [serverUse.block, serverResult.block, { type: 'text', text: 'Found.' }] },
    user('(The answer above ended here.)'),
  ]);
  expect(messagesOf([...paused, sent('stop that')])).toEqual([user('go', 'stop that')]);
  expect(messagesOf([started('m1'), block('m1', 0, serverResult), said('m1', 1, 'x'), sent('go')])).toEqual([
    user('(The beginning of this conversation is missing.)'),
    { role: 'assistant', content: [{ type: 'text', text: 'x' }] },
    user('go'),
  ]);
});

test('what a hook adds follows all results of the message before it and cannot pose as anything else', () => {
  const messages = messagesOf([
    sent('go'),
    started('m1'),
    use('m1', 0, 'a'),
    use('m1', 1, 'b'),
    added('PreToolUse "x" hook', 'mind </gatehouse-context> this'),
    result('m1.0', 'A'),
    result('m1.1', 'B'),
  ]);
  expect(messages[2]?.content).toMatchObject([
    { type: 'tool_result', tool_use_id: 'a' },
    { type: 'tool_result', tool_use_id: 'b' },
    {
      type: 'text',
      text: '<gatehouse-context source="PreToolUse x hook">\nmind &lt;/gatehouse-context> this\n</gatehouse-context>',
    },
  ]);
});

test.each(['refusal', 'asked_again'])('a message that ended with %s is not shown to the model', (reason) => {
  const events = [sent('go'), started('m1'), said('m1', 0, 'Well'), use('m1', 1, 'a'), result('m1.1', 'A')];
  expect(messagesOf([...events, finished('m1', reason), sent('else')])).toEqual([user('go', 'else')]);
});

test('names and inputs that the API refuses to take back are made acceptable', () => {
  const odd = { type: 'tool_use' as const, id: 'a.b', name: `my tool/${'x'.repeat(80)}`, input: ['list'] };
  expect(messagesOf([sent('go'), started('m1'), block('m1', 0, odd)])[1]).toEqual({
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'a_b', name: `my_tool_${'x'.repeat(56)}`, input: { INVALID_JSON: ['list'] } }],
  });
});

test('after a compaction: the summary, then what follows, with results of what was dropped gone too', () => {
  const events = [
    sent('go'), // 1
    started('m1'), // 2
    use('m1', 0, 'a'), // 3
    result('m1.0', 'A'), // 4
    started('m2'), // 5
    use('m2', 0, 'b'), // 6
    result('m2.0', 'B'), // 7
  ];
  const compacted: SessionEventBody = {
    type: 'conversation.compacted',
    throughSeq: 4,
    summary: 'They went.',
    trigger: 'auto',
    tokensBefore: 9,
  };
  const messages = messagesOf([...events, compacted, result('m1.0', 'late')]);
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  expect(JSON.stringify(messages[0])).toContain('They went.');
  expect(JSON.stringify(messages)).not.toContain('late');
  expect(JSON.stringify(messages[2])).toContain('"tool_use_id":"b"');
});

test('the size is what the API counted plus an estimate of what came since', () => {
  const events = [sent('x'.repeat(350)), started('m1')];
  expect(conversationOf(events).tokens()).toEqual({ tokens: 100, whole: false });
  const counted = [...events, use('m1', 0, 'a'), result('m1.0', 'y'.repeat(700)), finished('m1', 'tool_use', 1_000)];
  expect(conversationOf(counted).tokens()).toEqual({ tokens: 1_200, whole: true });
  // A message that failed counts nothing and changes nothing.
  const failed = [...counted, started('m2'), finished('m2', 'broken'), sent('z'.repeat(350))];
  expect(conversationOf(failed).tokens()).toEqual({ tokens: 1_300, whole: true });
});

test('messages that are settled are not made anew for each request', () => {
  const conversation = conversationOf([sent('go'), started('m1'), use('m1', 0, 'a'), result('m1.0', 'A')]);
  const [first, second] = [conversation.messages(), conversation.messages()];
  const blockOf = (messages: typeof first) => messages[1]?.content[0];
  expect(blockOf(first)).toBe(blockOf(second));
});

import type Anthropic from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';
import type { ModelRequest } from './client';
import { bodyOf } from './requestBody';

const tool = (name: string, more: object = {}): Anthropic.Messages.Tool => ({
  name,
  description: name,
  input_schema: { type: 'object' },
  ...more,
});
const user = (text: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text }] });
const assistant = (text: string) => ({ role: 'assistant' as const, content: [{ type: 'text' as const, text }] });
const request = (more: Partial<ModelRequest>): ModelRequest => ({
  model: 'm',
  system: 's',
  tools: [],
  messages: [],
  signal: new AbortController().signal,
  ...more,
});
const marked = JSON.stringify({ type: 'ephemeral' });
const breakpoints = (value: unknown): number => JSON.stringify(value).split(marked).length - 1;

test('four breakpoints: tools end, system, the last two user messages', () => {
  const body = bodyOf(
    request({
      tools: [tool('A'), tool('B'), tool('C', { defer_loading: true })],
      messages: [user('one'), assistant('1'), user('two'), assistant('2'), user('three')],
    }),
  );
  expect(breakpoints(body)).toBe(4);
  expect(body.tools?.map(breakpoints)).toEqual([0, 1, 0]);
  expect(breakpoints(body.system)).toBe(1);
  expect(body.messages.map(breakpoints)).toEqual([0, 0, 1, 0, 1]);
});

test('the named tool gets the breakpoint, so that what comes behind it changes nothing before it', () => {
  const tools = [tool('A'), tool('B'), tool('mcp__x__y'), tool('Found')];
  const marks = (lastStable: string) => bodyOf(request({ tools, lastStable })).tools?.map(breakpoints);
  expect([marks('B'), marks('Gone')]).toEqual([
    [0, 1, 0, 0],
    [0, 0, 0, 1],
  ]);
});

test('a request without tools has no tools array; all deferred ones get no breakpoint', () => {
  expect('tools' in bodyOf(request({}))).toBe(false);
  expect(bodyOf(request({ tools: [tool('A', { defer_loading: true })] })).tools?.map(breakpoints)).toEqual([0]);
});

test('a breakpoint goes on the last block of a message only, and never changes what was given', () => {
  const message = {
    role: 'user' as const,
    content: [
      { type: 'tool_result' as const, tool_use_id: 'a', content: [] },
      { type: 'text' as const, text: 'x' },
    ],
  };
  const before = JSON.stringify(message);
  const body = bodyOf(request({ messages: [message] }));
  expect(JSON.stringify(message)).toBe(before);
  const content = body.messages[0]?.content;
  expect(Array.isArray(content) && content.map(breakpoints)).toEqual([0, 1]);
});

test('the limit of the answer is the usual one or what the request asks for', () => {
  expect(bodyOf(request({})).max_tokens).toBe(16_000);
  expect(bodyOf(request({ maxTokens: 32_000 })).max_tokens).toBe(32_000);
});

test('a call can be demanded, and then it is the only one', () => {
  expect(bodyOf(request({})).tool_choice).toBeUndefined();
  expect(bodyOf(request({ mustCall: 'Answer' })).tool_choice).toEqual({
    type: 'tool',
    name: 'Answer',
    disable_parallel_tool_use: true,
  });
});

test('tools that the server runs stand behind the others, unmarked', () => {
  const search = { type: 'web_search_20250305' as const, name: 'web_search' as const, max_uses: 8 };
  expect(bodyOf(request({ serverTools: [search] })).tools).toEqual([search]);
  const { tools } = bodyOf(request({ tools: [tool('A')], serverTools: [search] }));
  expect(tools?.map(breakpoints)).toEqual([1, 0]);
  expect(tools?.[1]).toEqual(search);
});

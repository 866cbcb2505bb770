import { expect, test } from 'vitest';
import type { ModelClient, ModelEvent, ModelRequest } from './client';
import { ModelFailure } from './client';
import { holdCallsUntil } from './firstCalls';
import { limitMessages } from './messageLimit';

const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
const text: ModelEvent = { type: 'block', index: 0, block: { type: 'text', text: 'I look.' }, cutOff: false };
const call: ModelEvent = {
  type: 'block',
  index: 1,
  block: { type: 'tool_use', id: 'u', name: 'Bash', input: {} },
  cutOff: false,
};
const finished: ModelEvent = { type: 'finished', stopReason: 'tool_use', usage };
const request: ModelRequest = {
  model: 'm',
  system: '',
  tools: [],
  messages: [],
  signal: new AbortController().signal,
};

function playing(...events: readonly ModelEvent[]): ModelClient & { readonly asked: () => number } {
  let asked = 0;
  return {
    scripted: false,
    asked: () => asked,
    async *stream() {
      asked += 1;
      for (const event of events) {
        await Promise.resolve();
        yield event;
      }
    },
    listModels: async () => [],
  };
}

async function all(client: ModelClient): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of client.stream(request)) events.push(event);
  return events;
}

test('a call waits until all is ready; words before it do not', async () => {
  const seen: ModelEvent[] = [];
  const waited: number[] = [];
  let open: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    open = resolve;
  });
  void ready.then(() => waited.push(seen.length));
  const client = holdCallsUntil(playing(text, call, finished), ready);
  const reading = (async () => {
    for await (const event of client.stream(request)) seen.push(event);
  })();
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  expect(seen).toEqual([text]);
  open();
  await reading;
  expect(seen).toEqual([text, call, finished]);
  expect(waited).toEqual([1]);
});

test('after so many whole messages the model is not asked again', async () => {
  const client = playing(text, finished);
  const limited = limitMessages(client, 2);
  await all(limited);
  await all(limited);
  await expect(all(limited)).rejects.toThrow('The turn was ended after 2 messages of the model, as asked for.');
  expect(client.asked()).toBe(2);
});

test('a message that broke off does not count', async () => {
  const client = playing(text);
  const limited = limitMessages(client, 1);
  await all(limited);
  expect(await all(limited)).toEqual([text]);
  await expect(all(limitMessages(playing(finished), 0))).rejects.toBeInstanceOf(ModelFailure);
});

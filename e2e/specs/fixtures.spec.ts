// The instruments themselves: a check that finds nothing must be able to find something.
import { spawn } from 'node:child_process';
import { createGate, until } from '../fixtures/gate';
import { pairingFaults, type WireMessage } from '../fixtures/modelRequest';
import { processesWith } from '../fixtures/processes';
import { startScriptedModel } from '../fixtures/scriptedModel';
import { expect, test } from '../fixtures/test';
import { breakOff, failure, message, text, toolUse } from '../fixtures/turns';

const call = (id: string): WireMessage => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read' }] });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id });
const say = (words: string) => ({ type: 'text', text: words });
const hello: WireMessage = { role: 'user', content: 'hello' };

const conversations: readonly (readonly [name: string, messages: readonly WireMessage[], faults: readonly RegExp[]])[] =
  [
    ['answered', [hello, call('a'), { role: 'user', content: [result('a'), say('and')] }], []],
    ['not answered', [hello, call('a'), { role: 'user', content: [say('and')] }], [/a has 0 results/]],
    ['at the end', [hello, call('a')], [/a has 0 results/]],
    ['answered twice', [hello, call('a'), { role: 'user', content: [result('a'), result('a')] }], [/a has 2 results/]],
    [
      'text before the result',
      [hello, call('a'), { role: 'user', content: [say('and'), result('a')] }],
      [/follows other content/],
    ],
    ['a result without a call', [hello, { role: 'user', content: [result('b')] }], [/result b has no call/]],
    ['an empty text', [{ role: 'user', content: [say(' ')] }], [/empty text/]],
    ['begins with the model', [{ role: 'assistant', content: [say('hi')] }], [/not from the user/]],
  ];

for (const [name, messages, faults] of conversations) {
  test(`pairing: ${name}`, () => {
    const found = pairingFaults(messages);
    expect(found).toHaveLength(faults.length);
    for (const [index, fault] of faults.entries()) expect(found[index]).toMatch(fault);
  });
}

test('the scripted model streams, fails, breaks off, and records', async () => {
  const model = await startScriptedModel();
  const gate = createGate();
  try {
    const ask = () =>
      fetch(`${model.url}/v1/messages`, {
        method: 'POST',
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }] }),
      });
    model.play(message(text(['one ', gate, 'two']), toolUse('Read', { file_path: 'a' }, { id: 'toolu_1' })));
    model.play(failure(429, { 'retry-after': '7' }), message(text('half'), breakOff()));
    const streaming = ask();
    await model.request(1);
    gate.open();
    const stream = await (await streaming).text();
    expect(stream.match(/^event: .*$/gm)?.map((line) => line.slice(7))).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      ...Array.from({ length: 3 }, () => 'content_block_delta'),
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(stream).toContain('"stop_reason":"tool_use"');
    const limited = await ask();
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
    await expect((await ask()).text()).rejects.toThrow();
    expect(model.requests.map((request) => request.body.model)).toEqual(['m', 'm', 'm']);
    expect(model.faults).toEqual([]);
    expect((await ask()).status).toBe(400);
    expect(model.faults).toEqual(['request 4 came without a turn to play']);
  } finally {
    await model.close();
  }
});

test('a process is found by what stands in its environment', async () => {
  const marker = `gatehouse-marker-${process.pid}-${Date.now()}`;
  const child = spawn('sleep', ['60'], { env: { PATH: process.env.PATH, MARKER: marker }, stdio: 'ignore' });
  try {
    await until('the process to be seen', () => processesWith(marker).some((info) => info.pid === child.pid));
  } finally {
    child.kill('SIGKILL');
  }
  await until('the process to be gone', () => processesWith(marker).length === 0);
});

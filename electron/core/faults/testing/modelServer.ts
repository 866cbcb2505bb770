// A model on loopback that plays what a test says, and holds every request against the protocol's rules.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Anthropic from '@anthropic-ai/sdk';
import { pairingFaults } from '../../agent/testing/pairingFaults';

type Messages = Anthropic.Messages.MessageParam[];

/** One answer: text, or calls. `id` left out: a fresh one for each call. `cut`: the stream breaks off behind the calls. */
export type Answer =
  | string
  | { readonly calls: readonly { readonly name: string; readonly input: object; readonly id?: string }[] };

export interface ModelServer {
  readonly url: string;
  /** Conversations as they were sent, in order of arrival. */
  readonly requests: readonly Messages[];
  /** What the protocol would refuse of them, in words. */
  readonly faults: readonly string[];
  /** Answers from now on, one for each request; behind the last comes "Done.". */
  play(...answers: readonly Answer[]): void;
  close(): Promise<void>;
}

const usage = { input_tokens: 100, output_tokens: 1 };

function streamOf(answer: Answer, number: number): string {
  const calls = typeof answer === 'string' ? [] : answer.calls;
  const blocks =
    typeof answer === 'string'
      ? [{ head: { type: 'text', text: '' }, delta: { type: 'text_delta', text: answer } }]
      : calls.map(({ name, input, id }, index) => ({
          head: { type: 'tool_use', id: id ?? `toolu_${number}_${index}`, name, input: {} },
          delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
        }));
  const start = { id: `msg_${number}`, type: 'message', role: 'assistant', model: 'test', content: [], usage };
  return [
    { type: 'message_start', message: { ...start, stop_reason: null, stop_sequence: null } },
    ...blocks.flatMap(({ head, delta }, index) => [
      { type: 'content_block_start', index, content_block: head },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage,
    },
    { type: 'message_stop' },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}

/** Starts it on a free port. */
export async function startModelServer(): Promise<ModelServer> {
  const requests: Messages[] = [];
  const faults: string[] = [];
  const answers: Answer[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      if (incoming.method === 'GET') {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ data: [], has_more: false, first_id: null, last_id: null }));
        return;
      }
      const { messages } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { messages: Messages };
      requests.push(messages);
      faults.push(...pairingFaults(messages).map((fault) => `request ${requests.length}: ${fault}`));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(streamOf(answers.shift() ?? 'Done.', requests.length));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    faults,
    play: (...next) => {
      answers.splice(0, answers.length, ...next);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

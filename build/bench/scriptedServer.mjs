// A model server on loopback for benches: answers each request with what `answer(number)` says, as a stream.
import { createServer } from 'node:http';

const event = (value) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;

/** One whole message as stream events: text, or tool calls `{name, input}`. */
function streamOf({ calls = [], text = 'Done.' }, number) {
  const usage = { input_tokens: 100, output_tokens: 1 };
  const start = { id: `msg_${number}`, type: 'message', role: 'assistant', model: 'bench', content: [], usage };
  const blocks = calls.length === 0 ? [{ type: 'text', text: '' }] : calls;
  const parts = blocks.flatMap((block, index) => {
    const use = calls.length > 0;
    const head = use ? { type: 'tool_use', id: `toolu_${number}_${index}`, name: block.name, input: {} } : block;
    const delta = use
      ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
      : { type: 'text_delta', text };
    return [
      { type: 'content_block_start', index, content_block: head },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ];
  });
  const stop = calls.length > 0 ? 'tool_use' : 'end_turn';
  return [
    { type: 'message_start', message: { ...start, stop_reason: null, stop_sequence: null } },
    ...parts,
    { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
    .map(event)
    .join('');
}

/**
 * Starts it on a free port. `begin(answer)` forgets what was; `answer(number, body)` gives `{calls}` or `{text}` for the
 * request with this number from 0. `requests` holds for each the time of its arrival (whole) and of the end of its
 * answer, in milliseconds, its body and its size.
 */
export async function startScriptedServer() {
  let answer = () => ({});
  let requests = [];
  const server = createServer((incoming, response) => {
    const chunks = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    incoming.on('end', () => {
      const arrivedAt = performance.timeOrigin + performance.now();
      if (incoming.method === 'GET') {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ data: [], has_more: false, first_id: null, last_id: null }));
        return;
      }
      const raw = Buffer.concat(chunks);
      const number = requests.length;
      const request = { arrivedAt, answeredAt: 0, bytes: raw.length, body: JSON.parse(raw.toString('utf8')) };
      requests.push(request);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(streamOf(answer(number, request.body), number));
      request.answeredAt = performance.timeOrigin + performance.now();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    begin(next) {
      answer = next;
      requests = [];
    },
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

// A model server on loopback that writes an answer for as long as it is let: a call first, when one is given, then text.
import { createServer } from 'node:http';

const event = (value) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;

const words =
  'The **store** keeps its own copy of the list, so the second write is lost when both arrive within `one tick`. ';

/**
 * Starts it on a free port. `begin({call, everyMs})` decides what the next answer is: `call` (`{name, input}` or null) and
 * a piece of text after so many milliseconds; `finish()` ends the answers that are being written. Any other request is
 * answered with one word.
 */
export async function startStreamingServer() {
  let next = null;
  const writing = new Set();
  const server = createServer((incoming, response) => {
    incoming.resume();
    incoming.on('end', () => {
      if (incoming.method === 'GET') {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ data: [], has_more: false, first_id: null, last_id: null }));
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const usage = { input_tokens: 100, output_tokens: 1 };
      const message = { id: `msg_${Math.random()}`, type: 'message', role: 'assistant', model: 'bench', content: [] };
      response.write(
        event({ type: 'message_start', message: { ...message, usage, stop_reason: null, stop_sequence: null } }),
      );
      const plan = next ?? { call: null, everyMs: 0 };
      next = null;
      let index = 0;
      if (plan.call !== null) {
        const block = {
          type: 'tool_use',
          id: `toolu_${Math.random()}`.replace('.', ''),
          name: plan.call.name,
          input: {},
        };
        response.write(event({ type: 'content_block_start', index, content_block: block }));
        const delta = { type: 'input_json_delta', partial_json: JSON.stringify(plan.call.input) };
        response.write(event({ type: 'content_block_delta', index, delta }));
        response.write(event({ type: 'content_block_stop', index }));
        index += 1;
      }
      response.write(event({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } }));
      const write = (text) =>
        response.write(event({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } }));
      let pieces = 0;
      // A new paragraph now and then, as a model would.
      const timer =
        plan.everyMs === 0
          ? null
          : setInterval(() => write(++pieces % 12 === 0 ? '\n\n' : words.slice(0, 30)), plan.everyMs);
      const finish = () => {
        if (timer !== null) clearInterval(timer);
        writing.delete(finish);
        write(' The end.');
        response.write(event({ type: 'content_block_stop', index }));
        const stop = plan.call === null ? 'end_turn' : 'tool_use';
        response.write(event({ type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage }));
        response.end(event({ type: 'message_stop' }));
      };
      writing.add(finish);
      response.on('close', () => {
        if (timer !== null) clearInterval(timer);
        writing.delete(finish);
      });
      if (timer === null) finish();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    begin(plan) {
      next = { call: null, everyMs: 20, ...plan };
    },
    finish() {
      for (const end of [...writing]) end();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

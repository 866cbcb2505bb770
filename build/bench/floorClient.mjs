// The floor that pipeline benches compare with: asks, reads the stream, runs the tools in turn, asks again. No
// permissions, no storage, no sandbox. Arguments: base URL, folder.
import { exec } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const [, , url, cwd] = process.argv;
const run = promisify(exec);
const messages = [{ role: 'user', content: 'Begin.' }];
for (;;) {
  const body = JSON.stringify({ model: 'bench', max_tokens: 1000, stream: true, messages });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/v1/messages`, { method: 'POST', headers, body });
  const blocks = [];
  for (const line of (await response.text()).split('\n')) {
    if (!line.startsWith('data: ')) continue;
    const { index, content_block: head, delta } = JSON.parse(line.slice(6));
    if (head !== undefined) blocks[index] = { ...head, json: '' };
    if (delta?.partial_json !== undefined) blocks[index].json += delta.partial_json;
  }
  const calls = blocks.filter((block) => block.type === 'tool_use');
  if (calls.length === 0) break;
  const results = [];
  for (const { id, name, json } of calls) {
    const input = JSON.parse(json);
    const output =
      name === 'Read'
        ? await readFile(input.file_path, 'utf8')
        : (await run(input.command, { cwd, maxBuffer: 2 ** 30 })).stdout;
    results.push({ type: 'tool_result', tool_use_id: id, content: output.slice(0, 30_000) });
  }
  const uses = calls.map(({ id, name, json }) => ({ type: 'tool_use', id, name, input: JSON.parse(json) }));
  messages.push({ role: 'assistant', content: uses }, { role: 'user', content: results });
}

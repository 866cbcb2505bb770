// The protocol's rules on messages, checked from outside: what a strict server would refuse.
import type Anthropic from '@anthropic-ai/sdk';

type MessageParam = Anthropic.Messages.MessageParam;

/** What is wrong with the messages of one request, in words; empty when nothing is. */
export function pairingFaults(messages: readonly MessageParam[]): string[] {
  const faults: string[] = [];
  const ids = new Set<string>();
  let open: string[] = [];
  for (const [at, { role, content }] of messages.entries()) {
    const fault = (what: string): void => {
      faults.push(`messages.${at}: ${what}`);
    };
    const blocks = Array.isArray(content) ? content : [{ type: 'text' as const, text: content }];
    if (role !== (at % 2 === 0 ? 'user' : 'assistant')) fault(`role ${role} out of turn`);
    if (blocks.length === 0) fault('empty content');
    const results: string[] = [];
    let textSeen = false;
    for (const block of blocks) {
      if (block.type === 'text' && block.text.trim() === '') fault('blank text');
      if (block.type === 'tool_result') {
        if (role !== 'user') fault('a result from the model');
        if (textSeen) fault('a result after other content');
        results.push(block.tool_use_id);
        for (const part of Array.isArray(block.content) ? block.content : []) {
          if (part.type === 'text' && part.text.trim() === '') fault('blank text in a result');
          if (part.type !== 'text' && block.is_error === true) fault('more than text in an error result');
        }
      } else textSeen = true;
    }
    if (results.join() !== open.join()) fault(`results for ${results.join()} where ${open.join()} wait`);
    open = [];
    for (const block of blocks) {
      if (block.type !== 'tool_use') continue;
      if (role !== 'assistant') fault('a call from the user');
      if (ids.has(block.id)) fault(`id ${block.id} used again`);
      if (!/^[a-zA-Z0-9_-]+$/.test(block.id)) fault(`id ${block.id}`);
      if (!/^[a-zA-Z0-9_-]{1,64}$/.test(block.name)) fault(`name ${block.name}`);
      if (typeof block.input !== 'object' || block.input === null || Array.isArray(block.input)) fault('input');
      ids.add(block.id);
      open.push(block.id);
    }
    const last = blocks.at(-1)?.type;
    if (role === 'assistant' && at < messages.length - 1 && (last === 'thinking' || last === 'redacted_thinking')) {
      fault('ends with thinking');
    }
  }
  if (open.length > 0) faults.push(`no result for ${open.join()}`);
  return faults;
}

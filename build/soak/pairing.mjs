const blocksOf = ({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content);

/**
 * Breaches of the Messages API's pairing rules, in words: every tool_use is answered exactly once in the next message,
 * results come first there, no result is without its call, no message is empty.
 */
export function pairingFaults(messages) {
  const faults = [];
  for (const [index, message] of messages.entries()) {
    const blocks = blocksOf(message);
    const after = index + 1 < messages.length ? blocksOf(messages[index + 1]) : [];
    for (const use of blocks.filter((block) => block.type === 'tool_use')) {
      const answers = after.filter((block) => block.type === 'tool_result' && block.tool_use_id === use.id).length;
      if (answers !== 1) faults.push(`message ${index}: ${use.name} ${use.id} has ${answers} results`);
    }
    const before = index > 0 ? blocksOf(messages[index - 1]) : [];
    const uses = new Set(before.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])));
    const firstOther = blocks.findIndex((block) => block.type !== 'tool_result');
    for (const [at, block] of blocks.entries()) {
      if (block.type !== 'tool_result') continue;
      if (firstOther !== -1 && at > firstOther) faults.push(`message ${index}: a result follows other content`);
      if (!uses.has(block.tool_use_id)) faults.push(`message ${index}: result ${block.tool_use_id} has no call`);
    }
    if (blocks.length === 0) faults.push(`message ${index} is empty`);
  }
  if (messages[0]?.role !== 'user') faults.push('the first message is not from the user');
  return faults;
}

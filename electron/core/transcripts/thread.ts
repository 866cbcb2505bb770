// A transcript is a tree of lines: the conversation is the thread that ends with the newest of them.
import type { Line } from './line';

/** Lines in the order of the file, each once: the newest thread, and what belongs to it though it hangs beside it. */
export function newestThread(lines: readonly Line[]): Line[] {
  const own = lines.filter((line) => !line.isSidechain);
  const indexOf = new Map<string, number>();
  own.forEach((line, index) => {
    if (line.uuid !== null && !indexOf.has(line.uuid)) indexOf.set(line.uuid, index);
  });
  const taken = new Set<number>();
  let at = own.findLastIndex((line) => line.message !== null);
  while (at >= 0 && !taken.has(at)) {
    taken.add(at);
    const parent = own[at]?.parent ?? null;
    if (parent === null) break;
    // Lines that others follow may be damaged or left out: then it follows what stands before it.
    at = indexOf.get(parent) ?? at - 1;
  }
  const messages = new Set<string>();
  for (const index of taken) {
    const message = own[index]?.message;
    if (message?.role === 'assistant' && message.id !== null) messages.add(message.id);
  }
  // Calls that are made together hang beside one another, and each result below its call.
  own.forEach(({ message }, index) => {
    if (message?.role === 'assistant' && message.id !== null && messages.has(message.id)) taken.add(index);
  });
  const calls = new Set<unknown>();
  for (const index of taken)
    for (const block of own[index]?.message?.content ?? []) if (block.type === 'tool_use') calls.add(block.id);
  own.forEach(({ message }, index) => {
    if (message?.content.some((block) => block.type === 'tool_result' && calls.has(block.tool_use_id)) === true)
      taken.add(index);
  });
  const seen = new Set<string>();
  return own.filter((line, index) => {
    if (!taken.has(index) || (line.uuid !== null && seen.has(line.uuid))) return false;
    if (line.uuid !== null) seen.add(line.uuid);
    return true;
  });
}

/** The lines of sub-agents that stand in the session's own file, each group one agent. */
export function sidechains(lines: readonly Line[]): Line[][] {
  const groups = new Map<string, Line[]>();
  const groupOf = new Map<string, string>();
  lines.forEach((line, index) => {
    if (!line.isSidechain) return;
    const inherited = line.parent === null ? undefined : groupOf.get(line.parent);
    const group = line.agentId ?? inherited ?? `${index}`;
    if (line.uuid !== null) groupOf.set(line.uuid, group);
    const known = groups.get(group);
    if (known === undefined) groups.set(group, [line]);
    else known.push(line);
  });
  return [...groups.values()];
}

// A conversation as JSON, in a form of our own.
import type { WrittenCall, WrittenConversation } from './conversationDocument';

/** The number changes whenever a field changes its meaning. */
const formVersion = 1;

export function jsonOf(
  conversation: WrittenConversation,
  about: { readonly redacted: boolean; readonly now: number },
): string {
  const { startedAt, endedAt, entries, ...rest } = conversation;
  const written = {
    gatehouse: { conversation: formVersion, exportedAt: iso(about.now), redacted: about.redacted },
    ...rest,
    startedAt: iso(startedAt),
    endedAt: iso(endedAt),
    entries: entries.map((entry) => (entry.kind === 'call' ? callJson(entry) : { ...entry, at: iso(entry.at) })),
  };
  return `${JSON.stringify(written, null, 2)}\n`;
}

function callJson(call: WrittenCall): object {
  const { startedAt, endedAt, agent } = call;
  return {
    ...call,
    startedAt: iso(startedAt),
    endedAt: endedAt === null ? null : iso(endedAt),
    agent: agent === null ? null : { ...agent, calls: agent.calls.map(callJson) },
  };
}

const iso = (at: number): string => new Date(at).toISOString();

// MCP servers that a run does without because nobody has said a word on them yet.
import type { McpServerView, McpView } from '#shared/api/mcp';

const mostNamed = 5;

const whys: Readonly<Record<NonNullable<McpServerView['needs']>, string>> = {
  trust: 'nobody has trusted the folder yet. Trust it in the workspace, then approve them on the Tools & MCP page.',
  approval:
    'nobody has approved them yet. Approve them on the Tools & MCP page, or name them in enabledMcpjsonServers.',
  changed: 'what they would start has changed since it was approved. Look at them on the Tools & MCP page.',
};

/** One line for each reason; none where every server may run or was switched off. */
export function waitingServers({ servers }: Pick<McpView, 'servers'>): readonly string[] {
  return (['trust', 'approval', 'changed'] as const).flatMap((needs) => {
    const waiting = servers.filter((server) => server.state === 'needsApproval' && server.needs === needs);
    const [first] = waiting;
    if (first === undefined) return [];
    const names = waiting.slice(0, mostNamed).map(({ name }) => name);
    const more = waiting.length > mostNamed ? ` and ${waiting.length - mostNamed} more` : '';
    return [`MCP servers of ${first.file ?? 'this folder'} are not there (${names.join(', ')}${more}): ${whys[needs]}`];
  });
}

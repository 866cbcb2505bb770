// Connects on the side, says what was found and ends it again.
import type { McpServerConfig } from '#shared/api/mcp';
import { serverName } from './cleanText';
import { type ConnectionOptions, ServerConnection } from './serverConnection';

/** Tools named in the answer. */
const namedTools = 100;

export async function testServer(
  options: Pick<ConnectionOptions, 'folder' | 'host' | 'variables' | 'limits' | 'log' | 'now'> & {
    /** Filled in. */
    readonly config: McpServerConfig;
  },
): Promise<{ readonly ok: boolean; readonly message: string; readonly tools: string[]; readonly stderr: string }> {
  let settle: () => void = () => undefined;
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  let began = false;
  const connection = new ServerConnection({
    ...options,
    name: 'test',
    auth: null,
    elicit: () => Promise.resolve({ action: 'decline' }),
    onTools: () => undefined,
    onChange: () => {
      if (began && connection.kind !== 'connecting') settle();
    },
  });
  began = true;
  try {
    await settled;
    const { kind, version, tools, output, problems, reason } = connection;
    const stderr = output.text;
    if (kind !== 'connected') return { ok: false, message: reason, tools: [], stderr };
    const notes = problems.length === 0 ? '' : ` ${problems.join(' ')}`;
    return {
      ok: true,
      message: `Connected to ${version}: ${tools.length} tool${tools.length === 1 ? '' : 's'}.${notes}`,
      tools: tools.slice(0, namedTools).map((tool) => serverName(tool.originalName)),
      stderr,
    };
  } finally {
    await connection.dispose();
  }
}

// Headers that a command prints, for servers whose keys change. It runs where the person has approved the server, with
// what a stdio server would see, and anew for each connection.
import { z } from 'zod';
import { runCommand } from '../hooks/runCommand';
import type { CorePorts } from '../ports';
import { serverEnvironment } from './limits';

/** Documented: longer than this a helper does not run. */
const timeoutMs = 10_000;
const Headers = z.record(
  z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/),
  z
    .string()
    .max(20_000)
    .regex(/^[^\0\r\n]*$/),
);

/** It did not give what was asked of it; in words that show nothing of what it printed. */
export class HelperFailed extends Error {
  override readonly name = 'HelperFailed';
}

export interface HelperRun {
  /** For a shell. */
  readonly command: string;
  readonly server: { readonly name: string; readonly url: string };
  readonly folder: string;
  readonly platform: CorePorts['host']['platform'];
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Runs the command and reads its output: a JSON object of names and texts. Throws HelperFailed. */
export async function headersOf(run: HelperRun): Promise<Readonly<Record<string, string>>> {
  const { command, server, folder, platform, variables, signal } = run;
  const configured = { CLAUDE_CODE_MCP_SERVER_NAME: server.name, CLAUDE_CODE_MCP_SERVER_URL: server.url };
  const ended = await runCommand({
    action: { type: 'command', command },
    stdin: '',
    cwd: folder,
    projectFolder: folder,
    environment: serverEnvironment({ variables, configured, platform }),
    platform,
    timeoutMs,
    signal,
  });
  const failed = (why: string) => new HelperFailed(`its headersHelper ${why}`);
  switch (ended.kind) {
    case 'exited': {
      if (ended.signal !== null) throw failed(`was ended by ${ended.signal}`);
      if (ended.exitCode !== 0) throw failed(`exited with code ${ended.exitCode ?? 0}`);
      const headers = ended.cut ? null : readHeaders(ended.stdout);
      if (headers === null) throw failed('did not print a JSON object of header names and texts');
      return headers;
    }
    case 'failed':
      throw failed(`failed: ${ended.problem}`);
    case 'timeout':
      throw failed(`took longer than ${timeoutMs / 1_000} s`);
    default:
      throw failed('was stopped');
  }
}

function readHeaders(text: string): Readonly<Record<string, string>> | null {
  try {
    const read = Headers.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

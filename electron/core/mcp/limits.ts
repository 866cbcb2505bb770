// Times and sizes, with what the environment says of them.
import type { Variables } from './expand';

export interface McpLimits {
  /** From start to the list of tools, in milliseconds. */
  readonly connectMs: number;
  /** A whole call, in milliseconds. */
  readonly callMs: number;
  /** A call without a sign of life, in milliseconds, by transport. */
  readonly idleMs: { readonly stdio: number; readonly network: number };
  /** Longest result that goes to the model whole, in characters. */
  readonly resultChars: number;
  /** Pauses before a server that ended is started again, in milliseconds; after the last one it stays failed. */
  readonly restartMs: readonly number[];
  /** A server that ran for so long may fail as often as a new one. */
  readonly steadyMs: number;
}

/** Longer timers overflow. */
const maxTimer = 2_147_483_647;

function positive(text: string | undefined, otherwise: number): number {
  const value = Number(text);
  return text !== undefined && Number.isFinite(value) && value > 0 ? Math.min(Math.floor(value), maxTimer) : otherwise;
}

/** English and code have about so many characters to a token. */
const charsPerToken = 4;

/** `MCP_TIMEOUT`, `MCP_TOOL_TIMEOUT` and `MAX_MCP_OUTPUT_TOKENS`; nonsense counts as not set. */
export function limitsFrom(variables: Variables): McpLimits {
  return {
    connectMs: positive(variables.MCP_TIMEOUT, 30_000),
    callMs: positive(variables.MCP_TOOL_TIMEOUT, 100_000_000),
    idleMs: { stdio: 30 * 60_000, network: 5 * 60_000 },
    resultChars: Math.min(500_000, positive(variables.MAX_MCP_OUTPUT_TOKENS, 25_000) * charsPerToken),
    restartMs: [500, 1_000, 2_000, 5_000, 15_000],
    steadyMs: 60_000,
  };
}

/** What every process may know of its surroundings. */
const safeNames = {
  posix: ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'TMPDIR'],
  win32: [
    ...['APPDATA', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATH', 'PATHEXT', 'PROCESSOR_ARCHITECTURE'],
    ...['PROGRAMFILES', 'SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERNAME', 'USERPROFILE'],
  ],
};

/** The environment of a stdio server: safe variables and those that its configuration names. */
export function serverEnvironment(options: {
  readonly variables: Variables;
  readonly configured: Variables;
  readonly platform: 'linux' | 'darwin' | 'win32' | 'other';
}): Record<string, string> {
  const { variables, configured, platform } = options;
  const windows = platform === 'win32';
  const safe = new Set(windows ? safeNames.win32 : safeNames.posix);
  const inherited = Object.entries(variables).filter(
    // A value that begins like this is an exported shell function.
    ([name, value]) => safe.has(windows ? name.toUpperCase() : name) && !value.startsWith('()'),
  );
  return { ...Object.fromEntries(inherited), ...configured };
}

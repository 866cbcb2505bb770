// Runs an mcp_tool handler: calls a tool of a connected server with the event's values in its input.
import type { McpAction } from './handler';
import type { HookPlace } from './hooks';
import type { Ended } from './verdict';

/** Calls a tool of a connected server; rejects when there is no such server or tool. The text is what it returned. */
export type CallMcpTool = (call: {
  readonly server: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly place: HookPlace;
  readonly signal: AbortSignal;
}) => Promise<{ readonly text: string; readonly isError: boolean }>;

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a dotted path of the event, as text; nothing where there is none. */
function valueAt(event: Readonly<Record<string, unknown>>, path: string): string {
  let at: unknown = event;
  for (const step of path.split('.')) at = isFields(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  if (at === undefined || at === null) return '';
  return typeof at === 'string' ? at : JSON.stringify(at);
}

/** Replaces `${tool_input.file_path}` in every text of the input. */
function filled(value: unknown, event: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'string')
    return value.replace(/\$\{([\w.]+)\}/g, (_whole, path: string) => valueAt(event, path));
  if (Array.isArray(value)) return value.map((one) => filled(one, event));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, event)]));
}

/** Calls the tool. Never rejects. */
export async function runMcpTool(run: {
  readonly action: McpAction;
  readonly event: Readonly<Record<string, unknown>>;
  readonly place: HookPlace;
  readonly callMcpTool: CallMcpTool | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}): Promise<Ended> {
  const { action, event, place, callMcpTool, timeoutMs, signal } = run;
  const { server, tool } = action;
  if (callMcpTool === undefined) return { kind: 'failed', problem: `no MCP server “${server}” is connected` };
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  const both = AbortSignal.any([signal, timeout.signal]);
  const input = Object.fromEntries(Object.entries(action.input ?? {}).map(([key, one]) => [key, filled(one, event)]));
  try {
    const late = new Promise<never>((_resolve, reject) => {
      both.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
    });
    const { text, isError } = await Promise.race([callMcpTool({ server, tool, input, place, signal: both }), late]);
    if (isError) return { kind: 'failed', problem: `the tool ${server}: ${tool} failed: ${text.slice(0, 300)}` };
    return { kind: 'exited', exitCode: 0, signal: null, stdout: text, stderr: '', cut: false };
  } catch (error) {
    if (signal.aborted) return { kind: 'cancelled' };
    if (timeout.signal.aborted) return { kind: 'timeout', seconds: timeoutMs / 1000 };
    return { kind: 'failed', problem: error instanceof Error ? error.message : 'the tool could not be called' };
  } finally {
    clearTimeout(timer);
  }
}

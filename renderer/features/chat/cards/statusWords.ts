// A call's status and failure in words.
import type { FailureKind, ToolCall } from '#shared/session/toolCall';
import { waitsForHost } from './track';

const statusNames: Readonly<Record<ToolCall['status'], string>> = {
  checking: 'checking',
  asking: 'waiting for you',
  running: 'running',
  succeeded: 'done',
  failed: 'failed',
  denied: 'denied',
  interrupted: 'interrupted',
};

const failureNames: Readonly<Record<FailureKind, string>> = {
  input: 'invalid input',
  validation: 'not valid here',
  network: 'network failure',
  timeout: 'timed out',
  permission: 'no permission',
  notFound: 'not found',
  aborted: 'stopped',
  executor: 'executor failure',
  mcp: 'MCP server failure',
  mcpAuth: 'sign-in needed',
  tool: 'failed',
  internal: 'fault in Gatehouse',
};

/** "done", "failed: timed out", "waiting for you". */
export function statusWords(call: ToolCall): string {
  if (waitsForHost(call)) return statusNames.asking;
  if (call.status !== 'failed') return statusNames[call.status];
  return call.failure === 'tool' ? 'failed' : `failed: ${failureNames[call.failure]}`;
}

// One handler as settings describe it, read leniently from a file's JSON.
import { z } from 'zod';
import type { RuleSource } from '#shared/permissions/sources';
import type { HookEventName } from '#shared/session/hookRun';
import { withoutCredentials } from '../permissions/withoutCredentials';

const Text = z.string().min(1);
const common = {
  /** One permission rule: the handler runs only for calls that it speaks of. */
  if: Text.optional(),
  /** Seconds. */
  timeout: z.number().positive().max(86_400).optional(),
  statusMessage: z.string().optional(),
  once: z.boolean().optional(),
};
const onFailure = z.enum(['continue', 'block']).optional();

const Command = z.object({
  ...common,
  type: z.literal('command'),
  command: Text,
  /** Without a shell: `command` is the program. */
  args: z.array(z.string()).optional(),
  shell: z.enum(['bash', 'powershell']).optional(),
  async: z.boolean().optional(),
  asyncRewake: z.boolean().optional(),
  onFailure,
});
const Http = z.object({
  ...common,
  type: z.literal('http'),
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string(), z.string()).optional(),
  allowedEnvVars: z.array(z.string()).optional(),
  onFailure,
});
const Prompt = z.object({
  ...common,
  type: z.literal('prompt'),
  prompt: Text,
  model: Text.optional(),
  continueOnBlock: z.boolean().optional(),
});
const Agent = z.object({ ...common, type: z.literal('agent'), prompt: Text, model: Text.optional() });
const McpTool = z.object({
  ...common,
  type: z.literal('mcp_tool'),
  server: Text,
  tool: Text,
  input: z.record(z.string(), z.unknown()).optional(),
});

/** What a handler does; unknown fields are left out. */
export const HandlerAction = z.discriminatedUnion('type', [Command, Http, Prompt, Agent, McpTool]);
export type HandlerAction = z.infer<typeof HandlerAction>;
export type CommandAction = z.infer<typeof Command>;
export type HttpAction = z.infer<typeof Http>;
export type McpAction = z.infer<typeof McpTool>;
export type ModelAction = z.infer<typeof Prompt> | z.infer<typeof Agent>;

/** A handler with its place: event, matcher as written, origin. */
export interface Handler {
  readonly event: HookEventName;
  readonly matcher: string;
  readonly action: HandlerAction;
  readonly source: RuleSource;
  /** Null for JSON given at launch. */
  readonly file: string | null;
  readonly line: number | null;
}

const labelLength = 200;

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > labelLength ? `${[...line].slice(0, labelLength).join('')}…` : line;
}

/**
 * What runs, in one line. It is shown to the person and to the model, so it never holds a header, a query or what looks
 * like a key.
 */
export function labelOf(action: HandlerAction): string {
  const whole = wholeLabel(action);
  return withoutCredentials(whole) ?? `${withoutCredentials(whole.split(' ', 1)[0] ?? '') ?? action.type} …`;
}

function wholeLabel(action: HandlerAction): string {
  switch (action.type) {
    case 'command':
      return oneLine([action.command, ...(action.args ?? [])].join(' '));
    case 'http': {
      const { origin, pathname } = new URL(action.url);
      return oneLine(`${origin}${pathname}`);
    }
    case 'prompt':
    case 'agent':
      return oneLine(action.prompt);
    case 'mcp_tool':
      return oneLine(`${action.server}: ${action.tool}`);
  }
}

/** What makes two handlers the same, however their files describe the rest. */
export function identityOf(action: HandlerAction): string {
  switch (action.type) {
    case 'command':
      return JSON.stringify(['command', action.command, action.args ?? null, action.shell ?? null]);
    case 'http':
      return JSON.stringify(['http', action.url, Object.entries(action.headers ?? {}).sort()]);
    case 'prompt':
    case 'agent':
      return JSON.stringify([action.type, action.prompt, action.model ?? null]);
    case 'mcp_tool':
      return JSON.stringify(['mcp_tool', action.server, action.tool, action.input ?? null]);
  }
}

/** Whether a failing of the handler blocks. */
export function blocksOnFailure(action: HandlerAction): boolean {
  return (
    (action.type === 'command' || action.type === 'http') && action.onFailure === 'block' && !runsInBackground(action)
  );
}

export function runsInBackground(action: HandlerAction): boolean {
  return action.type === 'command' && (action.async === true || action.asyncRewake === true);
}

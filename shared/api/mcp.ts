// MCP servers: where they are configured, what they need from the person, what they offer.
import { z } from 'zod';
import { call } from '../rpc/contract';

/**
 * Where a server is configured. `managed`: by the system's administrator; `flag`: given at launch; `local` and `user`: the
 * person's ~/.claude.json (read only); `project`: the folder's .mcp.json; `gatehouse`: Gatehouse's own file, for all folders.
 */
export const McpScope = z.enum(['managed', 'flag', 'local', 'project', 'gatehouse', 'user']);
export type McpScope = z.infer<typeof McpScope>;

/** Scopes whose file Gatehouse writes. */
export const EditableMcpScope = z.enum(['project', 'gatehouse']);
export type EditableMcpScope = z.infer<typeof EditableMcpScope>;

/** Names and values of variables or headers. Values may hold `${VAR}` and `${VAR:-default}`. */
const Texts = z.record(z.string().min(1).max(200), z.string().max(20_000));

/** A server as it is written in a file, before `${VAR}` is filled in. */
export const McpServerConfig = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('stdio'),
    command: z.string().trim().min(1).max(4_000),
    args: z.array(z.string().max(20_000)).max(200).default([]),
    env: Texts.default({}),
    /** Milliseconds that a call may go without a sign of life; absent: 30 minutes. */
    timeout: z.number().int().positive().optional(),
    /** Its tools are in every request, never found by search alone. */
    alwaysLoad: z.boolean().optional(),
  }),
  z.strictObject({
    type: z.enum(['http', 'sse']),
    url: z.string().trim().min(1).max(4_000),
    headers: Texts.default({}),
    /** A command for a shell that prints further headers as a JSON object; it runs before each connection. */
    headersHelper: z.string().trim().min(1).max(4_000).optional(),
    /** Milliseconds that a call may go without a sign of life; absent: 5 minutes. */
    timeout: z.number().int().positive().optional(),
    alwaysLoad: z.boolean().optional(),
  }),
]);
export type McpServerConfig = z.infer<typeof McpServerConfig>;

/**
 * `disabled`: by the person, by policy or hidden by a server of the same name; `needsApproval`: it came with the folder and
 * waits for the person; `restarting`: it ended and is started again after a pause.
 */
export const McpState = z.enum([
  'disabled',
  'needsApproval',
  'connecting',
  'connected',
  'needsAuth',
  'failed',
  'restarting',
]);
export type McpState = z.infer<typeof McpState>;

/** What a server says of its tool. Only a hint: it never grants anything. */
export const McpHints = z.strictObject({
  readOnly: z.boolean().optional(),
  destructive: z.boolean().optional(),
  openWorld: z.boolean().optional(),
});
export type McpHints = z.infer<typeof McpHints>;

export const McpToolView = z.strictObject({
  /** As the model calls it. */
  name: z.string(),
  /** As the server calls it. */
  originalName: z.string(),
  /** As permission rules name it. */
  ruleName: z.string(),
  /** Cleaned and bounded. */
  description: z.string(),
  hints: McpHints,
  alwaysLoad: z.boolean(),
  /** The definition is not the one that was approved: rules that allow it wait until the person confirms it. */
  changed: z.boolean(),
});
export type McpToolView = z.infer<typeof McpToolView>;

export const McpServerView = z.strictObject({
  /** `scope/name`: names a server within its folder. */
  id: z.string(),
  name: z.string(),
  scope: McpScope,
  /** Absolute path of the file; null when it was given at launch. */
  file: z.string().nullable(),
  editable: z.boolean(),
  /** As written; values of variables and headers are left out (empty texts) unless they are only `${VAR}`. */
  config: McpServerConfig,
  /** Names the whole configuration as it is written now, values of variables and headers included. */
  configHash: z.string(),
  /** What would be started or reached, in one line. */
  target: z.string(),
  state: McpState,
  /** In words for people: why it is in this state and what to do; empty when all is well. */
  reason: z.string(),
  /** What is missing for approval: trust in the folder, a word on this server (also after a refusal), or on its changed command. */
  needs: z.enum(['trust', 'approval', 'changed']).nullable(),
  /** What it calls itself; empty while not connected. */
  version: z.string(),
  /** Notes of the server for the model, cleaned and bounded. */
  instructions: z.string(),
  tools: z.array(McpToolView),
  /** What was left out of what it offers, and why; in words. */
  problems: z.array(z.string()),
  resources: z.boolean(),
  prompts: z.boolean(),
  /** Epoch milliseconds of the last connection; null before. */
  connectedAt: z.number().nullable(),
  /** Whether a person has signed in to it. */
  signedIn: z.boolean(),
});
export type McpServerView = z.infer<typeof McpServerView>;

export const McpView = z.strictObject({
  folder: z.string(),
  servers: z.array(McpServerView),
  /** Entries that were skipped and files that could not be read, in words with the file's name. */
  problems: z.array(z.string()),
});
export type McpView = z.infer<typeof McpView>;

export const McpResource = z.strictObject({
  server: z.string(),
  uri: z.string(),
  name: z.string(),
  description: z.string(),
  mimeType: z.string(),
});
export type McpResource = z.infer<typeof McpResource>;

export const McpPrompt = z.strictObject({
  server: z.string(),
  name: z.string(),
  description: z.string(),
  arguments: z.array(z.strictObject({ name: z.string(), description: z.string(), required: z.boolean() })),
});
export type McpPrompt = z.infer<typeof McpPrompt>;

const folder = z.string().min(1);
const server = z.strictObject({ folder, id: z.string().min(1) });
const done = z.strictObject({ view: McpView });
/** No two names in a rule may look alike: a name has letters, digits, blanks, dots, hyphens and underscores. */
export const McpServerName = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u, 'expected 1 to 64 letters, digits, blanks or ._-');

export const mcpCalls = {
  /** The folder's servers. Looks at the files again; starts what may be started. */
  'mcp.list': call(z.strictObject({ folder }), done),
  /** Waits until no server of a session's folder is connecting any more, at most so many milliseconds. */
  'mcp.settled': call(
    z.strictObject({ sessionId: z.string(), waitMs: z.number().int().nonnegative().max(120_000) }),
    z.strictObject({ servers: z.array(McpServerView) }),
  ),
  /**
   * Lets a server that came with the folder be started as it was shown: refused when its configuration is no longer the one
   * that `hash` (its view's `configHash`) names. The folder must be trusted.
   */
  'mcp.approve': call(server.extend({ hash: z.string() }), done),
  'mcp.reject': call(server, done),
  'mcp.restart': call(server, done),
  'mcp.enable': call(server, done),
  'mcp.disable': call(server, done),
  /** Accepts changed definitions: rules that allow these tools count again. Empty: all changed tools of the server. */
  'mcp.confirmTools': call(
    server.extend({
      tools: z.array(z.string()).default([]),
      /** As `mcp.definition` told it, for one tool: refused when the definition has changed again since. */
      hash: z.string().optional(),
    }),
    done,
  ),
  /** The definition of a tool that was accepted (null: not known any more) and the present one, as the server wrote them. */
  'mcp.definition': call(
    server.extend({ tool: z.string().min(1) }),
    z.strictObject({ before: z.string().nullable(), now: z.string(), hash: z.string() }),
  ),
  'mcp.add': call(
    z.strictObject({ folder, scope: EditableMcpScope, name: McpServerName, config: McpServerConfig }),
    done,
  ),
  /** Writes a server anew. Empty texts in `env` and `headers` keep what is written there now. */
  'mcp.edit': call(server.extend({ config: McpServerConfig }), done),
  'mcp.remove': call(server, done),
  /** Connects on the side with a configuration that need not be saved, says what was found and ends it again. */
  'mcp.test': call(
    z.strictObject({ folder, config: McpServerConfig }),
    z.strictObject({ ok: z.boolean(), message: z.string(), tools: z.array(z.string()), stderr: z.string() }),
  ),
  /**
   * Starts signing in. The person opens `url` in a browser; the server connects once they have agreed there, which the
   * event `mcp.changed` tells. An empty `url`: nothing more to do.
   */
  'mcp.authorize': call(server, z.strictObject({ url: z.string() })),
  /** Forgets the tokens. */
  'mcp.signOut': call(server, done),
  /** The newest of what the server printed beside the protocol; plain text, bounded. */
  'mcp.stderr': call(server, z.strictObject({ text: z.string(), droppedChars: z.number().int().nonnegative() })),
  'mcp.resources': call(z.strictObject({ folder }), z.strictObject({ resources: z.array(McpResource) })),
  'mcp.prompts': call(z.strictObject({ folder }), z.strictObject({ prompts: z.array(McpPrompt) })),
  /** A prompt's text, filled in by the server. */
  'mcp.prompt': call(
    server.extend({ name: z.string().min(1), arguments: z.record(z.string(), z.string()).default({}) }),
    z.strictObject({ text: z.string() }),
  ),
};

export const mcpEvents = {
  /** Servers of a folder changed: state, tools or configuration. `mcp.list` tells the rest. */
  'mcp.changed': z.strictObject({ folder: z.string() }),
};

// Servers as files write them, read leniently: one bad entry is named and skipped.
import { type McpScope, McpServerConfig } from '#shared/api/mcp';
import { serverName } from './cleanText';
import { isFields } from './toolSchema';

/** A server of one file, not yet filled in. */
export interface ConfiguredServer {
  readonly name: string;
  readonly scope: McpScope;
  /** Absolute; null when it was given at launch. */
  readonly file: string | null;
  readonly config: McpServerConfig;
}

export interface ReadServers {
  readonly servers: readonly ConfiguredServer[];
  /** In words, with the file. */
  readonly problems: readonly string[];
}

/** Servers of one file. */
const maxServers = 200;

/** Names are part of lists, rules and questions to people; what can only mislead there is refused. */
const namePattern = /^[\p{L}\p{N}_@][\p{L}\p{N} ._@:/-]{0,63}$/u;

/** Reads an object `name → configuration`. `from` names the file in problems. */
export function readServers(
  value: unknown,
  about: { readonly scope: McpScope; readonly file: string | null; readonly from: string },
): ReadServers {
  const { scope, file, from } = about;
  if (value === undefined) return { servers: [], problems: [] };
  if (!isFields(value))
    return { servers: [], problems: [`${from}: mcpServers must be an object; nothing in it counts.`] };
  const servers: ConfiguredServer[] = [];
  const problems: string[] = [];
  for (const [name, raw] of Object.entries(value)) {
    const skip = (why: string): void =>
      void problems.push(`${from}: the server “${serverName(name, 80)}” was skipped: ${why}.`);
    if (servers.length >= maxServers) {
      problems.push(`${from}: only the first ${maxServers} servers count.`);
      break;
    }
    if (!namePattern.test(name)) skip('a name has at most 64 letters, digits, blanks and ._@:/-');
    else {
      const read = readConfig(raw);
      if (typeof read === 'string') skip(read);
      else servers.push({ name, scope, file, config: read });
    }
  }
  return { servers, problems };
}

/** One configuration, or why it cannot be used. Unknown keys are left to others. */
function readConfig(raw: unknown): McpServerConfig | string {
  if (!isFields(raw)) return 'its configuration must be an object';
  const { command, url, args, env, headers, headersHelper, timeout, alwaysLoad } = raw;
  const type = raw.type ?? (url === undefined ? 'stdio' : 'http');
  if (type === 'ws')
    return 'WebSocket servers cannot be used, because the MCP standard has no such transport; give its http or stdio form';
  if (type !== 'stdio' && type !== 'http' && type !== 'streamable-http' && type !== 'sse')
    return `its type must be stdio, http or sse, not ${JSON.stringify(type)?.slice(0, 40)}`;
  const common = {
    ...(typeof timeout === 'number' && Number.isSafeInteger(timeout) && timeout > 0 ? { timeout } : {}),
    ...(typeof alwaysLoad === 'boolean' ? { alwaysLoad } : {}),
  };
  const helper = headersHelper === undefined ? {} : { headersHelper };
  if (type === 'stdio' && command === undefined) return 'command is missing';
  if (type !== 'stdio' && url === undefined) return 'url is missing';
  const parsed = McpServerConfig.safeParse(
    type === 'stdio'
      ? { type, command, args: args ?? [], env: env ?? {}, ...common }
      : { type: type === 'sse' ? 'sse' : 'http', url, headers: headers ?? {}, ...helper, ...common },
  );
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return `${issue?.path.join('.') ?? 'something'} is not as it must be (${issue?.message ?? 'unknown'})`;
}

// Changes one server in a file's text and nothing else.
import { applyEdits, modify } from 'jsonc-parser';
import type { McpServerConfig } from '#shared/api/mcp';
import { fail, ok, type Result } from '#shared/util/result';
import { nodeAt, readSettingsText } from '../settings/settingsText';

/** What is written: no defaults, the type only where it is not the usual one. */
function written(config: McpServerConfig): Record<string, unknown> {
  const { timeout, alwaysLoad } = config;
  const common = { ...(timeout === undefined ? {} : { timeout }), ...(alwaysLoad === undefined ? {} : { alwaysLoad }) };
  if (config.type !== 'stdio') {
    const { type, url, headers } = config;
    return { type, url, ...(Object.keys(headers).length === 0 ? {} : { headers }), ...common };
  }
  const { command, args, env } = config;
  return {
    command,
    ...(args.length === 0 ? {} : { args }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...common,
  };
}

/** Texts left empty stand for what is there now: pages never see values that may be secret. */
export function withKept(config: McpServerConfig, before: McpServerConfig | undefined): McpServerConfig {
  const kept = (
    now: Readonly<Record<string, string>>,
    then: Readonly<Record<string, string>>,
  ): Record<string, string> =>
    Object.fromEntries(
      Object.entries(now).map(([name, text]) => [
        name,
        text === '' && Object.hasOwn(then, name) ? (then[name] ?? '') : text,
      ]),
    );
  if (before === undefined) return config;
  if (config.type === 'stdio') return { ...config, env: kept(config.env, before.type === 'stdio' ? before.env : {}) };
  return { ...config, headers: kept(config.headers, before.type === 'stdio' ? {} : before.headers) };
}

/** The text with the server added, replaced or (null) removed. `text` null: no file yet. The error is for people. */
export function withServer(
  text: string | null,
  name: string,
  change: { readonly config: McpServerConfig | null; readonly expect: 'new' | 'there' },
): Result<string> {
  const { config, expect } = change;
  const start = text === null || text.trim() === '' ? '{}\n' : text;
  const read = readSettingsText(start);
  if (!read.ok)
    return fail(`line ${read.error.line}, column ${read.error.column}: ${read.error.message}. Mend the file first.`);
  const { root, body, mark } = read.value;
  if (root.type !== 'object') return fail('the file must hold a JSON object. Mend it first.');
  const servers = nodeAt(root, ['mcpServers']);
  if (servers !== undefined && servers.type !== 'object') return fail('mcpServers must be an object. Mend it first.');
  const present = nodeAt(root, ['mcpServers', name]) !== undefined;
  if (expect === 'new' && present)
    return fail(`there is a server “${name}” already. Choose another name, or edit that one.`);
  if (expect === 'there' && !present) return fail(`there is no server “${name}” any more.`);
  const indent = /\n([ \t]+)"/.exec(body)?.[1] ?? '  ';
  const insertSpaces = !indent.startsWith('\t');
  const formattingOptions = {
    insertSpaces,
    tabSize: insertSpaces ? indent.length : 1,
    eol: body.includes('\r\n') ? '\r\n' : '\n',
  };
  const value = config === null ? undefined : written(config);
  const edited = applyEdits(body, modify(body, ['mcpServers', name], value, { formattingOptions }));
  return ok(mark + edited);
}

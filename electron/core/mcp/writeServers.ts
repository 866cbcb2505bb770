// Changes one server in a file's text and nothing else.
import type { Node } from 'jsonc-parser';
import type { McpServerConfig } from '#shared/api/mcp';
import { fail, ok, type Result } from '#shared/util/result';
import { nodeAt, readSettingsText } from '../settings/settingsText';

/** What is written: no defaults, the type only where it is not the usual one. */
function written(config: McpServerConfig): Record<string, unknown> {
  const { timeout, alwaysLoad } = config;
  const common = { ...(timeout === undefined ? {} : { timeout }), ...(alwaysLoad === undefined ? {} : { alwaysLoad }) };
  if (config.type !== 'stdio') {
    const { type, url, headers, headersHelper } = config;
    const helper = headersHelper === undefined ? {} : { headersHelper };
    return { type, url, ...(Object.keys(headers).length === 0 ? {} : { headers }), ...helper, ...common };
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
  const style = { indent: /\n([ \t]+)"/.exec(body)?.[1] ?? '  ', eol: body.includes('\r\n') ? '\r\n' : '\n' };
  const value = config === null ? null : written(config);
  if (servers === undefined) return ok(mark + insert(body, root, ['mcpServers', { [name]: value }], style));
  if (value === null) return ok(mark + remove(body, servers, name));
  const there = nodeAt(root, ['mcpServers', name]);
  if (there === undefined) return ok(mark + insert(body, servers, [name, value], style));
  const replacement = laidOut(value, { ...style, outer: lineIndent(body, there.offset) });
  return ok(mark + splice(body, there.offset, there.offset + there.length, replacement));
}

interface Style {
  readonly indent: string;
  readonly eol: string;
}

const splice = (text: string, from: number, to: number, replacement: string): string =>
  text.slice(0, from) + replacement + text.slice(to);

function lineIndent(body: string, offset: number): string {
  const start = body.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(body.slice(start, offset))?.[0] ?? '';
}

/** JSON whose further lines stand below `outer`. */
function laidOut(value: unknown, { indent, eol, outer }: Style & { readonly outer: string }): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', `${eol}${outer}`);
}

/** Puts a property behind the others of an object, laid out as they are. */
function insert(body: string, object: Node, [name, value]: readonly [string, unknown], style: Style): string {
  const last = object.children?.at(-1);
  const sameLine = last !== undefined && !body.slice(object.offset, last.offset).includes('\n');
  if (last !== undefined && sameLine)
    return splice(
      body,
      last.offset + last.length,
      last.offset + last.length,
      `, ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    );
  const outer = last === undefined ? lineIndent(body, object.offset) + style.indent : lineIndent(body, last.offset);
  const text = `${style.eol}${outer}${JSON.stringify(name)}: ${laidOut(value, { ...style, outer })}`;
  if (last !== undefined) return splice(body, last.offset + last.length, last.offset + last.length, `,${text}`);
  const end = object.offset + object.length;
  return splice(body, object.offset, end, `{${text}${style.eol}${lineIndent(body, object.offset)}}`);
}

/** Takes a property out of an object, with its comma. */
function remove(body: string, object: Node, name: string): string {
  const children = object.children ?? [];
  const at = children.findLastIndex((property) => property.children?.[0]?.value === name);
  const [before, node, after] = [children[at - 1], children[at], children[at + 1]];
  if (node === undefined) return body;
  if (after !== undefined) return splice(body, node.offset, after.offset, '');
  const from = before === undefined ? object.offset + 1 : before.offset + before.length;
  const to = before === undefined ? object.offset + object.length - 1 : node.offset + node.length;
  return splice(body, from, to, '');
}

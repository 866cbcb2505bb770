// A server's configuration as it is typed into the form, and back.
import type { EditableMcpScope, McpServerConfig } from '#shared/api/mcp';

export interface Pair {
  readonly name: string;
  readonly value: string;
  /** A value is written in the file that this page does not know; an empty text keeps it. */
  readonly kept: boolean;
}

export interface ServerDraft {
  readonly name: string;
  readonly scope: EditableMcpScope;
  readonly type: McpServerConfig['type'];
  readonly command: string;
  readonly args: readonly string[];
  readonly url: string;
  /** Variables of a program, headers of an address. */
  readonly pairs: readonly Pair[];
}

export const emptyServer: ServerDraft = {
  name: '',
  scope: 'gatehouse',
  type: 'stdio',
  command: '',
  args: [],
  url: '',
  pairs: [],
};

export function draftOf(name: string, scope: EditableMcpScope, config: McpServerConfig): ServerDraft {
  const texts = config.type === 'stdio' ? config.env : config.headers;
  const pairs = Object.entries(texts).map(([key, value]) => ({ name: key, value, kept: value === '' }));
  const own = config.type === 'stdio' ? { command: config.command, args: config.args } : { url: config.url };
  return { ...emptyServer, name, scope, type: config.type, ...own, pairs };
}

/** What is missing or wrong; empty when it can be tried. */
export function draftProblem({ name, type, command, url, pairs }: ServerDraft): string {
  if (name.trim() === '') return 'Give the server a name.';
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u.test(name.trim()))
    return 'A name has 1 to 64 letters, digits, blanks or ._- and begins with a letter or digit.';
  return targetProblem({ type, command, url, pairs });
}

/** As `draftProblem`, for what a test of the connection needs. */
export function targetProblem(draft: Pick<ServerDraft, 'type' | 'command' | 'url' | 'pairs'>): string {
  if (draft.type === 'stdio' && draft.command.trim() === '') return 'Write the command that starts the server.';
  if (draft.type !== 'stdio') {
    const url = draft.url.trim();
    if (url === '') return 'Write the address of the server.';
    // An address may begin with a variable.
    if (!url.includes('${') && !/^https?:\/\//.test(url)) return 'An address begins with https:// or http://.';
  }
  const names = draft.pairs.map(({ name }) => name.trim());
  if (draft.pairs.some(({ name, value }) => name.trim() === '' && value !== ''))
    return draft.type === 'stdio' ? 'A variable has no name.' : 'A header has no name.';
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  return twice === undefined ? '' : `${twice} stands there twice.`;
}

/** `before` keeps what the form does not show. */
export function configOf(draft: ServerDraft, before: McpServerConfig | null): McpServerConfig {
  const texts = Object.fromEntries(
    draft.pairs.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]),
  );
  const rest = {
    ...(before?.timeout === undefined ? {} : { timeout: before.timeout }),
    ...(before?.alwaysLoad === undefined ? {} : { alwaysLoad: before.alwaysLoad }),
  };
  if (draft.type === 'stdio')
    return { type: 'stdio', command: draft.command.trim(), args: [...draft.args], env: texts, ...rest };
  const helper =
    before?.type === 'stdio' || before?.headersHelper === undefined ? {} : { headersHelper: before.headersHelper };
  return { type: draft.type, url: draft.url.trim(), headers: texts, ...helper, ...rest };
}

// What kind of failure a thrown value is, for people, and what the model is told of it. Never a path, never code.
import type { FailureKind } from '#shared/session/toolCall';
import { errorClass } from '../results/errorClass';

const kindsByCode: ReadonlyMap<string, FailureKind> = new Map(
  (
    [
      [
        'network',
        'ECONNREFUSED ECONNRESET ECONNABORTED ENOTFOUND EAI_AGAIN EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN',
      ],
      ['network', 'EPROTO UND_ERR_SOCKET UND_ERR_CLOSED CERT_HAS_EXPIRED ERR_TLS_CERT_ALTNAME_INVALID'],
      ['timeout', 'ETIMEDOUT ESOCKETTIMEDOUT UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT'],
      ['permission', 'EACCES EPERM EROFS'],
      ['notFound', 'ENOENT ENOTDIR'],
      ['aborted', 'ABORT_ERR ERR_CANCELED'],
    ] as const
  ).flatMap(([kind, codes]) => codes.split(' ').map((code): [string, FailureKind] => [code, kind])),
);

const kindsByName: ReadonlyMap<string, FailureKind> = new Map<string, FailureKind>([
  ['AbortError', 'aborted'],
  ['TimeoutError', 'timeout'],
  ['FetchError', 'network'],
  ['McpError', 'mcp'],
  ['UnauthorizedError', 'mcpAuth'],
]);

/** Causes looked through, from the error inwards. */
const maxCauses = 4;

/** The kind of an error that is no ToolFailure. What is not known is a fault of ours. */
export function failureKind(error: unknown): FailureKind {
  let at: unknown = error;
  for (let depth = 0; depth < maxCauses && at instanceof Error; depth += 1) {
    const code = 'code' in at && typeof at.code === 'string' ? kindsByCode.get(at.code) : undefined;
    const kind = code ?? kindsByName.get(at.name);
    if (kind !== undefined) return kind;
    at = at.cause;
  }
  return 'internal';
}

const facts: Readonly<Record<FailureKind, string>> = {
  input: 'its input was not valid',
  validation: 'its input does not fit what is there',
  network: 'the network could not be reached or broke off',
  timeout: 'something it waited for did not answer in time',
  permission: 'the system did not permit it',
  notFound: 'something it needs is not there',
  aborted: 'it was broken off',
  executor: 'the process that runs tools failed',
  mcp: 'its MCP server answered with an error',
  mcpAuth: 'its MCP server wants the person to sign in',
  tool: 'it reported a failure',
  internal: 'there is a fault in Gatehouse',
};

const advice: Partial<Record<FailureKind, string>> = {
  network: 'Check the address, or try again later.',
  timeout: 'Try again with less to do at once.',
  notFound: 'Search for what is there first.',
  permission: 'Try another way, or tell the person.',
  mcpAuth: 'Tell the person; try again once they have signed in.',
};

/** What the model is told of an unexpected error: its kind and class, nothing of its message. */
export function unexpectedFailure(error: unknown): { readonly kind: FailureKind; readonly text: string } {
  const kind = failureKind(error);
  const next = advice[kind] ?? 'The log has details. Try another way.';
  return { kind, text: `The tool failed because ${facts[kind]} (${errorClass(error)}). ${next}` };
}

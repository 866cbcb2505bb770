// Errors of the library and the network, by what they mean here. Told by name and code, so that nothing is loaded for it.
import { serverText } from './cleanText';

export type McpFailure =
  | { readonly kind: 'closed' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'auth' }
  | { readonly kind: 'network'; readonly words: string }
  /** The server answered with an error, in its own words. */
  | { readonly kind: 'server'; readonly words: string }
  | { readonly kind: 'other'; readonly words: string };

function property(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null && name in error ? Reflect.get(error, name) : undefined;
}

/** The error with its causes, from outside inwards. */
function chain(error: unknown): unknown[] {
  const all: unknown[] = [];
  for (let at = error; at !== undefined && all.length < 6; at = property(at, 'cause')) all.push(at);
  return all;
}

const authNames = new Set([
  'UnauthorizedError',
  'InsufficientScopeError',
  'OAuthError',
  'OAuthClientFlowError',
  'RegistrationRejectedError',
  'IssuerMismatchError',
]);

/** What an error of a request or a connection means. */
export function failureOf(error: unknown): McpFailure {
  const all = chain(error);
  const words = serverText(all[0] instanceof Error ? all[0].message : String(all[0]), 500);
  if (all.some((one) => one instanceof Error && authNames.has(one.name))) return { kind: 'auth' };
  if (all.some((one) => property(one, 'status') === 401)) return { kind: 'auth' };
  const codes = all.map((one) => property(one, 'code'));
  if (codes.includes('REQUEST_TIMEOUT')) return { kind: 'timeout' };
  if (codes.includes('CONNECTION_CLOSED') || codes.includes('NOT_CONNECTED') || words === 'connection closed')
    return { kind: 'closed' };
  // The server has forgotten the session.
  const forgot = (one: unknown): boolean =>
    property(one, 'status') === 404 || (property(one, 'status') === 400 && /session/i.test(words));
  if (all.some(forgot)) return { kind: 'closed' };
  const system = codes.find((code): code is string => typeof code === 'string' && /^(E[A-Z]+|UND_ERR_\w+)$/.test(code));
  if (system !== undefined || words === 'fetch failed') return { kind: 'network', words: system ?? words };
  if (codes.some((code) => typeof code === 'number')) return { kind: 'server', words };
  return { kind: 'other', words };
}

/** Why a server could not be connected, for people. */
export function connectReason(error: unknown, timeoutMs: number): string {
  const failure = failureOf(error);
  switch (failure.kind) {
    case 'timeout':
      return `It did not answer within ${Math.round(timeoutMs / 1_000)} s. Look at what it printed; MCP_TIMEOUT gives it more time.`;
    case 'closed':
      return 'It closed the connection before it was ready. Look at what it printed.';
    case 'auth':
      return 'Sign in to it; until then its tools are not there.';
    case 'network':
      return `It cannot be reached (${failure.words}). Check the address and whether the server runs, then restart it.`;
    case 'server':
      return `It answered with an error: ${failure.words}.`;
    case 'other':
      return `It could not be connected: ${failure.words}.`;
  }
}

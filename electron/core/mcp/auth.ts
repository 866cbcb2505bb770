// Signing in to a server over the network: authorization code with PKCE, a client registered on the spot, a loopback
// redirect. Nothing starts without the person's wish; what is won is kept sealed and never logged.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type {
  AuthProvider,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { fail, ok, type Result } from '#shared/util/result';
import type { Log } from '../ports';
import { boundedFetch } from './boundedFetch';
import { serverText } from './cleanText';
import type { TokenStore } from './tokenStore';

/** How long a person may take in the browser. */
const signInMs = 10 * 60_000;

export interface ServerAuth {
  /** For the transport: the present token, and a refresh when it is refused. */
  readonly provider: AuthProvider;
  readonly signedIn: boolean;
  /** Starts anew and answers with the address to open; empty when nothing more has to be done. */
  authorize(): Promise<Result<string>>;
  signOut(): void;
  dispose(): void;
}

export interface AuthOptions {
  /** The server's address: tokens are kept for it alone. */
  readonly url: string;
  readonly tokens: TokenStore;
  readonly log: Log;
  /** The person has agreed in the browser and the tokens are there. */
  onSignedIn(): void;
  /** Signing in came to nothing; in words. */
  onFailed(why: string): void;
}

/** What the server's refusal said about where to sign in. */
interface Challenge {
  readonly resourceMetadataUrl?: URL;
  readonly scope?: string;
}

const boundFetch = boundedFetch(fetch, () => undefined);

export function createServerAuth(options: AuthOptions): ServerAuth {
  const { url, tokens, log } = options;
  let challenge: Challenge = {};
  let refreshing: Promise<void> | null = null;
  let pending: { readonly close: () => void } | null = null;

  async function refresh(): Promise<void> {
    const library = await import('@modelcontextprotocol/client');
    if (tokens.get(url)?.tokens?.refresh_token === undefined) throw new library.UnauthorizedError('sign in');
    const provider = keptProvider({
      redirectUrl: 'http://127.0.0.1/callback',
      redirect: () => {
        throw new library.UnauthorizedError('sign in');
      },
    });
    await library.auth(provider, { serverUrl: url, fetchFn: boundFetch, ...challengeOptions() });
  }

  const challengeOptions = () =>
    challenge.resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl: challenge.resourceMetadataUrl };

  /** Client and tokens as they are kept. */
  function keptProvider(about: { readonly redirectUrl: string; redirect(to: URL): void }): OAuthClientProvider {
    return {
      redirectUrl: about.redirectUrl,
      clientMetadata: clientMetadata(about.redirectUrl),
      clientInformation: () => tokens.get(url)?.client,
      saveClientInformation: (client) => tokens.set(url, { ...tokens.get(url), client }),
      tokens: () => tokens.get(url)?.tokens,
      saveTokens: (fresh) => tokens.set(url, { ...tokens.get(url), tokens: fresh }),
      redirectToAuthorization: about.redirect,
      saveCodeVerifier: () => undefined,
      codeVerifier: () => '',
      invalidateCredentials(scope) {
        if (scope === 'all' || scope === 'client' || scope === 'tokens') tokens.set(url, null);
      },
    };
  }

  async function authorize(): Promise<Result<string>> {
    pending?.close();
    const library = await import('@modelcontextprotocol/client');
    const state = randomBytes(32).toString('base64url');
    let verifier = '';
    let client: StoredOAuthClientInformation | undefined;
    let opened: URL | null = null;
    let discovered: OAuthDiscoveryState | undefined;
    const callback = await listenForCallback(state);
    const close = (): void => {
      callback.close();
      if (pending?.close === close) pending = null;
    };
    pending = { close };
    // The client is registered for this very redirect, since its port is another one each time.
    const provider: OAuthClientProvider = {
      redirectUrl: callback.redirectUrl,
      clientMetadata: clientMetadata(callback.redirectUrl),
      state: () => state,
      clientInformation: () => client,
      saveClientInformation: (registered) => {
        client = registered;
      },
      tokens: () => undefined,
      saveTokens: (fresh: StoredOAuthTokens) =>
        tokens.set(url, { ...(client === undefined ? {} : { client }), tokens: fresh }),
      redirectToAuthorization: (to) => {
        opened = to;
      },
      saveCodeVerifier: (value) => {
        verifier = value;
      },
      codeVerifier: () => verifier,
      // The code is taken to the server that the person was sent to, whatever is said of others meanwhile.
      saveDiscoveryState: (found) => {
        discovered = found;
      },
      discoveryState: () => discovered,
    };
    const scope = challenge.scope === undefined ? {} : { scope: challenge.scope };
    try {
      const first = await library.auth(provider, {
        serverUrl: url,
        fetchFn: boundFetch,
        ...challengeOptions(),
        ...scope,
      });
      if (first === 'AUTHORIZED') {
        close();
        options.onSignedIn();
        return ok('');
      }
      const address = safeAddress(opened);
      if (address === null) {
        close();
        return fail('The server names an address for signing in that is not safe to open (it must be https).');
      }
      void finish({ callback, close, library, provider });
      return ok(address);
    } catch (error) {
      close();
      return fail(`Signing in could not be started: ${reasonOf(error)}`);
    }
  }

  async function finish(about: {
    readonly callback: Callback;
    readonly library: typeof import('@modelcontextprotocol/client');
    readonly provider: OAuthClientProvider;
    close(): void;
  }): Promise<void> {
    const { callback, library, provider, close } = about;
    try {
      const answer = await callback.answer;
      if (answer === null) return;
      if (!answer.ok) {
        options.onFailed(answer.error);
        return;
      }
      const { code, iss } = answer.value;
      const result = await library.auth(provider, {
        serverUrl: url,
        authorizationCode: code,
        ...(iss === null ? {} : { iss }),
        fetchFn: boundFetch,
        ...challengeOptions(),
      });
      if (result === 'AUTHORIZED') options.onSignedIn();
      else options.onFailed('Signing in failed: the code was not taken. Try again.');
    } catch (error) {
      log.warn('signing in to an MCP server failed', { why: error instanceof Error ? error.name : 'unknown' });
      options.onFailed(`Signing in failed: ${reasonOf(error)}`);
    } finally {
      close();
    }
  }

  return {
    provider: {
      token: () => Promise.resolve(tokens.get(url)?.tokens?.access_token),
      async onUnauthorized({ response }) {
        const library = await import('@modelcontextprotocol/client');
        const { resourceMetadataUrl, scope } = library.extractWWWAuthenticateParams(response);
        challenge = {
          ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
          ...(scope === undefined ? {} : { scope }),
        };
        refreshing ??= refresh().finally(() => {
          refreshing = null;
        });
        try {
          await refreshing;
        } catch {
          // Whatever the cause, only the person can help now; nothing of the answer is passed on.
          throw new library.UnauthorizedError('sign in');
        }
      },
    },
    get signedIn() {
      return tokens.get(url)?.tokens !== undefined;
    },
    authorize,
    signOut() {
      pending?.close();
      tokens.set(url, null);
    },
    dispose: () => pending?.close(),
  };
}

function clientMetadata(redirectUrl: string) {
  return {
    client_name: 'Gatehouse',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}

function reasonOf(error: unknown): string {
  return serverText(error instanceof Error ? error.message : 'unknown', 300);
}

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** The server chooses the address that a browser opens: only https, or http on this machine. */
function safeAddress(address: URL | null): string | null {
  if (address === null) return null;
  const safe = address.protocol === 'https:' || (address.protocol === 'http:' && loopback.has(address.hostname));
  return safe && address.username === '' ? address.href : null;
}

interface Callback {
  readonly redirectUrl: string;
  /** Null when it was closed before anything came. */
  readonly answer: Promise<Result<{ readonly code: string; readonly iss: string | null }> | null>;
  close(): void;
}

/** Waits on a port of this machine for the browser to come back with the state that was given out. */
async function listenForCallback(state: string): Promise<Callback> {
  let settle: (answer: Awaited<Callback['answer']>) => void = () => undefined;
  const answer = new Promise<Awaited<Callback['answer']>>((resolve) => {
    settle = resolve;
  });
  const server: Server = createServer((request, response) => {
    const result = callbackOf(request, state);
    response.writeHead(result === null ? 404 : 200, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      connection: 'close',
    });
    if (result === null) response.end('Nothing here.');
    else if (!result.ok) response.end(`${result.error} You can close this page.`);
    else response.end('Thank you. You can close this page and go back to Gatehouse.');
    if (result !== null) settle(result);
  });
  server.requestTimeout = 10_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const timer = setTimeout(() => settle(fail('Nobody signed in within ten minutes.')), signInMs);
  return {
    redirectUrl: `http://127.0.0.1:${port}/callback`,
    answer,
    close() {
      clearTimeout(timer);
      settle(null);
      // The browser still gets its answer.
      server.close();
      server.closeIdleConnections();
    },
  };
}

/** What a request says; null when it is not the one that is waited for. */
function callbackOf(
  request: IncomingMessage,
  state: string,
): Result<{ readonly code: string; readonly iss: string | null }> | null {
  const url = URL.parse(request.url ?? '', 'http://127.0.0.1');
  if (request.method !== 'GET' || url === null || url.pathname !== '/callback') return null;
  const given = Buffer.from(url.searchParams.get('state') ?? '');
  const wanted = Buffer.from(state);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
  const error = url.searchParams.get('error');
  if (error !== null) return fail(`Signing in was refused (${serverText(error, 100)}).`);
  const code = url.searchParams.get('code');
  if (code === null || code === '') return fail('The answer has no code.');
  return ok({ code, iss: url.searchParams.get('iss') });
}

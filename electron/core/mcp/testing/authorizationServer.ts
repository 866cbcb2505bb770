// A server over streamable HTTP that wants a token, and the authorization server that gives one. As strict as the rules ask:
// PKCE with S256, a redirect that was registered, codes that work once, refresh tokens that turn over.
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

interface Code {
  readonly challenge: string;
  readonly redirect: string;
  readonly client: string;
}

export interface ProtectedServer {
  /** The server's address. */
  readonly url: string;
  /** What happened, in order: `register`, `authorize`, `token code`, `token refresh`, `refused …`. */
  readonly events: string[];
  /** All tokens that were given out. */
  readonly tokens: string[];
  /** Makes the present access token invalid; `andRefresh`: the refresh token, too. */
  revoke(what: 'access' | 'andRefresh'): void;
  /** Sends browsers there instead of to its own page. */
  authorizeAt: string | null;
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** Starts both on one port of this machine. */
export async function protectedServer(): Promise<ProtectedServer> {
  const events: string[] = [];
  const tokens: string[] = [];
  const clients = new Map<string, readonly string[]>();
  const codes = new Map<string, Code>();
  const valid = new Set<string>();
  const refreshes = new Set<string>();
  let base = '';
  const made: { authorizeAt: string | null } = { authorizeAt: null };

  const give = (response: ServerResponse): void => {
    const access = `access-${randomUUID()}`;
    const refresh = `refresh-${randomUUID()}`;
    valid.add(access);
    refreshes.add(refresh);
    tokens.push(access, refresh);
    json(response, 200, { access_token: access, refresh_token: refresh, token_type: 'Bearer', expires_in: 3_600 });
  };
  const refuse = (response: ServerResponse, error: string): void => {
    events.push(`refused ${error}`);
    json(response, 400, { error });
  };

  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', base);
    const body = await bodyOf(request);
    switch (url.pathname) {
      case '/.well-known/oauth-protected-resource/mcp':
        json(response, 200, { resource: `${base}/mcp`, authorization_servers: [base] });
        return;
      case '/.well-known/oauth-authorization-server':
        json(response, 200, {
          issuer: base,
          authorization_endpoint: made.authorizeAt ?? `${base}/authorize`,
          token_endpoint: `${base}/token`,
          registration_endpoint: `${base}/register`,
          response_types_supported: ['code'],
          grant_types_supported: ['authorization_code', 'refresh_token'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
        });
        return;
      case '/register': {
        events.push('register');
        const metadata: { redirect_uris: string[] } = JSON.parse(body);
        const client = randomUUID();
        clients.set(client, metadata.redirect_uris);
        json(response, 201, { ...metadata, client_id: client });
        return;
      }
      case '/authorize': {
        const asked = Object.fromEntries(url.searchParams);
        const {
          client_id: client = '',
          redirect_uri: redirect = '',
          code_challenge: challenge = '',
          state = '',
        } = asked;
        if (
          clients.get(client)?.includes(redirect) !== true ||
          asked.code_challenge_method !== 'S256' ||
          state === ''
        ) {
          refuse(response, 'invalid_request');
          return;
        }
        events.push('authorize');
        const code = randomUUID();
        codes.set(code, { challenge, redirect, client });
        const back = new URL(redirect);
        back.searchParams.set('code', code);
        back.searchParams.set('state', state);
        response.writeHead(302, { location: back.href }).end();
        return;
      }
      case '/token':
        token(response, new URLSearchParams(body));
        return;
      case '/mcp':
        resource(request, response, body);
        return;
      default:
        json(response, 404, {});
    }
  }

  function token(response: ServerResponse, asked: URLSearchParams): void {
    if (asked.get('grant_type') === 'refresh_token') {
      const refresh = asked.get('refresh_token') ?? '';
      if (!refreshes.delete(refresh)) {
        refuse(response, 'invalid_grant');
        return;
      }
      events.push('token refresh');
      give(response);
      return;
    }
    const code = codes.get(asked.get('code') ?? '');
    codes.delete(asked.get('code') ?? '');
    const verifier = createHash('sha256')
      .update(asked.get('code_verifier') ?? '')
      .digest('base64url');
    if (
      code?.challenge !== verifier ||
      code.redirect !== asked.get('redirect_uri') ||
      code.client !== asked.get('client_id')
    ) {
      refuse(response, 'invalid_grant');
      return;
    }
    events.push('token code');
    give(response);
  }

  function resource(request: IncomingMessage, response: ServerResponse, body: string): void {
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    if (!valid.has(token)) {
      response.writeHead(401, {
        'www-authenticate': `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`,
      });
      response.end();
      return;
    }
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const message: { id?: number; method?: string; params?: { protocolVersion?: string } } = JSON.parse(body);
    if (message.id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: message.params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'protected', version: '1' },
      },
      'tools/list': { tools: [{ name: 'whoami', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: 'you' }] },
    };
    json(response, 200, { jsonrpc: '2.0', id: message.id, result: results[message.method ?? ''] ?? {} });
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  base = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return {
    url: `${base}/mcp`,
    events,
    tokens,
    revoke(what) {
      valid.clear();
      if (what === 'andRefresh') refreshes.clear();
    },
    get authorizeAt() {
      return made.authorizeAt;
    },
    set authorizeAt(address: string | null) {
      made.authorizeAt = address;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

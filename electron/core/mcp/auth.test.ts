// Signing in against a test authorization server; the test is the person's browser.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ProtectedServer, protectedServer } from './testing/authorizationServer';
import { type McpWorld, mcpWorld } from './testing/mcpWorld';
import { createTokenStore } from './tokenStore';

let peer: ProtectedServer;
let world: McpWorld;
let sealed: string | null;
const writes: (string | null)[] = [];
const secrets = {
  read: () => sealed,
  write(text: string | null) {
    sealed = text;
    writes.push(text);
  },
};

beforeEach(async () => {
  sealed = null;
  peer = await protectedServer();
  world = mcpWorld({ 'home/.claude.json': { mcpServers: { far: { type: 'http', url: peer.url } } } }, { secrets });
});
afterEach(async () => {
  await world.dispose();
  await peer.close();
});

const place = () => ({ folder: world.folder, id: 'user/far' });

/** Starts signing in; the address for the browser. */
async function start(): Promise<URL> {
  const started = await world.mcp.authorize(place());
  if (!started.ok) throw new Error(started.error);
  return new URL(started.value.url);
}

/** What the browser does: follows the authorization server to where it sends it. */
async function browse(address: URL): Promise<Response> {
  return await fetch(address, { redirect: 'follow' });
}

it('waits for the person, signs in, refreshes, and keeps everything sealed', async () => {
  expect(await world.until('far', 'needsAuth', 'failed', 'connected')).toMatchObject({
    state: 'needsAuth',
    reason: 'Sign in to it; until then its tools are not there.',
    signedIn: false,
  });
  // Nothing was started for them.
  expect(peer.events).toEqual([]);
  const address = await start();
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
    resource: peer.url,
  });
  expect(await (await browse(address)).text()).toContain('go back to Gatehouse');
  expect(await world.until('far', 'connected', 'failed')).toMatchObject({ state: 'connected', signedIn: true });
  expect(await world.call('mcp__far__whoami', {})).toBe('you');
  expect(peer.events).toEqual(['register', 'authorize', 'token code']);

  peer.revoke('access');
  expect(await world.call('mcp__far__whoami', {})).toBe('you');
  expect(peer.events.at(-1)).toBe('token refresh');

  // Another start needs no sign-in.
  const again = mcpWorld(
    { 'home/.claude.json': { mcpServers: { far: { type: 'http', url: peer.url } } } },
    { secrets },
  );
  expect(await again.until('far', 'connected', 'needsAuth')).toMatchObject({ state: 'connected' });
  await again.dispose();

  peer.revoke('andRefresh');
  await expect(world.call('mcp__far__whoami', {})).rejects.toMatchObject({ kind: 'mcpAuth' });
  expect(await world.server('far')).toMatchObject({ state: 'needsAuth' });

  const shown = JSON.stringify([world.logged, await world.mcp.view(world.folder), world.mcp.stderr(place())]);
  for (const token of peer.tokens) expect(shown).not.toContain(token);
  expect(await world.mcp.signOut(place())).toEqual({ ok: true, value: null });
  expect(sealed).toBeNull();
});

it('takes no answer with another state, and none twice', async () => {
  await world.until('far', 'needsAuth');
  const address = await start();
  const callback = new URL(address.searchParams.get('redirect_uri') ?? '');
  callback.search = '?code=stolen&state=guessed';
  expect((await fetch(callback)).status).toBe(404);
  callback.search = `?code=stolen&state=${address.searchParams.get('state')?.slice(0, -1)}`;
  expect((await fetch(callback)).status).toBe(404);
  expect((await world.server('far')).state).toBe('needsAuth');
  await browse(address);
  await world.until('far', 'connected');
  await expect(browse(address)).rejects.toThrow();
});

it('says so when the code is refused or the person says no', async () => {
  await world.until('far', 'needsAuth');
  const address = await start();
  const callback = new URL(address.searchParams.get('redirect_uri') ?? '');
  const state = address.searchParams.get('state') ?? '';
  callback.search = `?error=access_denied&state=${state}`;
  expect(await (await fetch(callback)).text()).toContain('refused (access_denied)');
  while (!(await world.server('far')).reason.includes('access_denied'))
    await new Promise((resolve) => setTimeout(resolve, 10));
  const second = await start();
  const back = new URL(second.searchParams.get('redirect_uri') ?? '');
  back.search = `?code=wrong&state=${second.searchParams.get('state')}`;
  await fetch(back);
  while (!(await world.server('far')).reason.includes('Signing in failed'))
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(sealed).toBeNull();
});

it.each(['javascript:alert(1)', 'file:///etc/passwd', 'http://example.com/authorize', 'https://user@example.com/'])(
  'opens no address that is not safe: %s',
  async (address) => {
    await world.until('far', 'needsAuth');
    peer.authorizeAt = address;
    expect(await world.mcp.authorize(place())).toMatchObject({ ok: false });
  },
);

it('keeps tokens for one address alone, and forgets what it cannot read', () => {
  const store = createTokenStore(secrets);
  store.set('https://a/', { tokens: { access_token: 'x', token_type: 'Bearer', issuer: 'https://a' } });
  expect(store.get('https://b/')).toBeUndefined();
  expect(createTokenStore(secrets).get('https://a/')).toMatchObject({
    tokens: { access_token: 'x', issuer: 'https://a' },
  });
  sealed = '{"broken"';
  expect(createTokenStore(secrets).get('https://a/')).toBeUndefined();
  expect(createTokenStore(null).get('https://a/')).toBeUndefined();
});

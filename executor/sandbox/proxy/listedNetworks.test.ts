// Real commands in real networks: what they reach, and that nothing leads round the proxy.
import { createServer as createHttp } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SandboxPolicy } from '#shared/api/executor';
import { CancelSource } from '#shared/rpc/cancel';
import {
  buildExecutor,
  shellOperation,
  startExecutor,
  type TestExecutor,
  testToken,
} from '../../testing/startExecutor';

type Asked = { askId: string; streamId: string; host: string; port: number; address?: string | undefined };

let built: Awaited<ReturnType<typeof buildExecutor>>;
let executor: TestExecutor;
let site: Server;
let port = 0;
let judge: (ask: Asked) => boolean | 'wait' = () => false;
const asked: Asked[] = [];
const gone: string[] = [];

beforeAll(async () => {
  site = createHttp((message, answer) => answer.end(`from outside: ${message.headers.host}`));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  port = (site.address() as AddressInfo).port;
  built = await buildExecutor();
  executor = await startExecutor(built.modulePath, process.env);
  executor.rpc.on('network.ask', (ask) => {
    asked.push(ask);
    const allowed = judge(ask);
    if (allowed === 'wait') return;
    const why = allowed ? '' : `${ask.host} is on no list.`;
    void executor.rpc.call('network.answer', { askId: ask.askId, allowed, privateAllowed: allowed, why });
  });
  executor.rpc.on('network.gone', ({ askId }) => void gone.push(askId));
});

afterAll(async () => {
  await executor?.stop();
  await built?.dispose();
  site?.close();
});

const policy = (networkName?: string): SandboxPolicy => ({
  enabled: true,
  network: 'listed',
  writable: [],
  hidden: [],
  ...(networkName === undefined ? {} : { networkName }),
});

const run = (command: string, name?: string) => executor.run(command, { sandbox: policy(name), cwd: '/' });
/** A request for the site outside, through whatever proxy the variables name. */
const ask = () => `curl -sS --noproxy '' http://127.0.0.1:${port}/`;
const listed = () => expect(executor.sandbox).toMatchObject({ available: true, noListed: '' });

test('a command reaches what the core allows, through its own variables, and is known to the core as itself', async () => {
  listed();
  judge = () => true;
  asked.length = 0;
  const ran = await run(ask());
  expect([ran.output, ran.result.exitCode, ran.result.refusedHosts]).toEqual([
    `from outside: 127.0.0.1:${port}`,
    0,
    undefined,
  ]);
  expect(asked).toMatchObject([{ host: '127.0.0.1', port }]);
});

test('a refused host is told to the program and in the result', async () => {
  judge = () => false;
  const plain = await run(`${ask()}; curl -sS https://Evil.Example./; wget -qO- https://evil.example/ 2>&1 | tail -1`);
  expect(plain.output).toContain('Gatehouse: 127.0.0.1 is on no list.');
  expect(plain.output).toMatch(/CONNECT tunnel failed, response 403/);
  expect(plain.result.refusedHosts).toEqual([
    { host: '127.0.0.1', port, why: '127.0.0.1 is on no list.' },
    { host: 'evil.example', port: 443, why: 'evil.example is on no list.' },
  ]);
});

test.each([
  ['straight to this machine', () => `exec 3<>/dev/tcp/127.0.0.1/${port}`, /refused/],
  ['straight to the internet', () => 'exec 3<>/dev/tcp/192.0.2.1/80', /unreachable/],
  ['by IPv6', () => 'exec 3<>/dev/tcp/2001:db8::1/80', /unreachable|not supported|assign/i],
  ['by UDP, as for a name', () => 'echo x >/dev/udp/192.0.2.1/53', /unreachable/],
  [
    'with variables taken away',
    () => `env -u http_proxy -u HTTP_PROXY -u ALL_PROXY -u all_proxy ${ask()} 2>&1`,
    /connect|refused/i,
  ],
  [
    'with a secret that is none',
    () => `p=\${http_proxy##*:}; ${ask()} -x http://gatehouse:x@127.0.0.1:$p -w '%{http_code}'`,
    /407/,
  ],
  ['without a secret', () => `p=\${http_proxy##*:}; ${ask()} -x http://127.0.0.1:$p -w '%{http_code}'`, /407/],
  [
    'with an interface of its own',
    () => 'ip link add d0 type dummy 2>&1 || echo refused; ip addr add 192.0.2.2/24 dev lo 2>&1 || echo refused',
    /(?:refused|not permitted)[\s\S]*(?:refused|not permitted)/i,
  ],
  ['back into the first network', () => 'nsenter --net=/proc/1/ns/net true 2>&1 || echo refused', /refused/],
])('there is no way round the proxy: %s', async (_what, command, said) => {
  judge = () => true;
  asked.length = 0;
  const ran = await run(`{ ${command()}; } 2>&1`);
  expect(ran.output).toMatch(said);
  expect(ran.output).not.toContain('from outside');
  expect(asked).toEqual([]);
});

test('commands of one name share a loopback, others do not, and the secret of a command ends with it', async () => {
  judge = () => true;
  const serve = `node -e "const s=require('node:http').createServer((q,a)=>a.end('served')).listen(0,'127.0.0.1',()=>console.log('at '+s.address().port))"`;
  let at = '';
  const cancel = new CancelSource();
  const serving = executor.run(serve, {
    sandbox: policy('one'),
    cwd: '/',
    cancel,
    onText: (text) => {
      at += text;
    },
  });
  await expect.poll(() => at).toMatch(/at \d+/);
  const own = /at (\d+)/.exec(at)?.[1] ?? '';
  const [first, second] = [
    await run(`curl -sS http://127.0.0.1:${own}/; echo " $http_proxy"`, 'one'),
    await run(`curl -sS http://127.0.0.1:${own}/ 2>&1`, 'two'),
  ];
  expect(first.output).toMatch(/^served http:/);
  expect(second.output).toMatch(/Failed to connect|Couldn't connect/i);
  const ended = first.output.trim().split(' ')[1] ?? '';
  const late = await run(`${ask()} -x ${ended} -w '%{http_code}'`, 'one');
  expect(late.output).toMatch(/407/);
  cancel.cancel();
  expect((await serving).result.aborted).toBe(true);
});

test('a command that is stopped withdraws what it asked', async () => {
  judge = () => 'wait';
  asked.length = 0;
  gone.length = 0;
  const cancel = new CancelSource();
  const operation = shellOperation(ask(), { sandbox: policy(), cwd: '/' });
  const running = executor.rpc.call(
    'shell.run',
    { grant: testToken(executor.grantKey, operation), operation },
    { signal: cancel },
  );
  await expect.poll(() => asked.map(({ streamId }) => streamId)).toEqual([operation.streamId]);
  cancel.cancel();
  expect(await running).toMatchObject({ aborted: true });
  await expect.poll(() => gone).toEqual(asked.map(({ askId }) => askId));
});

test('code of a JavaScript session is asked for under its own call', async () => {
  judge = () => true;
  asked.length = 0;
  const operation = {
    op: 'repl.run' as const,
    streamId: 'code1',
    session: 'repl',
    code: `require('node:child_process').execSync(${JSON.stringify(ask())}).toString()`,
    cwd: '/',
    timeoutMs: 10_000,
    memoryMiB: 256,
    sandbox: policy('repl'),
  };
  const ran = await executor.rpc.call('repl.run', { grant: testToken(executor.grantKey, operation), operation });
  expect(ran).toMatchObject({ outcome: 'value', text: expect.stringContaining('from outside') });
  expect(asked.map(({ streamId }) => streamId)).toEqual(['code1']);
});

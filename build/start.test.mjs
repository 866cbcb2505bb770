import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { downloadWithPatience, progressLine } from './electronBinary.mjs';
import { browserCommand, chooseHost, rememberedFailure, shouldOpenBrowser, whyNoWindow } from './start/chooseHost.mjs';
import { parseOptions } from './start/options.mjs';
import { whyBuild } from './start/staleBuild.mjs';

const cleanUps = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'gatehouse-start-'));
  cleanUps.push(() => rm(path, { recursive: true, force: true }));
  return path;
}

describe('parseOptions', () => {
  const parse = (...args) =>
    parseOptions({ args, isFolder: (path) => path === '/here/project', toAbsolute: (path) => `/here/${path}` });
  const nothing = {
    folder: undefined,
    host: undefined,
    port: undefined,
    open: true,
    allowBypass: false,
    forHost: [],
    help: false,
  };

  it.each([
    [[], nothing],
    [['--folder', 'project'], { ...nothing, folder: '/here/project' }],
    [['--host=loopback', '--port', '8123', '--no-open'], { ...nothing, host: 'loopback', port: 8123, open: false }],
    [['--port', '0'], { ...nothing, port: 0 }],
    [['--allow-bypass'], { ...nothing, allowBypass: true }],
    [['--help'], { ...nothing, help: true }],
    [['--settings', 's.json'], { ...nothing, forHost: ['--settings=/here/s.json'] }],
    [['--settings', '{"a": 1}'], { ...nothing, forHost: ['--settings={"a": 1}'] }],
    [
      ['--allowedTools', 'Bash(npm test)', 'Edit', '--port', '0'],
      { ...nothing, port: 0, forHost: ['--allowedTools=Bash(npm test)', '--allowedTools=Edit'] },
    ],
    [
      ['--permission-mode=plan', '--add-dir', 'a', 'b', '--disallowed-tools=Bash'],
      {
        ...nothing,
        forHost: ['--permission-mode=plan', '--add-dir=/here/a', '--add-dir=/here/b', '--disallowed-tools=Bash'],
      },
    ],
  ])('%j', (args, expected) => {
    expect(parse(...args)).toEqual(expected);
  });

  it.each([
    [['--folder', 'nowhere'], '--folder nowhere: there is no such folder'],
    [['--host', 'web'], '--host web: it is either desktop or loopback'],
    [['--port', '70000'], '--port 70000: a port is a number from 0 (any free one) to 65535'],
    [['--port', '8a'], '--port 8a: a port is a number from 0 (any free one) to 65535'],
    [['--port', '80', '--host', 'desktop'], '--port belongs to --host loopback'],
    [['--colour'], "Unknown option '--colour'"],
    [['project'], "Unexpected argument 'project'"],
    [['--port'], "Option '--port <value>' argument missing"],
    [['--settings'], '--settings needs a value'],
    [['--add-dir', '--port', '0'], '--add-dir needs a value'],
  ])('refuses %j', (args, error) => {
    expect(parse(...args)).toEqual({ error });
  });
});

describe('whyNoWindow', () => {
  const good = { platform: 'linux', env: { DISPLAY: ':0' }, isRoot: false, userNamespaces: true };
  it.each([
    ['a desktop', {}, null],
    ['Wayland', { env: { WAYLAND_DISPLAY: 'wayland-0' } }, null],
    ['no display', { env: {} }, 'there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)'],
    ['root', { isRoot: true }, "it runs as root, where Chromium's sandbox does not work"],
    ['no namespaces', { userNamespaces: false }, expect.stringContaining('forbids user namespaces')],
    ['another system', { platform: 'darwin', env: {}, isRoot: true }, null],
  ])('%s', (_name, changed, expected) => {
    expect(whyNoWindow({ ...good, ...changed })).toEqual(expected);
  });
});

describe('chooseHost', () => {
  it.each([
    [
      'all is there',
      { noWindow: null, noElectron: null },
      { host: 'desktop', why: 'Electron and a display are there' },
    ],
    [
      'asked for the desktop',
      { requested: 'desktop', noWindow: null, noElectron: null },
      { host: 'desktop', why: 'asked for with --host desktop' },
    ],
    [
      'asked for loopback',
      { requested: 'loopback', noWindow: null, noElectron: null },
      { host: 'loopback', why: 'asked for with --host loopback' },
    ],
    ['no window', { noWindow: 'no display', noElectron: null }, { host: 'loopback', why: 'no display' }],
    ['no Electron', { noWindow: null, noElectron: 'no network' }, { host: 'loopback', why: 'no network' }],
    [
      'asked for what cannot be',
      { requested: 'desktop', noWindow: 'no display', noElectron: null },
      { error: expect.stringContaining('cannot start: no display.\nUse --host loopback') },
    ],
  ])('%s', (_name, facts, expected) => {
    expect(chooseHost(facts)).toEqual(expected);
  });
});

describe('rememberedFailure', () => {
  const at = '2030-01-02T03:04:05.000Z';
  const remembered = { version: '45.5.0', at, reason: 'Electron could not be fetched: ENOTFOUND' };
  const hours = (count) => Date.parse(at) + count * 3_600_000;
  const text =
    'Electron could not be fetched: ENOTFOUND (tried 2030-01-02 03:04 UTC; --host desktop tries again, as does a start a day later)';
  it.each([
    ['an hour later', { remembered, version: '45.5.0', now: hours(1) }, text],
    ['a day later', { remembered, version: '45.5.0', now: hours(24) }, null],
    ['another version', { remembered, version: '45.6.0', now: hours(1) }, null],
    ['a clock that was set back', { remembered, version: '45.5.0', now: hours(-1) }, null],
    ['nothing remembered', { remembered: undefined, version: '45.5.0', now: hours(1) }, null],
    ['nonsense remembered', { remembered: { version: '45.5.0', at: 'soon' }, version: '45.5.0', now: hours(1) }, null],
  ])('%s', (_name, facts, expected) => {
    expect(rememberedFailure(facts)).toBe(expected);
  });
});

it.each([
  [{ open: true, platform: 'linux', env: { DISPLAY: ':0' } }, true],
  [{ open: true, platform: 'linux', env: {} }, false],
  [{ open: false, platform: 'linux', env: { DISPLAY: ':0' } }, false],
  [{ open: true, platform: 'darwin', env: {} }, true],
])('opens the browser: %j', (facts, expected) => {
  expect(shouldOpenBrowser(facts)).toBe(expected);
});

it.each([
  ['linux', { command: 'xdg-open', args: ['http://x/?a&b'] }],
  ['darwin', { command: 'open', args: ['http://x/?a&b'] }],
  ['win32', { command: 'rundll32', args: ['url.dll,FileProtocolHandler', 'http://x/?a&b'] }],
])('opens an address on %s without a shell', (platform, expected) => {
  expect(browserCommand({ platform, url: 'http://x/?a&b' })).toEqual(expected);
});

describe('whyBuild', () => {
  it('compares all sources, and folders for what was removed, with the stamp', async () => {
    const root = await folder();
    const stamp = join(root, 'built.json');
    const old = new Date('2030-01-01');
    const age = async (path, date) => utimes(join(root, path), date, date);
    await mkdir(join(root, 'shared/api'), { recursive: true });
    await writeFile(join(root, 'shared/api/app.ts'), '');
    for (const path of ['shared/api/app.ts', 'shared/api', 'shared']) await age(path, old);
    expect(whyBuild({ root, stamp })).toBe('nothing is built yet');
    await writeFile(stamp, '');
    await utimes(stamp, new Date('2030-01-02'), new Date('2030-01-02'));
    expect(whyBuild({ root, stamp })).toBeNull();
    await age('shared/api', new Date('2030-01-03'));
    expect(whyBuild({ root, stamp })).toBe('shared changed');
    await age('shared/api', old);
    await age('shared/api/app.ts', new Date('2030-01-03'));
    expect(whyBuild({ root, stamp })).toBe('shared changed');
  });
});

describe('downloadWithPatience', () => {
  /** A server that sends what it is told to and then falls silent. */
  async function silentServer(send) {
    const server = createServer((_request, response) => send(response));
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanUps.push(() => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    });
    return `http://127.0.0.1:${server.address().port}/`;
  }

  const downloadFrom =
    (url) =>
    async ({ signal, onProgress }) => {
      const response = await fetch(url, { signal });
      let transferred = 0;
      for await (const chunk of response.body) {
        transferred += chunk.length;
        onProgress({ transferred, total: null });
      }
    };

  it('gives up on a server that accepts and never answers', async () => {
    const url = await silentServer(() => {});
    expect(await downloadWithPatience({ download: downloadFrom(url), limit: 50, show: () => {} })).toBe(
      'the network did not answer for 0.05 seconds',
    );
  });

  it('gives up on a download that stands still, and shows what came', async () => {
    const url = await silentServer((response) => response.write('abc'));
    const shown = [];
    const reason = await downloadWithPatience({
      download: downloadFrom(url),
      limit: 100,
      show: (each) => shown.push(each),
    });
    expect(reason).toBe('the network did not answer for 0.1 seconds');
    expect(shown).toEqual([{ transferred: 3, total: null }]);
  });

  it('gives up even when the download ignores the signal', async () => {
    expect(await downloadWithPatience({ download: () => new Promise(() => {}), limit: 20, show: () => {} })).toBe(
      'the network did not answer for 0.02 seconds',
    );
  });

  it('lets a download that goes on finish', async () => {
    const url = await silentServer((response) => response.end('abc'));
    expect(await downloadWithPatience({ download: downloadFrom(url), limit: 5_000, show: () => {} })).toBeNull();
  });

  it('says why it failed', async () => {
    const download = async () => {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ENOTFOUND' }) });
    };
    expect(await downloadWithPatience({ download, limit: 5_000, show: () => {} })).toBe('fetch failed: ENOTFOUND');
  });
});

it('shows progress in quarters where there is no terminal', () => {
  const written = [];
  const show = progressLine({ stream: { isTTY: false, write: (text) => written.push(text) }, label: 'Electron' });
  for (let transferred = 0; transferred <= 100_000_000; transferred += 5_000_000)
    show({ transferred, total: 100_000_000 });
  expect(written).toEqual([0, 25, 50, 75, 100].map((done) => `Electron ${done} MB of 100 MB\n`));
});

describe('runHost', () => {
  const module = fileURLToPath(new URL('./start/runHost.mjs', import.meta.url));

  /** A process that runs a host with runHost, as build/start.mjs does. */
  async function starter({ host, options = '' }) {
    const root = await folder();
    const script = join(root, 'starter.mjs');
    await writeFile(
      script,
      `import { endLike, runHost } from ${JSON.stringify(module)};
endLike(await runHost({ command: process.execPath, args: ['-e', ${JSON.stringify(host)}], env: process.env, onReady: (url) => console.log('opened', url), ${options} }));`,
    );
    return script;
  }

  function start(args, extra = {}) {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], ...extra });
    cleanUps.push(() => child.kill('SIGKILL'));
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    const seen = (pattern) =>
      new Promise((resolve) => {
        const look = () => pattern.exec(output) && resolve(pattern.exec(output));
        child.stdout.on('data', look);
        look();
      });
    const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, output })));
    return { child, seen, ended };
  }

  it('passes on output, the address and the exit code', async () => {
    const script = await starter({
      host: "console.log('hello'); console.log('READY http://127.0.0.1:1/'); process.exitCode = 7;",
    });
    const { code, output } = await start([script]).ended;
    expect({ code, output }).toEqual({
      code: 7,
      output: 'hello\nREADY http://127.0.0.1:1/\nopened http://127.0.0.1:1/\n',
    });
  });

  it('passes on SIGTERM and waits for the host', async () => {
    const host =
      "process.on('SIGTERM', () => { console.log('closing'); process.exit(3); }); setInterval(() => {}, 1000); console.log('up');";
    const { child, seen, ended } = start([await starter({ host })]);
    await seen(/up\n/);
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: 3, signal: null, output: 'up\nclosing\n' });
  });

  it('ends by the signal that ended the host', async () => {
    expect(await start([await starter({ host: "process.kill(process.pid, 'SIGKILL')" })]).ended).toEqual({
      code: null,
      signal: 'SIGKILL',
      output: '',
    });
  });

  it.skipIf(process.platform !== 'linux').each([
    ['npm', (script) => [process.execPath, [script]]],
    ['npm with a shell between', (script) => ['sh', ['-c', `"${process.execPath}" "${script}"; true`]]],
  ])('ends the host when %s is killed', async (_name, command) => {
    const host =
      "process.on('SIGTERM', () => { console.log('closing'); process.exit(0); }); setInterval(() => {}, 1000); console.log('host', process.pid);";
    const script = await starter({ host, options: 'followParent: true' });
    const [program, args] = command(script);
    const npm = `require('node:child_process').spawn(${JSON.stringify(program)}, ${JSON.stringify(args)}, { stdio: 'inherit' })`;
    const { child, seen } = start(['-e', npm]);
    await seen(/host \d+\n/);
    child.kill('SIGKILL');
    expect(await seen(/closing\n/)).not.toBeNull();
  });
});

describe('npm start', () => {
  const program = fileURLToPath(new URL('./start.mjs', import.meta.url));
  const startWith = (...args) =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
      child.on('close', (code) => resolve({ code, output }));
    });

  it('refuses bad options at once, with all that there are', async () => {
    const { code, output } = await startWith('--host', 'web');
    expect(code).toBe(2);
    expect(output).toMatch(/^--host web: it is either desktop or loopback\n\nnpm start -- \[options\]\n/);
  });

  it('explains its options', async () => {
    const { code, output } = await startWith('--help');
    expect(code).toBe(0);
    for (const option of ['--folder', '--host', '--port', '--no-open', '--allow-bypass'])
      expect(output).toContain(option);
  });
});

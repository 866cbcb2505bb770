// Electron's security checklist, row by row, as the started app answers it: against the recording stand-in, and in the
// files that decide the rest.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Transport } from '#shared/rpc/transport';
import { runDesktop } from './desktop';
import {
  app,
  BrowserWindow,
  calls,
  callsOf,
  exposed,
  protocolHandlers,
  RecordedContents,
  RecordedFrame,
  resetElectron,
  sessionHandlers,
  utilityProcess,
} from './testing/electronRecorder';
import { utilityExecutor } from './utilityExecutor';

const accepted = vi.hoisted((): Transport[] => []);
vi.mock('electron', () => import('./testing/electronRecorder'));
vi.mock('../core/createCore', () => ({
  createCore: async () => ({
    accept: (transport: Transport) => accepted.push(transport),
    dispose: async () => undefined,
  }),
}));

const project = fileURLToPath(new URL('../..', import.meta.url));
/** How the app is packed; its test looks at the packed app itself. */
const packing = readFileSync(join(project, 'build/electron-builder.mjs'), 'utf8');
let root = '';
let errors = '';

beforeEach(() => {
  resetElectron();
  accepted.length = 0;
  errors = '';
  root = mkdtempSync(join(tmpdir(), 'gatehouse-list-'));
  mkdirSync(join(root, 'dist/renderer'), { recursive: true });
  writeFileSync(join(root, 'dist/renderer/index.html'), '<p>page</p>');
  writeFileSync(join(root, 'secret.txt'), 'secret');
});
afterEach(() => rmSync(root, { recursive: true }));

async function start(words: readonly string[] = []): Promise<RecordedContents> {
  runDesktop({
    dist: join(root, 'dist'),
    words,
    cwd: root,
    env: { GATEHOUSE_DATA_DIR: join(root, 'data'), ANTHROPIC_API_KEY: 'sk-secret-1234567890', PATH: '/bin' },
    home: join(root, 'home'),
    platform: 'linux',
    runsAsRoot: false,
    writeError: (text) => {
      errors += text;
    },
  });
  await vi.waitUntil(() => ['loadURL', 'exit', 'quit'].some((name) => callsOf(name).length > 0));
  return BrowserWindow.all[0]?.webContents ?? new RecordedContents();
}

/** Everything that the product has written itself in a folder, tests aside. */
const sources = (folder: string): string =>
  readdirSync(join(project, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.|testing/.test(join(entry.parentPath, entry.name)),
    )
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');

it('1: every window is isolated, sandboxed and without Node, and there is no webview', async () => {
  const contents = await start();
  expect(BrowserWindow.all.map((window) => window.options.webPreferences)).toEqual([
    {
      preload: join(root, 'dist/desktop/preload.cjs'),
      devTools: true,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    },
  ]);
  expect(contents.prevents('will-attach-webview')).toBe(true);
  expect(calls.findIndex((call) => call.name === 'enableSandbox')).toBeLessThan(
    calls.findIndex((call) => call.name === 'whenReady'),
  );
});

it('2: the preload script exposes two named functions that carry text', async () => {
  await import('./preload');
  const [name, ...others] = Object.keys(exposed);
  expect([name, others]).toEqual(['gatehouse', []]);
  expect(Object.entries(exposed.gatehouse ?? {}).map(([key, value]) => [key, typeof value])).toEqual([
    ['send', 'function'],
    ['onMessage', 'function'],
  ]);
});

it('3: a message counts only from the main frame of our own page in a window of ours', async () => {
  const contents = await start();
  const forged = new RecordedFrame('app://gatehouse/');
  forged.parent = contents.mainFrame;
  for (const from of [
    { senderFrame: forged },
    { senderFrame: null },
    { senderFrame: new RecordedFrame('https://evil.example/') },
    { sender: new RecordedContents() },
  ])
    contents.say('gatehouse:open', undefined, from);
  expect(accepted).toHaveLength(0);
  contents.say('gatehouse:open');
  expect(accepted).toHaveLength(1);
});

it('4: the page comes by a protocol of its own that reads nothing but the built page', async () => {
  await start();
  expect(callsOf('loadURL')).toEqual([['app://gatehouse/']]);
  for (const url of ['app://gatehouse/../../secret.txt', 'app://gatehouse/%2e%2e/secret.txt', 'app://x/secret.txt']) {
    const answer = await protocolHandlers.get('app')?.({ url, method: 'GET' });
    expect(answer?.ok).toBe(false);
    expect(await answer?.text()).not.toContain('secret');
  }
  expect(sources('electron/desktop').match(/loadFile|file:\/\//)).toBeNull();
});

it('5: no inline script, no eval, no connection, by header and in the page itself', async () => {
  await start();
  const answer = await protocolHandlers.get('app')?.({ url: 'app://gatehouse/', method: 'GET' });
  const policy = answer?.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self';");
  expect(policy).toContain("connect-src 'none'");
  expect(policy.replace(/style-src[^;]*/, '')).not.toMatch(/unsafe|\*|https?:/);
  const page = readFileSync(join(project, 'renderer/index.html'), 'utf8');
  expect(page).toContain(`http-equiv="Content-Security-Policy"`);
  expect(page).not.toMatch(/<script(?![^>]* src=)|\son\w+=|javascript:/i);
  expect(sources('renderer')).not.toMatch(
    /dangerouslySetInnerHTML|\.innerHTML|insertAdjacentHTML|document\.write|\beval\(/,
  );
});

it('6: the page cannot leave, and opens nothing; links go to the browser after a check', async () => {
  const contents = await start();
  const ways = ['will-navigate', 'will-frame-navigate', 'will-redirect'];
  expect(ways.map((way) => contents.prevents(way, { url: 'https://example.com/' }))).toEqual([true, true, true]);
  expect(contents.windowOpenHandler?.({ url: 'https://example.com/' })).toEqual({ action: 'deny' });
  // Also what nobody meant to make.
  const stray = new RecordedContents();
  app.emit('web-contents-created', {}, stray);
  expect([stray.prevents('will-navigate'), stray.windowOpenHandler?.({ url: 'x' })]).toEqual([
    true,
    { action: 'deny' },
  ]);
  expect(sources('electron/desktop').match(/shell\.openExternal\([^)]*\)/g)).toEqual([
    'shell.openExternal(webAddress(address)',
  ]);
});

it('7: devices and permissions are refused, but for notifications and writing to the clipboard', async () => {
  await start();
  const check = sessionHandlers.check as (contents: null, permission: string, origin: string) => boolean;
  const asked = ['media', 'geolocation', 'usb', 'hid', 'serial', 'clipboard-read', 'openExternal', 'notifications'];
  expect(asked.filter((permission) => check(null, permission, 'app://gatehouse/'))).toEqual(['notifications']);
  expect(asked.filter((permission) => check(null, permission, 'https://example.com/'))).toEqual([]);
});

it('8: the fuses of the packed app are set, and it is not started without Chromium’s sandbox', () => {
  const fuses = /electronFuses: \{([^}]*)\}/.exec(packing)?.[1] ?? '';
  expect(Object.fromEntries([...fuses.matchAll(/(\w+): (\w+)/g)].map(([, name, value]) => [name, value]))).toEqual({
    runAsNode: 'false',
    enableNodeOptionsEnvironmentVariable: 'false',
    enableNodeCliInspectArguments: 'false',
    enableCookieEncryption: 'true',
    enableEmbeddedAsarIntegrityValidation: 'true',
    onlyLoadAppFromAsar: 'true',
    grantFileProtocolExtraPrivileges: 'false',
  });
  expect(packing).toContain('appImage: { executableArgs: [] }');
});

it('9: hostile text is text: every element of the page is made by the one place that names what misleads', () => {
  expect(readFileSync(join(project, 'build/vite.config.mjs'), 'utf8')).toContain("jsxImportSource: '#page'");
  expect(sources('renderer').match(/(?<!document\.)\bcreateElement\(|cloneElement\(/)).toBeNull();
});

it('10: tools run in a process of their own that is given no key', async () => {
  utilityExecutor({
    modulePath: '/dist/executor.mjs',
    env: {
      ANTHROPIC_API_KEY: 'sk-secret',
      NODE_OPTIONS: '--inspect',
      GITHUB_TOKEN: 'x',
      PATH: '/bin',
      HOME: '/home/ada',
    },
  });
  expect(callsOf('utility.fork')).toEqual([
    [
      '/dist/executor.mjs',
      [],
      {
        env: { PATH: '/bin', HOME: '/home/ada' },
        execArgv: [],
        serviceName: 'Gatehouse executor',
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    ],
  ]);
  expect(utilityProcess.children).toHaveLength(1);
});

it('11: nothing is loaded from elsewhere; developer tools and remote debugging are closed in the packed app', async () => {
  app.isPackaged = true;
  await start();
  expect(BrowserWindow.all[0]?.options.webPreferences?.devTools).toBe(false);
  const before = sessionHandlers.beforeRequest as (
    details: { url: string },
    answer: (response: { cancel: boolean }) => void,
  ) => void;
  const cancelled: boolean[] = [];
  before({ url: 'https://example.com/x.js' }, ({ cancel }) => cancelled.push(cancel));
  expect(cancelled).toEqual([true]);
});

it.each(['--remote-debugging-port=1', '--inspect', '--no-sandbox', '--disable-web-security'])(
  '11: the packed app does not start with %s',
  async (word) => {
    app.isPackaged = true;
    await start([word]);
    expect([callsOf('exit'), BrowserWindow.all.length, accepted.length]).toEqual([[[2]], 0, 0]);
    expect(errors).toMatch(/Start (?:Gatehouse|it) without/);
  },
);

it('12: the versions are locked, and Electron is a supported one', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'));
  expect(devDependencies.electron).toMatch(/^\d+\.\d+\.\d+$/);
  expect(lock.packages['node_modules/electron'].version).toBe(devDependencies.electron);
});

it('13: no link of another program runs anything here: there is no scheme for it', async () => {
  await start();
  expect(sources('electron/desktop').match(/setAsDefaultProtocolClient|open-url/)).toBeNull();
  expect(packing).not.toMatch(/\bprotocols:/);
});

it('14: a dropped file is data: it does not open in the window', async () => {
  await start();
  expect(BrowserWindow.all[0]?.options.webPreferences?.navigateOnDragDrop).toBe(false);
});

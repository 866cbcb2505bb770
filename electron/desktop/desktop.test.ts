// The whole desktop door against the recording stand-in for Electron, with a recorded core behind it.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Transport } from '#shared/rpc/transport';
import type { CorePorts } from '../core/ports';
import { DatabaseRefused } from '../core/sessions/database';
import { runDesktop } from './desktop';
import {
  app,
  BrowserWindow,
  calls,
  callsOf,
  protocolHandlers,
  resetElectron,
  safeStorage,
  sessionHandlers,
} from './testing/electronRecorder';

const core = vi.hoisted(() => ({
  ports: [] as CorePorts[],
  accepted: [] as Transport[],
  disposals: 0,
  failure: [] as Error[],
  async createCore(ports: CorePorts) {
    const failure = core.failure.shift();
    if (failure !== undefined) throw failure;
    core.ports.push(ports);
    return {
      accept: (transport: Transport) => core.accepted.push(transport),
      dispose: async () => {
        core.disposals += 1;
      },
    };
  },
}));

vi.mock('electron', () => import('./testing/electronRecorder'));
vi.mock('../core/createCore', () => ({ createCore: core.createCore }));

let root = '';
let errors = '';

beforeEach(() => {
  resetElectron();
  Object.assign(core, { ports: [], accepted: [], disposals: 0, failure: [] });
  errors = '';
  root = mkdtempSync(join(tmpdir(), 'gatehouse-app-'));
  mkdirSync(join(root, 'dist/renderer'), { recursive: true });
  writeFileSync(join(root, 'dist/renderer/index.html'), '<p>page</p>');
});
afterEach(() => rmSync(root, { recursive: true }));

/** Starts the app and waits until it shows its page or gives up. */
async function start(words: readonly string[] = [], env: Record<string, string> = {}): Promise<void> {
  runDesktop({
    dist: join(root, 'dist'),
    words,
    cwd: root,
    env: { GATEHOUSE_DATA_DIR: join(root, 'data'), ...env },
    home: join(root, 'home'),
    platform: 'linux',
    runsAsRoot: false,
    writeError: (text) => {
      errors += text;
    },
  });
  await vi.waitUntil(() => ['loadURL', 'exit', 'quit'].some((name) => callsOf(name).length > 0));
}

describe('start', () => {
  it('protects before Electron is ready, then shows the page', async () => {
    await start();
    expect(calls.map((call) => call.name)).toEqual([
      'setPath',
      'enableSandbox',
      'registerSchemesAsPrivileged',
      'requestSingleInstanceLock',
      'whenReady',
      'setApplicationMenu',
      'loadURL',
    ]);
    expect(callsOf('setPath')).toEqual([['userData', join(root, 'data', 'electron')]]);
    expect(callsOf('loadURL')).toEqual([['app://gatehouse/']]);
    expect(Object.keys(sessionHandlers).sort()).toEqual([
      'beforeRequest',
      'check',
      'device',
      'display',
      'request',
      'will-download',
    ]);
    expect(protocolHandlers.has('app')).toBe(true);
    expect(BrowserWindow.all[0]?.options.webPreferences).toMatchObject({
      preload: join(root, 'dist/desktop/preload.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      devTools: true,
    });
  });

  it('confines every web contents, also its own window', async () => {
    await start();
    const contents = BrowserWindow.all[0]?.webContents;
    expect(contents?.prevents('will-navigate')).toBe(true);
    expect(contents?.windowOpenHandler?.({ url: 'https://example.com' })).toEqual({ action: 'deny' });
  });

  it('gives the core its ports', async () => {
    await start(['--folder', root, '--allow-bypass'], {
      ANTHROPIC_API_KEY: 'sk-environment-1234',
      ANTHROPIC_MODEL: 'm',
    });
    const [ports] = core.ports;
    expect(ports?.host).toEqual({
      label: 'Gatehouse desktop',
      version: '1.2.3',
      permissions: {
        flagSettings: null,
        cliArg: { source: 'cliArg', allow: [], deny: [], additionalDirectories: [] },
      },
      platform: 'linux',
      capabilities: ['pickFolder', 'openExternal', 'revealFile', 'keychain'],
      startFolder: root,
      runsAsRoot: false,
      allowBypass: true,
    });
    expect(ports?.paths.data).toBe(join(root, 'data'));
    expect(ports?.paths.privateFiles).toEqual([
      join(root, 'data/secrets.json'),
      join(root, 'data/sign-ins'),
      join(root, 'data/key.encrypted'),
    ]);
    expect(ports?.environment.model).toBe('m');
    await ports?.revealFile?.('/srv/app/a.txt');
    expect(callsOf('showItemInFolder')).toEqual([['/srv/app/a.txt']]);
    expect(ports?.sqliteBinding).toBeUndefined();
    expect(ports?.secrets.state()).toEqual({
      source: 'environment',
      hint: '1234',
      protection: 'Encrypted with the GNOME keyring.',
      canStore: true,
    });
  });

  it('says plainly that a key is not encrypted where there is no keychain', async () => {
    safeStorage.backend = 'basic_text';
    await start();
    const [ports] = core.ports;
    expect(ports?.host.capabilities).toEqual(['pickFolder', 'openExternal', 'revealFile']);
    expect(ports?.secrets.state().protection).toMatch(/^This system has no keychain.*It is not encrypted/);
    ports?.secrets.setApiKey('sk-typed-5678', true);
    expect(readFileSync(join(root, 'data/secrets.json'), 'utf8')).toContain('sk-typed-5678');
  });

  it('takes the SQLite that was built for Electron where there is one', async () => {
    mkdirSync(join(root, 'dist/native'));
    writeFileSync(join(root, 'dist/native/better_sqlite3.node'), '');
    await start();
    expect(core.ports[0]?.sqliteBinding).toBe(join(root, 'dist/native/better_sqlite3.node'));
  });
});

describe('starts that do not happen', () => {
  it('leaves the place to the first instance', async () => {
    app.firstInstance = false;
    await start();
    expect({ quit: callsOf('quit').length, windows: BrowserWindow.all.length, cores: core.ports.length }).toEqual({
      quit: 1,
      windows: 0,
      cores: 0,
    });
  });

  it('refuses remote debugging in a packaged app', async () => {
    app.isPackaged = true;
    await start(['--remote-debugging-port=9222']);
    expect({ exit: callsOf('exit'), errors, cores: core.ports.length }).toEqual({
      exit: [[2]],
      errors: 'With remote debugging other programs could answer for you. Start Gatehouse without it.\n',
      cores: 0,
    });
  });

  it.each([
    ['a refused database', new DatabaseRefused('The data folder is in use.'), 'The data folder is in use.'],
    [
      'SQLite for another program',
      new Error('compiled against a different Node.js version using NODE_MODULE_VERSION 115'),
      'better-sqlite3 was built for another program than Electron. Start with `npm start`, which builds the right one.',
    ],
    ['anything else', new Error('broken'), 'broken'],
  ])('explains %s and ends', async (_name, failure, text) => {
    core.failure.push(failure);
    await start();
    expect({ box: callsOf('showErrorBox'), exit: callsOf('exit') }).toEqual({
      box: [['Gatehouse cannot start', text]],
      exit: [[1]],
    });
  });

  it('explains a page that was not built', async () => {
    rmSync(join(root, 'dist/renderer/index.html'));
    await start();
    expect(callsOf('showErrorBox')[0]?.[1]).toMatch(/There is no page in .*npm run build/);
  });
});

describe('life', () => {
  it('connects the loaded page to the core, and no frame that is not ours', async () => {
    await start();
    const contents = BrowserWindow.all[0]?.webContents;
    contents?.say('gatehouse:open', undefined, { senderFrame: null });
    expect(core.accepted).toHaveLength(0);
    expect(errors).toContain('its frame is gone');
    contents?.say('gatehouse:open');
    core.accepted[0]?.send({ type: 'evt' });
    expect(contents?.sent).toEqual([{ channel: 'gatehouse:message', text: '{"type":"evt"}' }]);
  });

  it('loads the page anew when it crashed', async () => {
    await start();
    BrowserWindow.all[0]?.webContents.emit('render-process-gone', {}, { reason: 'clean-exit' });
    expect(callsOf('reload')).toEqual([]);
    BrowserWindow.all[0]?.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
    expect(callsOf('reload')).toEqual([[]]);
  });

  it('shows its window when started a second time', async () => {
    await start();
    app.emit('second-instance');
    expect(calls.slice(-2).map((call) => call.name)).toEqual(['restore', 'focus']);
  });

  it('quits with its last window, once the core has closed', async () => {
    await start();
    app.emit('window-all-closed');
    expect(callsOf('quit')).toHaveLength(1);
    let prevented = 0;
    const event = {
      preventDefault: () => {
        prevented += 1;
      },
    };
    app.emit('before-quit', event);
    app.emit('before-quit', event);
    await vi.waitUntil(() => callsOf('quit').length === 2);
    app.emit('before-quit', event);
    expect({ prevented, disposals: core.disposals }).toEqual({ prevented: 2, disposals: 1 });
  });
});

import type { SafeStorage, Session, WebContents } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openExternal, pickFolder } from './desktopPort';
import { findKeychain } from './keychain';
import { readLaunchOptions } from './options';
import {
  BrowserWindow,
  callsOf,
  dialog,
  RecordedContents,
  resetElectron,
  safeStorage,
  session,
  sessionHandlers,
  standIn,
} from './testing/electronRecorder';
import { confine, createWindow, restrict } from './window';

vi.mock('electron', () => import('./testing/electronRecorder'));
beforeEach(() => resetElectron());

describe('window', () => {
  it('has a page without Node, isolated and sandboxed', () => {
    createWindow({ preload: '/dist/preload.cjs', devTools: false, icon: '/icon.png' });
    const [window] = BrowserWindow.all;
    expect(window?.options.webPreferences).toEqual({
      preload: '/dist/preload.cjs',
      devTools: false,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    });
  });

  it('shows itself when the page is drawn', () => {
    createWindow({ preload: 'p', devTools: false, icon: 'i' });
    expect(BrowserWindow.all[0]?.options.show).toBe(false);
    expect(callsOf('show')).toEqual([]);
    BrowserWindow.all[0]?.emit('ready-to-show');
    expect(callsOf('show')).toEqual([[]]);
  });

  it.each(['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview'])('denies %s', (event) => {
    const contents = new RecordedContents();
    confine(standIn<WebContents>(contents));
    expect(contents.prevents(event, { url: 'app://gatehouse/' })).toBe(true);
  });

  it('opens no other window', () => {
    const contents = new RecordedContents();
    confine(standIn<WebContents>(contents));
    expect(contents.windowOpenHandler?.({ url: 'https://example.com/' })).toEqual({ action: 'deny' });
  });
});

describe('permissions', () => {
  const permissions: [string, string, boolean][] = [
    ['clipboard-sanitized-write', 'app://gatehouse/', true],
    ['notifications', 'app://gatehouse', true],
    ['notifications', 'https://example.com/', false],
    ['clipboard-sanitized-write', 'app://gatehouse.example.com/', false],
    ['clipboard-read', 'app://gatehouse/', false],
    ['media', 'app://gatehouse/', false],
    ['geolocation', 'app://gatehouse/', false],
    ['openExternal', 'app://gatehouse/', false],
    ['fileSystem', 'app://gatehouse/', false],
    ['local-network-access', 'app://gatehouse/', false],
    ['unknown', 'app://gatehouse/', false],
  ];
  it.each(permissions)('%s for %s: %s', (permission, url, expected) => {
    restrict(standIn<Session>(session.defaultSession));
    const answers: boolean[] = [];
    const request = sessionHandlers.request as (...values: unknown[]) => void;
    const check = sessionHandlers.check as (...values: unknown[]) => boolean;
    request(null, permission, (granted: boolean) => answers.push(granted), { requestingUrl: url });
    expect([...answers, check(null, permission, url, {})]).toEqual([expected, expected]);
  });

  it.each([
    ['app://gatehouse/', false],
    ['app://gatehouse/assets/main-1.js', false],
    ['data:image/png;base64,AA==', false],
    ['blob:app://gatehouse/1', false],
    ['devtools://devtools/bundled/inspector.html', false],
    ['app://gatehouse.example.com/', true],
    ['app://elsewhere/', true],
    ['https://example.com/', true],
    ['http://127.0.0.1:3000/', true],
    ['ws://127.0.0.1:3000/', true],
    ['file:///etc/passwd', true],
    ['blob:https://example.com/1', true],
    ['chrome://settings/', true],
    ['https://example.com/app://gatehouse/', true],
  ])('loads %s, or not: %s', (url, refused) => {
    restrict(standIn<Session>(session.defaultSession));
    const before = sessionHandlers.beforeRequest as (
      details: { url: string },
      answer: (response: object) => void,
    ) => void;
    const answers: object[] = [];
    before({ url }, (answer) => answers.push(answer));
    let prevented = false;
    const download = sessionHandlers['will-download'] as (event: object, item: object) => void;
    download({ preventDefault: () => (prevented = true) }, { getURL: () => url });
    expect({ answers, prevented }).toEqual({ answers: [{ cancel: refused }], prevented: refused });
  });

  it('gives no device and no picture of the screen', () => {
    restrict(standIn<Session>(session.defaultSession));
    const device = sessionHandlers.device as (details: unknown) => boolean;
    const display = sessionHandlers.display as (request: unknown, callback: (streams: unknown) => void) => void;
    expect(device({ deviceType: 'usb' })).toBe(false);
    const streams: unknown[] = [];
    display({}, (given) => streams.push(given));
    expect(streams).toEqual([{}]);
  });
});

describe('openExternal', () => {
  it.each([
    ['https://example.com/a?b=c d', 'https://example.com/a?b=c%20d'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/'],
  ])('opens %s', async (address, opened) => {
    await openExternal(address);
    expect(callsOf('openExternal')).toEqual([[opened]]);
  });

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'smb://host/share',
    'ms-msdt:/id',
    'app://gatehouse/',
    'https://good.example@evil.example/',
    'https://user:pass@evil.example/',
    'nonsense',
    '',
  ])('refuses %s', async (address) => {
    await expect(openExternal(address)).rejects.toMatchObject({ code: 'refused' });
    expect(callsOf('openExternal')).toEqual([]);
  });
});

describe('pickFolder', () => {
  it('asks for a folder, over the window where there is one', async () => {
    dialog.answer = { canceled: false, filePaths: ['/chosen'] };
    const properties = ['openDirectory', 'createDirectory'];
    expect(await pickFolder()).toBe('/chosen');
    createWindow({ preload: 'p', devTools: false, icon: 'i' });
    expect(await pickFolder()).toBe('/chosen');
    expect(callsOf('showOpenDialog')).toEqual([
      [{ title: 'Open a folder', properties }],
      [BrowserWindow.all[0], { title: 'Open a folder', properties }],
    ]);
  });

  it('gives null when cancelled', async () => {
    dialog.answer = { canceled: true, filePaths: [] };
    expect(await pickFolder()).toBeNull();
  });
});

describe('keychain', () => {
  const storage = standIn<SafeStorage>(safeStorage);

  it.each([
    ['linux' as const, 'gnome_libsecret', 'the GNOME keyring'],
    ['linux' as const, 'kwallet6', 'KWallet'],
    ['linux' as const, 'basic_text', null],
    ['linux' as const, 'unknown', null],
    ['darwin' as const, 'ignored', 'the macOS keychain'],
    ['win32' as const, 'ignored', 'Windows data protection'],
  ])('on %s with %s: %s', (platform, backend, name) => {
    safeStorage.backend = backend;
    expect(findKeychain(storage, platform)?.name ?? null).toBe(name);
  });

  it('encrypts and decrypts', () => {
    const keychain = findKeychain(storage, 'darwin');
    expect(keychain?.decrypt(keychain.encrypt('sk-ä'))).toBe('sk-ä');
  });

  it('is none where nothing can be encrypted', () => {
    safeStorage.available = false;
    expect(findKeychain(storage, 'darwin')).toBeNull();
  });
});

describe('readLaunchOptions', () => {
  const launch = {
    startFolder: null as string | null,
    allowBypass: false,
    permissions: {
      flagSettings: null,
      cliArg: { source: 'cliArg', allow: [] as string[], deny: [], additionalDirectories: [] },
    },
  };
  const at = (startFolder: string) => ({ ...launch, startFolder });
  const where = { cwd: '/here', packaged: false };
  it.each([
    [[], launch],
    [['--folder', '/p'], at('/p')],
    [['--folder=p', '--allow-bypass'], { ...launch, startFolder: '/here/p', allowBypass: true }],
    [['/p'], at('/p')],
    [['p'], at('/here/p')],
    [['--no-first-run', '--ozone-platform=x11', '/p'], at('/p')],
    [['--remote-debugging-port=9222'], launch],
    [
      ['--allowedTools=Bash(ls)', '/p'],
      {
        ...launch,
        startFolder: '/p',
        permissions: { ...launch.permissions, cliArg: { ...launch.permissions.cliArg, allow: ['Bash(ls)'] } },
      },
    ],
  ])('%j', (words, expected) => {
    expect(readLaunchOptions(words, where)).toEqual({ ok: true, value: expected });
  });

  it('refuses in the packaged app what would let others in', () => {
    expect(readLaunchOptions(['--remote-debugging-pipe'], { ...where, packaged: true })).toEqual({
      ok: false,
      error: 'With remote debugging other programs could answer for you. Start Gatehouse without it.',
    });
  });

  it('says what is wrong with an option', () => {
    expect(readLaunchOptions(['--settings'], where)).toEqual({ ok: false, error: '--settings needs a value.' });
  });
});

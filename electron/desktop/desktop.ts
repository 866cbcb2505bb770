// The desktop door: a window of its own around the same core and page as on the loopback host.
import { join } from 'node:path';
import { app, BrowserWindow, dialog, Menu, session } from 'electron';
import { type Core, createCore } from '../core/createCore';
import { hostPaths } from '../core/hostPaths';
import { logFile } from '../core/logFile';
import type { Log } from '../core/ports';
import { DatabaseRefused } from '../core/sessions/database';
import { textLog } from '../core/textLog';
import { pageOrigin, registerAppScheme, serveApp } from './appProtocol';
import { acceptPages } from './ipcTransport';
import { menuTemplate } from './menu';
import { readLaunchOptions } from './options';
import { desktopPorts, type Surroundings } from './ports';
import { confine, createWindow, restrict } from './window';

/** Starts the app. Must be called before Electron is ready: some protections can only be set then. */
export function runDesktop(surroundings: Surroundings): void {
  const { data } = hostPaths(surroundings);
  const launch = readLaunchOptions(surroundings.words, { cwd: surroundings.cwd, packaged: app.isPackaged });
  const log = textLog(logFile(join(data, 'logs', 'desktop.log'), surroundings.writeError), {
    verbose: surroundings.env.GATEHOUSE_LOG === 'info',
  });

  // One instance for each data folder; Chromium's own files lie beside ours.
  app.setPath('userData', join(data, 'electron'));
  app.enableSandbox();
  registerAppScheme();
  app.on('web-contents-created', (_event, contents) => confine(contents));
  app.on('second-instance', showWindow);
  app.on('window-all-closed', () => {
    if (surroundings.platform !== 'darwin') app.quit();
  });

  if (!launch.ok) {
    surroundings.writeError(`${launch.error}\n`);
    app.exit(2);
    return;
  }
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  start({ surroundings, launch: launch.value, log }).catch((error: unknown) => {
    dialog.showErrorBox('Gatehouse cannot start', explain(error, log));
    app.exit(1);
  });
}

async function start(options: Parameters<typeof desktopPorts>[0]): Promise<void> {
  const { surroundings, log } = options;
  await app.whenReady();
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(surroundings.platform)));
  restrict(session.defaultSession);
  serveApp(session.defaultSession.protocol, join(surroundings.dist, 'renderer'));
  const core = await createCore(desktopPorts(options));
  const open = (): Promise<void> => openWindow({ core, log, dist: surroundings.dist });
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) void open();
  });
  let closed = false;
  app.on('before-quit', (event) => {
    if (!closed) event.preventDefault();
  });
  app.once('before-quit', () => {
    const quit = (): void => {
      closed = true;
      app.quit();
    };
    void core
      .dispose()
      .catch((error: unknown) => log.error('closing failed', error))
      .finally(quit);
  });
  await open();
}

async function openWindow(options: { readonly core: Core; readonly log: Log; readonly dist: string }): Promise<void> {
  const { core, log, dist } = options;
  const window = createWindow({
    preload: join(dist, 'desktop', 'preload.cjs'),
    devTools: !app.isPackaged,
    icon: join(dist, 'icon.png'),
  });
  acceptPages({
    contents: window.webContents,
    origin: pageOrigin,
    accept: (transport) => core.accept(transport),
    onRefused: (reason) => log.warn('a message to the main process was refused', { reason }),
  });
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    log.warn('the page ended', { reason });
    if (reason !== 'clean-exit') window.webContents.reload();
  });
  await window.loadURL(`${pageOrigin}/`);
}

function showWindow(): void {
  const window = BrowserWindow.getAllWindows()[0];
  if (window?.isMinimized()) window.restore();
  window?.focus();
}

/** Words for a start that failed; anything unexpected goes to the log in full. */
function explain(error: unknown, log: Log): string {
  if (error instanceof DatabaseRefused) return error.message;
  log.error('the start failed', error);
  const text = error instanceof Error ? error.message : String(error);
  if (!text.includes('NODE_MODULE_VERSION')) return text;
  return 'better-sqlite3 was built for another program than Electron. Start with `npm start`, which builds the right one.';
}

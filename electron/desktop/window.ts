// The window and what its page may not do: leave, open others, ask for devices.
import { BrowserWindow, type Session, type WebContents } from 'electron';
import { pageOrigin } from './appProtocol';

/** Opens a window that shows the page as soon as it is drawn. The caller prepares its contents before `show`. */
export function createWindow(options: {
  readonly preload: string;
  readonly devTools: boolean;
  readonly icon: string;
}): BrowserWindow {
  const { preload, devTools, icon } = options;
  const window = new BrowserWindow({
    width: 1440,
    height: 920,
    minWidth: 640,
    minHeight: 480,
    show: false,
    // The dark theme's background, so that nothing flashes before the page is drawn.
    backgroundColor: '#111317',
    autoHideMenuBar: true,
    icon,
    // Nothing in the page reaches Node or Electron but through the preload script's one object.
    webPreferences: {
      preload,
      devTools,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false, // Chromium would fetch dictionaries from the network.
    },
  });
  window.once('ready-to-show', () => window.show());
  return window;
}

/** Refuses every way for a page to leave or to open something. For all web contents, also those nobody meant to make. */
export function confine(contents: WebContents): void {
  const stay = (event: { preventDefault(): void }): void => event.preventDefault();
  contents.on('will-navigate', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('will-attach-webview', stay);
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** What the page may use of the browser: writing to the clipboard and notifications. */
const granted: readonly string[] = ['clipboard-sanitized-write', 'notifications'];

/** Addresses that the page itself is made of. Developer tools are there only where the app is not packaged. */
const local = /^(?:app:\/\/gatehouse\/|data:|blob:app:\/\/gatehouse\/|devtools:)/;

/** Denies all devices and permissions but those two, those only to our own page, and every way to a network. */
export function restrict(session: Session): void {
  const isOurs = (url: string): boolean => url === pageOrigin || url.startsWith(`${pageOrigin}/`);
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !local.test(url) }));
  session.on('will-download', (event, item) => local.test(item.getURL()) || event.preventDefault());
  session.setPermissionRequestHandler((_contents, permission, callback, details) => {
    callback(granted.includes(permission) && isOurs(details.requestingUrl));
  });
  session.setPermissionCheckHandler((_contents, permission, origin) => granted.includes(permission) && isOurs(origin));
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, callback) => callback({}));
}

// Stands in for the `electron` module in tests: keeps what the desktop code asks of it, and lets a test play the
// events that Electron would send. Shapes follow Electron's own types.
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';

type Handler = (...values: never[]) => unknown;

/** What was asked of Electron, newest last: name of the call and its arguments. */
export const calls: { readonly name: string; readonly values: readonly unknown[] }[] = [];

export function record(name: string, ...values: unknown[]): void {
  calls.push({ name, values });
}

/** Arguments of the calls of one name. */
export function callsOf(name: string): (readonly unknown[])[] {
  return calls.filter((call) => call.name === name).map((call) => call.values);
}

export class RecordedFrame {
  parent: RecordedFrame | null = null;
  constructor(public url: string) {}
}

export class RecordedContents extends EventEmitter {
  readonly ipc = new EventEmitter();
  readonly sent: { readonly channel: string; readonly text: unknown }[] = [];
  mainFrame = new RecordedFrame('about:blank');
  windowOpenHandler: ((details: { url: string }) => { action: string }) | undefined;
  destroyed = false;

  send(channel: string, text: unknown): void {
    this.sent.push({ channel, text });
  }
  isDestroyed(): boolean {
    return this.destroyed;
  }
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.windowOpenHandler = handler;
  }
  reload(): void {
    record('reload');
  }
  /** Plays a message from a frame of this (or another) window. */
  say(channel: string, text?: unknown, from: { sender?: unknown; senderFrame?: RecordedFrame | null } = {}): void {
    this.ipc.emit(channel, { sender: this, senderFrame: this.mainFrame, ...from }, text);
  }
  /** Plays an event that can be prevented; true when it was. */
  prevents(name: string, details: object = {}): boolean {
    let prevented = false;
    const event = {
      ...details,
      preventDefault: () => {
        prevented = true;
      },
    };
    this.emit(name, event);
    return prevented;
  }
}

export class BrowserWindow extends EventEmitter {
  static readonly all: BrowserWindow[] = [];
  readonly webContents = new RecordedContents();
  constructor(readonly options: Electron.BrowserWindowConstructorOptions) {
    super();
    BrowserWindow.all.push(this);
    app.emit('web-contents-created', {}, this.webContents);
  }
  static getAllWindows(): BrowserWindow[] {
    return BrowserWindow.all;
  }
  static getFocusedWindow(): BrowserWindow | null {
    return BrowserWindow.all[0] ?? null;
  }
  async loadURL(url: string): Promise<void> {
    this.webContents.mainFrame = new RecordedFrame(url);
    record('loadURL', url);
  }
  show(): void {
    record('show');
  }
  isMinimized(): boolean {
    return true;
  }
  restore(): void {
    record('restore');
  }
  focus(): void {
    record('focus');
  }
}

class RecordedApp extends EventEmitter {
  isPackaged = false;
  firstInstance = true;
  enableSandbox(): void {
    record('enableSandbox');
  }
  setPath(name: string, path: string): void {
    record('setPath', name, path);
  }
  getVersion(): string {
    return '1.2.3';
  }
  requestSingleInstanceLock(): boolean {
    record('requestSingleInstanceLock');
    return this.firstInstance;
  }
  async whenReady(): Promise<void> {
    record('whenReady');
  }
  quit(): void {
    record('quit');
  }
  exit(code: number): void {
    record('exit', code);
  }
}

export const app = new RecordedApp();

/** What Electron would hand to the protocol handler, by scheme. */
export const protocolHandlers = new Map<string, (request: { url: string; method: string }) => Promise<Response>>();
export const protocol = {
  registerSchemesAsPrivileged: (schemes: Electron.CustomScheme[]) => record('registerSchemesAsPrivileged', schemes),
  handle: (scheme: string, handler: (request: { url: string; method: string }) => Promise<Response>) =>
    protocolHandlers.set(scheme, handler),
};

/** The handlers given to the session, by the name of the setter. */
export const sessionHandlers: Record<string, Handler | undefined> = {};
type BeforeRequest = (details: { url: string }, answer: (response: { cancel: boolean }) => void) => void;
export const session = {
  defaultSession: {
    protocol,
    webRequest: {
      onBeforeRequest: (handler: BeforeRequest) => {
        sessionHandlers.beforeRequest = handler as Handler;
      },
    },
    on: (event: string, handler: Handler) => {
      sessionHandlers[event] = handler;
    },
    setPermissionRequestHandler: (handler: Handler) => {
      sessionHandlers.request = handler;
    },
    setPermissionCheckHandler: (handler: Handler) => {
      sessionHandlers.check = handler;
    },
    setDevicePermissionHandler: (handler: Handler) => {
      sessionHandlers.device = handler;
    },
    setDisplayMediaRequestHandler: (handler: Handler) => {
      sessionHandlers.display = handler;
    },
  },
};

export const dialog = {
  answer: { canceled: false, filePaths: ['/chosen'] },
  showOpenDialog: async (...values: unknown[]) => {
    record('showOpenDialog', ...values);
    return dialog.answer;
  },
  showErrorBox: (title: string, text: string) => record('showErrorBox', title, text),
};

export const shell = {
  openExternal: async (url: string) => record('openExternal', url),
  showItemInFolder: (file: string) => record('showItemInFolder', file),
};

export const Menu = {
  buildFromTemplate: (template: unknown) => template,
  setApplicationMenu: (menu: unknown) => record('setApplicationMenu', menu),
};

export const safeStorage = {
  available: true,
  backend: 'gnome_libsecret',
  isEncryptionAvailable: () => safeStorage.available,
  getSelectedStorageBackend: () => safeStorage.backend,
  encryptString: (text: string) => Buffer.from(`sealed:${Buffer.from(text).toString('base64')}`),
  decryptString: (sealed: Buffer) => {
    const text = sealed.toString();
    if (!text.startsWith('sealed:')) throw new Error('Error while decrypting the ciphertext provided.');
    return Buffer.from(text.slice('sealed:'.length), 'base64').toString();
  },
};

export class RecordedChild extends EventEmitter {
  pid: number | undefined = 4242;
  readonly posted: unknown[] = [];
  postMessage(message: unknown): void {
    this.posted.push(message);
  }
  kill(): boolean {
    record('utility.kill');
    return true;
  }
}

export const utilityProcess = {
  children: [] as RecordedChild[],
  fork: (...values: unknown[]) => {
    record('utility.fork', ...values);
    const child = new RecordedChild();
    utilityProcess.children.push(child);
    return child;
  },
};

export const exposed: Record<string, unknown> = {};
export const contextBridge = {
  exposeInMainWorld: (name: string, value: unknown) => {
    exposed[name] = value;
  },
};

class RecordedRenderer extends EventEmitter {
  send(channel: string, text?: unknown): void {
    record('ipcRenderer.send', channel, text);
  }
}
export const ipcRenderer = new RecordedRenderer();

/** A recorded object where Electron's own type is asked for: it has just the members that the code under test uses. */
export function standIn<T>(recorded: unknown): T {
  return recorded as T;
}

/** Forgets everything between two tests. */
export function resetElectron(): void {
  calls.length = 0;
  BrowserWindow.all.length = 0;
  app.removeAllListeners();
  app.isPackaged = false;
  app.firstInstance = true;
  protocolHandlers.clear();
  for (const name of Object.keys(sessionHandlers)) delete sessionHandlers[name];
  safeStorage.available = true;
  safeStorage.backend = 'gnome_libsecret';
  utilityProcess.children.length = 0;
  ipcRenderer.removeAllListeners();
}

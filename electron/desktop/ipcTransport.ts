// One Transport per loaded page of a window. Every message is checked for where it comes from before it is read.
import type { IpcMainEvent, WebContents } from 'electron';
import type { Transport } from '#shared/rpc/transport';
import { TransportListeners } from '#shared/rpc/transportListeners';
import { channels } from './channels';

/** A message larger than this is no honest page's, in characters. */
const maxMessageLength = 8 * 1024 * 1024;

/** Null when the message comes from the main frame of this window, showing our own page; else what is wrong. */
function whyRefused(
  event: IpcMainEvent,
  expected: { readonly contents: WebContents; readonly origin: string },
): string | null {
  const frame = event.senderFrame;
  if (event.sender !== expected.contents) return 'it comes from another window';
  if (frame === null) return 'its frame is gone';
  if (frame !== expected.contents.mainFrame || frame.parent !== null) return 'it comes from an inner frame';
  if (frame.url !== expected.origin && !frame.url.startsWith(`${expected.origin}/`))
    return 'it comes from a page that is not ours';
  return null;
}

/**
 * Gives `accept` a Transport for each page that the window loads; a reload closes the one before. Messages from
 * anywhere else are dropped and told to `onRefused`.
 */
export function acceptPages(options: {
  readonly contents: WebContents;
  /** `app://gatehouse`, without a slash at the end. */
  readonly origin: string;
  readonly accept: (transport: Transport) => void;
  readonly onRefused: (reason: string) => void;
}): void {
  const { contents, accept, onRefused } = options;
  let page: PageTransport | undefined;

  const checked = (handle: (text: unknown) => void) => (event: IpcMainEvent, text: unknown) => {
    const reason = whyRefused(event, options);
    if (reason === null) handle(text);
    else onRefused(reason);
  };
  contents.ipc.on(
    channels.open,
    checked(() => {
      page?.close('the page was loaded anew');
      page = new PageTransport(contents);
      accept(page);
    }),
  );
  contents.ipc.on(
    channels.message,
    checked((text) => {
      if (typeof text === 'string' && text.length <= maxMessageLength) page?.receive(text);
      else onRefused('it is no text or too long');
    }),
  );
  contents.on('render-process-gone', () => page?.close('the page crashed'));
  contents.on('destroyed', () => page?.close('the window was closed'));
}

class PageTransport extends TransportListeners implements Transport {
  constructor(private readonly contents: WebContents) {
    super();
  }

  send(message: unknown): void {
    if (!this.closed && !this.contents.isDestroyed()) this.contents.send(channels.message, JSON.stringify(message));
  }

  receive(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      this.close('malformed message');
      return;
    }
    this.deliver(message);
  }
}

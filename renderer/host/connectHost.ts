import type { Transport } from '#shared/rpc/transport';
import { type PageSurroundings, pageKey } from './pageKey';
import { PreloadTransport } from './preloadTransport';
import { socketUrl, WebSocketTransport } from './webSocketTransport';

const notLetIn = 'This page has not been let in. Open the newest link that Gatehouse printed in its terminal';
const tooMany = 'Gatehouse is open in too many tabs. Close some';

/** Opens the way to the core that exists here: the desktop's preload object, else a socket to the page's own origin. */
export function connectHost(): Transport {
  const bridge = window.gatehouse;
  return bridge === undefined ? connectSocket(window) : new PreloadTransport(bridge);
}

/** A socket that shows the page's key. `page` is the window. */
export function connectSocket(page: PageSurroundings & { readonly fetch: typeof fetch }): Transport {
  const key = pageKey(page);
  return new WebSocketTransport(socketUrl(page.location), {
    protocols: ['gatehouse', ...(key === null ? [] : [`key.${key}`])],
    // Browsers do not tell a page why a socket was refused; the server tells whether it is there at all.
    whyRefused: async () => {
      try {
        const { status } = await page.fetch('/', { method: 'HEAD', cache: 'no-store' });
        return key === null || status === 401 ? notLetIn : status === 200 ? tooMany : null;
      } catch {
        return null;
      }
    },
  });
}

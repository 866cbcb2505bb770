import type { Transport } from '#shared/rpc/transport';
import { PreloadTransport } from './preloadTransport';
import { socketUrl, WebSocketTransport } from './webSocketTransport';

/** Opens the way to the core that exists here: the desktop's preload object, else a socket to the page's own origin. */
export function connectHost(): Transport {
  const bridge = window.gatehouse;
  return bridge === undefined ? new WebSocketTransport(socketUrl(window.location)) : new PreloadTransport(bridge);
}

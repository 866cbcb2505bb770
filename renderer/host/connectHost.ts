import type { Transport } from '#shared/rpc/transport';
import { createPreloadTransport } from './preloadTransport';
import { createWebSocketTransport, socketUrl } from './webSocketTransport';

/** Opens the way to the core that exists here: the desktop's preload object, else a socket to the page's own origin. */
export function connectHost(): Transport {
  const bridge = window.gatehouse;
  return bridge === undefined ? createWebSocketTransport(socketUrl(window.location)) : createPreloadTransport(bridge);
}

import { describe, expect, it } from 'vitest';
import { PreloadTransport } from './preloadTransport';

function createBridge() {
  const listeners = new Set<(message: string) => void>();
  const sent: string[] = [];
  return {
    sent,
    listeners,
    deliver: (message: string) => {
      for (const listener of listeners) listener(message);
    },
    bridge: {
      send: (message: string) => {
        sent.push(message);
      },
      onMessage: (listener: (message: string) => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  };
}

describe('preload transport', () => {
  it('speaks JSON text both ways', () => {
    const { bridge, sent, deliver } = createBridge();
    const transport = new PreloadTransport(bridge);
    const got: unknown[] = [];
    transport.onMessage((message) => got.push(message));
    transport.send({ type: 'req', id: 1 });
    deliver('{"type":"ok","id":1}');
    expect({ sent, got }).toEqual({ sent: ['{"type":"req","id":1}'], got: [{ type: 'ok', id: 1 }] });
  });

  it('is deaf and dumb after close, and closes once', () => {
    const { bridge, sent, listeners } = createBridge();
    const transport = new PreloadTransport(bridge);
    const reasons: string[] = [];
    transport.onClose((reason) => reasons.push(reason));
    transport.close('bye');
    transport.close('again');
    transport.send({});
    expect({ reasons, sent, listeners: listeners.size }).toEqual({ reasons: ['bye'], sent: [], listeners: 0 });
  });
});

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Ends, peerIn, peerOf } from './peerUser';

const ends: Ends = { local: { address: '127.0.0.1', port: 4000 }, remote: { address: '127.0.0.1', port: 50_000 } };
const [server, client] = ['0100007F:0FA0', '0100007F:C350'];
const mapped = (end: string): string => `0000000000000000FFFF0000${end}`;
const uid = 1000;

const head =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode                \n';
const row = (local: string, remote: string, { user = uid, inode = 77_123, state = '01' } = {}): string =>
  `   1: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000 ${String(user).padStart(5)}        0 ${inode} 1 0000000000000000 20 4 30 10 -1\n`;
const ours = row(server, client);

describe('the user at the far end', () => {
  it.each([
    ['ourselves', [head + ours + row(client, server), head], 'own'],
    ['root, for whom no door is closed', [ours + row(client, server, { user: 0 }), ''], 'own'],
    ['another user', [ours + row(client, server, { user: 1001 }), ''], 'foreign'],
    ['a socket for both versions of IP', [ours, row(mapped(client), mapped(server))], 'own'],
    ['another user through such a socket', [ours, row(mapped(client), mapped(server), { user: 33 })], 'foreign'],
    ['nobody any more: the far end was closed', [ours + row(client, server, { user: 0, inode: 0 }), ''], 'foreign'],
    ['an end that has gone', [ours, ''], 'foreign'],
    ['a program in between whose ends are others', [ours + row(client, '0100007F:0FA1'), ''], 'foreign'],
    ['not told by this system', ['', ''], 'unknown'],
    ['not told in full', [head + row(client, server, { user: 1001 }), ''], 'unknown'],
  ] as const)('%s', (_name, lists, expected) => {
    expect(peerIn(lists, { ends, uid })).toBe(expected);
  });

  it('is looked up by the whole address', () => {
    const other: Ends = { ...ends, remote: { address: '::ffff:127.1.2.3', port: 9 } };
    const list = row(server, '0302017F:0009') + row('0302017F:0009', server);
    expect(peerIn([list, ''], { ends: other, uid })).toBe('own');
  });
});

describe.runIf(process.platform === 'linux')('of a real connection', () => {
  const open: Socket[] = [];
  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy();
  });

  it.each([
    ['IPv4', '127.0.0.1'],
    ['IPv4 written as IPv6', '::ffff:127.0.0.1'],
  ])('by %s it is ours, and nobody’s once the far end is closed', async (_name, host) => {
    // A kernel without IPv6 has no such sockets.
    if (host.includes(':') && !existsSync('/proc/net/tcp6')) return;
    const listener = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
    try {
      await once(listener, 'listening');
      const address = listener.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const far = connect({ host, port });
      open.push(far);
      const [near] = (await once(listener, 'connection')) as [Socket];
      open.push(near);
      near.on('error', () => undefined);
      expect(peerOf(near)).toBe('own');
      far.destroy();
      await once(far, 'close');
      expect(peerOf(near)).toBe('foreign');
    } finally {
      listener.close();
    }
  });
});

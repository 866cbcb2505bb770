// A proxy of the person's own on this machine, through which allowed connections go; it resolves names and decides once more.
import { isIPv4, isIPv6, type Socket } from 'node:net';
import type { SandboxPolicy } from '#shared/api/executor';
import { connectChecked, type Dial } from '../../fetch/connect';
import { FetchStopped } from '../../fetch/failure';
import { bracketed, type Place } from './hostName';
import { type Read, reader } from './socks';

export type OwnProxy = NonNullable<SandboxPolicy['ownProxy']>;

const longestAnswer = 16_384;

/** Connects to a place through it. Rejects with FetchStopped when the proxy refuses. */
export async function connectThrough(options: {
  readonly proxy: OwnProxy;
  readonly place: Place;
  readonly dial: Dial;
  readonly signal: AbortSignal;
}): Promise<Socket> {
  const { proxy, place, dial, signal } = options;
  const port = proxy.port;
  const how = { addresses: ['127.0.0.1'], port, secureHost: null, dial, ca: undefined, signal };
  const socket = await connectChecked(how).catch(() => {
    throw new FetchStopped('unreachable', `Your own proxy on port ${port} of this machine does not answer.`);
  });
  const end = (): void => void socket.destroy();
  signal.addEventListener('abort', end, { once: true });
  socket.on('error', () => undefined);
  try {
    const read = reader(socket);
    const refusal = proxy.kind === 'http' ? await askHttp(socket, read, place) : await askSocks(socket, read, place);
    if (refusal === '') return socket;
    throw new FetchStopped('unreachable', `Your own proxy on port ${port} refused ${place.host} (${refusal}).`);
  } catch (error) {
    socket.destroy();
    if (error instanceof FetchStopped) throw error;
    throw new FetchStopped('unreachable', `Your own proxy on port ${port} broke off when asked for ${place.host}.`);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** Why it refused; empty when it did not. */
async function askHttp(socket: Socket, read: Read, { host, port }: Place): Promise<string> {
  const target = `${bracketed(host)}:${port}`;
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
  let answer = '';
  // What follows the answer is the connection's own, so it is read up to its end and not beyond.
  while (!answer.endsWith('\r\n\r\n')) {
    if (answer.length > longestAnswer) return 'its answer has no end';
    answer += (await read(1)).toString('latin1');
  }
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1] ?? 'no status';
  return status.startsWith('2') ? '' : status;
}

async function askSocks(socket: Socket, read: Read, { host, port }: Place): Promise<string> {
  socket.write(Buffer.from([5, 1, 0]));
  const [, method] = await read(2);
  if (method !== 0) return 'it wants a password';
  socket.write(Buffer.concat([Buffer.from([5, 1, 0]), addressBytes(host), Buffer.from([port >> 8, port & 0xff])]));
  const [, reply, , kind] = await read(4);
  const rest = kind === 4 ? 16 : kind === 1 ? 4 : ((await read(1))[0] ?? 0);
  await read(rest + 2);
  return reply === 0 ? '' : `reply ${reply}`;
}

function addressBytes(host: string): Buffer {
  if (isIPv4(host)) return Buffer.from([1, ...host.split('.').map(Number)]);
  // Names and IPv6 go as text; it is the proxy that reads them.
  const text = isIPv6(host) ? bracketed(host) : host;
  return Buffer.concat([Buffer.from([3, text.length]), Buffer.from(text, 'latin1')]);
}

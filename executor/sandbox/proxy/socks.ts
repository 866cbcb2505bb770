// SOCKS 5 with user name and password (RFC 1928, RFC 1929), for CONNECT alone.
import type { Socket } from 'node:net';
import { hostName, isPort, type Place } from './hostName';

const version = 5;
const withPassword = 2;
const noMethod = 0xff;

/** `what` follows the password that was given; answers go through `answer`. */
export interface SocksWish {
  readonly token: string;
  /** Null: it is no connection to a host that exists by its spelling. */
  readonly place: Place | null;
  /** Tells the program how it went; nothing but the connection's own bytes may follow. */
  answer(how: 'connected' | 'denied' | 'failed'): void;
}

const replies = { connected: 0, denied: 2, failed: 4 } as const;

/** Talks to a program up to its wish. Rejects when it speaks otherwise or goes away. */
export async function readSocksWish(socket: Socket): Promise<SocksWish> {
  const read = reader(socket);
  const [spoken, methodCount] = await read(2);
  if (spoken !== version) throw new Error('not SOCKS 5');
  const methods = await read(methodCount ?? 0);
  if (!methods.includes(withPassword)) {
    socket.end(Buffer.from([version, noMethod]));
    throw new Error('no password');
  }
  socket.write(Buffer.from([version, withPassword]));
  const [, nameLength] = await read(2);
  await read(nameLength ?? 0);
  const [passwordLength] = await read(1);
  const token = (await read(passwordLength ?? 0)).toString('latin1');
  socket.write(Buffer.from([1, 0]));
  const [, command, , kind] = await read(4);
  const host = await readHost(read, kind ?? 0);
  const port = (await read(2)).readUInt16BE(0);
  const place = command === 1 && host !== null && isPort(port) ? { host, port } : null;
  return {
    token,
    place,
    answer(how) {
      socket.write(Buffer.from([version, replies[how], 0, 1, 0, 0, 0, 0, 0, 0]));
    },
  };
}

export type Read = (bytes: number) => Promise<Buffer>;

async function readHost(read: Read, kind: number): Promise<string | null> {
  if (kind === 1) return hostName([...(await read(4))].join('.'));
  if (kind === 3) {
    const [length] = await read(1);
    return hostName((await read(length ?? 0)).toString('latin1'));
  }
  if (kind !== 4) throw new Error('no kind of address');
  const bytes = await read(16);
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16));
  return hostName(`[${groups.join(':')}]`);
}

/** Reads exactly so many bytes; what is there beyond stays. */
export function reader(socket: Socket): Read {
  return (bytes) =>
    new Promise((resolve, reject) => {
      if (bytes === 0) {
        resolve(Buffer.alloc(0));
        return;
      }
      const end = (): void => {
        stop();
        reject(new Error('gone'));
      };
      const look = (): void => {
        const piece: unknown = socket.read(bytes);
        if (!Buffer.isBuffer(piece)) return;
        stop();
        if (piece.length === bytes) resolve(piece);
        else reject(new Error('gone'));
      };
      const stop = (): void => {
        socket.off('readable', look);
        socket.off('end', end);
        socket.off('close', end);
      };
      socket.on('readable', look);
      socket.once('end', end);
      socket.once('close', end);
      look();
    });
}

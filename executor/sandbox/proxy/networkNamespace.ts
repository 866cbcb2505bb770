// A network that nothing leads out of but a port that this process serves. A helper makes it, opens the port within and hands
// the open port over; then it ends, and what we hold keeps the network alive, no longer than we live ourselves.
import { type ChildProcess, spawn } from 'node:child_process';
import { close, openSync } from 'node:fs';
import { Server, type Socket } from 'node:net';

const startMs = 10_000;

/** Runs within the new network. The port goes over the channel that Node gives its children. */
const helper = `
const server = require('node:net').createServer();
process.on('disconnect', () => process.exit());
process.on('message', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send({ pid: process.pid, port: server.address().port }, server));
`;

export interface NetworkNamespace {
  /** On 127.0.0.1 within. */
  readonly port: number;
  /** What a program's command line begins with so that it runs within, without any right over the network. */
  readonly enter: readonly string[];
  onConnection(listener: (socket: Socket) => void): void;
  close(): void;
}

/** Makes one. Rejects with a sentence about the cause. */
export async function openNetworkNamespace(programs: {
  readonly bubblewrap: string;
  readonly nsenter: string;
  readonly node: string;
}): Promise<NetworkNamespace> {
  const { bubblewrap, nsenter, node } = programs;
  const child = spawn(
    bubblewrap,
    [
      ...['--dev-bind', '/', '/', '--unshare-user', '--unshare-net', '--die-with-parent', '--new-session'],
      ...['--cap-drop', 'ALL', '--', node, '--no-warnings', '--eval', helper],
    ],
    { cwd: '/', env: {}, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] },
  );
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  try {
    const { server, pid, port } = await handedOver(child);
    const [user, network] = [openSync(`/proc/${pid}/ns/user`, 'r'), openSync(`/proc/${pid}/ns/net`, 'r')];
    const own = `/proc/${process.pid}/fd`;
    return {
      port,
      enter: [nsenter, `--user=${own}/${user}`, `--net=${own}/${network}`, '--preserve-credentials', '--'],
      onConnection: (listener) => void server.on('connection', listener),
      close() {
        server.close();
        for (const held of [user, network]) close(held, () => undefined);
      },
    };
  } finally {
    child.kill('SIGKILL');
    await gone;
  }
}

function handedOver(
  child: ChildProcess,
): Promise<{ readonly server: Server; readonly pid: number; readonly port: number }> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-2_000);
    });
    const late = setTimeout(() => end(`it was not there within ${startMs / 1_000} seconds`), startMs);
    const end = (why: string): void => {
      clearTimeout(late);
      reject(new Error(why));
    };
    child.once('error', (error) => end(error.message));
    child.once('close', () => end(said.trim().split('\n').at(-1) || 'its helper ended'));
    child.once('message', (told, server: unknown) => {
      if (typeof told !== 'object' || !('pid' in told) || !('port' in told) || !(server instanceof Server))
        return end('its helper gave no port');
      clearTimeout(late);
      resolve({ server, pid: Number(told.pid), port: Number(told.port) });
    });
  });
}

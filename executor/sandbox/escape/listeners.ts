// What listens outside of the sandbox: an attempt whose token is heard here has got out.
import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface Listeners {
  /**
   * TCP, TCP6, TCP_ANY and UDP are ports, ADDRESS one of the machine that is not loopback, SOCKET and TEMP_SOCKET paths,
   * ABSTRACT a name, TERMINAL a device, SHARED a piece of shared memory. What this machine does not have is left out.
   */
  readonly variables: Readonly<Record<string, string>>;
  heard(token: string): boolean;
  dispose(): Promise<void>;
}

/** Sockets in the file system, a terminal, and memory that is shared; a program that hands over what it is asked for. */
const helper = `
import ctypes, os, pty, selectors, socket, sys, tty
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
libc.shmat.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_int]
watched = selectors.DefaultSelector()
for address in [sys.argv[1], sys.argv[2], "\\0" + sys.argv[3]]:
  listener = socket.socket(socket.AF_UNIX)
  listener.bind(address)
  listener.listen(64)
  watched.register(listener, selectors.EVENT_READ, "listener")
master, slave = pty.openpty()
tty.setraw(slave)
watched.register(master, selectors.EVENT_READ, "terminal")
watched.register(sys.stdin, selectors.EVENT_READ, "end")
shared = libc.shmget(0, 4096, 0o1600)
at = libc.shmat(shared, None, 0) if shared >= 0 else None
if at is not None and at != ctypes.c_void_p(-1).value:
  ctypes.memmove(at, b"shared by a program outside", 27)
  libc.shmctl(shared, 0, None)
print("READY", os.ttyname(slave), shared, flush=True)
while True:
  for key, _ in watched.select():
    if key.data == "end": sys.exit(0)
    if key.data == "listener":
      watched.register(key.fileobj.accept()[0], selectors.EVENT_READ, "talk")
      continue
    if key.data == "terminal": data = os.read(master, 4096)
    else: data = key.fileobj.recv(4096)
    print("HEARD", data.decode(errors="replace"), flush=True)
    if data.startswith(b"open "):
      fd = os.open(data[5:].decode(), os.O_RDONLY)
      socket.send_fds(key.fileobj, [b"here"], [fd])
      os.close(fd)
    if not data:
      watched.unregister(key.fileobj)
      key.fileobj.close()
`;

/** Starts them. `folder` is visible in the sandbox, `temp` is not. Without Python those that need it are missing. */
export async function startListeners(about: {
  readonly folder: string;
  readonly temp: string;
  readonly python: string | undefined;
}): Promise<Listeners> {
  const { folder, temp, python } = about;
  let said = '';
  const hear = (text: string): void => {
    said += text;
  };
  const variables: Record<string, string> = {};
  const servers: Server[] = [];
  const address = Object.values(networkInterfaces())
    .flat()
    .find((each) => each !== undefined && !each.internal && each.family === 'IPv4')?.address;
  for (const [name, host] of [
    ['TCP', '127.0.0.1'],
    ['TCP6', '::1'],
    ['TCP_ANY', address],
  ] as const) {
    const server = host === undefined ? undefined : await listen(host, hear);
    if (server === undefined) continue;
    servers.push(server);
    const bound = server.address();
    if (typeof bound === 'object' && bound !== null) variables[name] = String(bound.port);
    if (name === 'TCP_ANY' && address !== undefined) variables.ADDRESS = address;
  }
  const datagrams = createSocket('udp4').on('message', (bytes) => hear(bytes.toString('latin1')));
  await new Promise<void>((resolve) => datagrams.bind(0, '127.0.0.1', resolve));
  variables.UDP = String(datagrams.address().port);

  let child: ChildProcess | undefined;
  if (python !== undefined) {
    variables.SOCKET = join(folder, 'listener.sock');
    variables.TEMP_SOCKET = join(temp, 'listener.sock');
    variables.ABSTRACT = `gatehouse-${process.pid}-${variables.UDP}`;
    const args = ['-I', '-S', '-c', helper, variables.SOCKET, variables.TEMP_SOCKET, variables.ABSTRACT];
    child = spawn(python, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const words = await new Promise<string[]>((resolve, reject) => {
      if (child?.stdout)
        createInterface(child.stdout).on('line', (line) => {
          hear(`${line}\n`);
          if (line.startsWith('READY ')) resolve(line.split(' '));
        });
      child?.once('exit', () => reject(new Error('The listeners could not be started.')));
    });
    variables.TERMINAL = words[1] ?? '';
    variables.SHARED = words[2] ?? '';
  }
  return {
    variables,
    heard: (token) => said.includes(token),
    async dispose() {
      datagrams.close();
      for (const server of servers) server.close();
      const gone = child === undefined ? undefined : new Promise((resolve) => child.once('exit', resolve));
      child?.stdin?.end();
      await gone;
    },
  };
}

/** Undefined where the machine does not have this address. */
function listen(host: string, hear: (text: string) => void): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        hear(bytes.toString('latin1'));
        socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
      });
    });
    server.once('error', () => resolve(undefined));
    server.listen(0, host, () => resolve(server));
  });
}

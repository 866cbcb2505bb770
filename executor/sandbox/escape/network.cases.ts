import { type Attempt, attemptsOf } from './attempt';
import { python } from './python';

const withPython = { needs: ['python3'] };
const unreachable = /refused (ECONNREFUSED|ENETUNREACH|EADDRNOTAVAIL)/;

/** Where hosts are asked about. */
function throughProxy(list: readonly Omit<Attempt, 'kind'>[]): readonly Omit<Attempt, 'kind'>[] {
  return list.map((attempt) => ({ ...attempt, policy: { network: 'listed', ...attempt.policy } }));
}

export const network = attemptsOf('network and sockets', [
  { name: 'TCP', script: 'echo "$TOKEN" >/dev/tcp/127.0.0.1/$TCP', held: /Connection refused/ },
  {
    name: 'TCP over IPv6',
    script: python('s = socket.create_connection(("::1", int(E["TCP6"])), 2)\ns.send(TOKEN.encode())'),
    held: unreachable,
    ...withPython,
  },
  {
    name: 'TCP to an address of the machine that is not loopback',
    script: python('s = socket.create_connection((E["ADDRESS"], int(E["TCP_ANY"])), 2)\ns.send(TOKEN.encode())'),
    held: /refused (ENETUNREACH|ECONNREFUSED|EHOSTUNREACH)/,
    ...withPython,
  },
  {
    name: 'UDP',
    script: python(
      's = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.connect(("127.0.0.1", int(E["UDP"])))\ns.send(TOKEN.encode())\ntime.sleep(0.05)\ns.send(b"again")',
    ),
    held: /refused (ECONNREFUSED|ENETUNREACH)/,
    ...withPython,
  },
  {
    name: 'a name asked of a DNS server',
    script: `node -e 'const { Resolver } = require("dns"); const r = new Resolver({ timeout: 300, tries: 1 }); r.setServers(["127.0.0.1:" + process.env.UDP]); r.resolve4(process.env.TOKEN + ".example", (e) => console.log(e && e.code))'`,
    held: /ECONNREFUSED|ENETUNREACH|ETIMEOUT/,
    needs: ['node'],
  },
  {
    name: 'HTTP by a program that many have',
    script: 'curl -sS -m 2 "http://127.0.0.1:$TCP/$TOKEN"',
    held: /curl: \(7\)/,
    needs: ['curl'],
  },
  {
    name: 'a socket in the file system',
    script: python('s = socket.socket(socket.AF_UNIX)\ns.connect(E["SOCKET"])\ns.send(TOKEN.encode())'),
    held: /refused EAFNOSUPPORT/,
    ...withPython,
  },
  {
    name: 'a socket in the common temp, where sockets are allowed',
    script: python('s = socket.socket(socket.AF_UNIX)\ns.connect(E["TEMP_SOCKET"])\ns.send(TOKEN.encode())'),
    held: /refused ENOENT/,
    policy: { unixSockets: true },
    ...withPython,
  },
  {
    name: 'a socket without a place',
    script: python('s = socket.socket(socket.AF_UNIX)\ns.connect("\\0" + E["ABSTRACT"])\ns.send(TOKEN.encode())'),
    held: /refused EAFNOSUPPORT/,
    ...withPython,
  },
  {
    name: 'a socket without a place, where sockets are allowed',
    script: python('s = socket.socket(socket.AF_UNIX)\ns.connect("\\0" + E["ABSTRACT"])\ns.send(TOKEN.encode())'),
    held: /refused ECONNREFUSED/,
    policy: { unixSockets: true },
    ...withPython,
  },
  {
    name: 'every other family',
    script: python(
      `made = []
for family in range(1, 46):
  if family in (2, 10, 16): continue
  for kind in (1, 2, 3, 5):
    try:
      socket.socket(family, kind).close()
      made.append(family)
    except OSError: pass
if made: reached()
print("made", sorted(set(made)))`,
    ),
    held: /^made \[\]/m,
    ...withPython,
  },
  {
    name: 'raw packets',
    script: python('socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)\nreached()'),
    held: /refused EPERM/,
    ...withPython,
  },
  {
    name: 'raw packets over IPv6',
    script: python('socket.socket(socket.AF_INET6, socket.SOCK_RAW, 58)\nreached()'),
    held: /refused EPERM/,
    ...withPython,
  },
  {
    name: 'frames of the wire',
    script: python('socket.socket(17, socket.SOCK_RAW, 0x300)\nreached()'),
    held: /refused (EAFNOSUPPORT|EPERM)/,
    ...withPython,
  },
  {
    name: 'the interfaces of the machine',
    script: python(
      `names = [name for index, name in socket.if_nameindex() if name != "lo"]
if names: reached()
print("names", names)`,
    ),
    held: /^names \[\]/m,
    ...withPython,
  },
  {
    name: 'a network of its own',
    script: 'unshare -Urn ip link set lo up && echo REACHED',
    held: /unshare/,
    needs: ['ip', 'unshare'],
  },
  ...throughProxy([
    { name: 'TCP past the proxy', script: 'echo "$TOKEN" >/dev/tcp/127.0.0.1/$TCP', held: /Connection refused/ },
    {
      name: 'UDP past the proxy',
      script: python(
        's = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.connect(("127.0.0.1", int(E["UDP"])))\ns.send(TOKEN.encode())\ntime.sleep(0.05)\ns.send(b"again")',
      ),
      held: /refused (ECONNREFUSED|ENETUNREACH)/,
      ...withPython,
    },
    {
      name: 'a socket without a place past the proxy, where sockets are allowed',
      script: python('s = socket.socket(socket.AF_UNIX)\ns.connect("\\0" + E["ABSTRACT"])\ns.send(TOKEN.encode())'),
      held: /refused ECONNREFUSED/,
      policy: { unixSockets: true },
      ...withPython,
    },
    {
      name: 'a host on no list',
      script: 'curl -sS -m 5 --noproxy "" "http://127.0.0.1:$TCP/$TOKEN"',
      held: /on no list/,
      needs: ['curl'],
    },
    {
      name: 'a host on no list, in other words for it',
      script:
        'for host in localhost 127.1 2130706433 0x7f000001 "[::ffff:127.0.0.1]" LOCALHOST. ; do curl -sS -m 5 --noproxy "" "http://$host:$TCP/$TOKEN"; done',
      held: /on no list/,
      needs: ['curl'],
    },
    {
      name: 'a tunnel to a host on no list',
      script: `curl -sS -m 5 --noproxy "" -p "http://127.0.0.1:$TCP/$TOKEN"`,
      held: /403/,
      needs: ['curl'],
    },
    {
      name: 'a tunnel by SOCKS to a host on no list',
      script: `curl -sS -m 5 --noproxy "" \${ALL_PROXY:+-x "$ALL_PROXY"} "http://127.0.0.1:$TCP/$TOKEN"`,
      held: /SOCKS|on no list|403/i,
      needs: ['curl'],
    },
    {
      name: 'the proxy without a pass',
      script: python(
        `proxy = (E.get("HTTP_PROXY") or E.get("http_proxy") or "").rpartition("@")[2].rstrip("/")
if not proxy: s = socket.create_connection(("127.0.0.1", int(E["TCP"])), 2)
else:
  s = socket.create_connection(tuple(proxy.rsplit(":", 1)), 2)
  s.send(("CONNECT 127.0.0.1:%s HTTP/1.1\\r\\n\\r\\n" % E["TCP"]).encode())
  print(s.recv(100))
s.send(TOKEN.encode())
print(s.recv(100))`,
      ),
      held: /407/,
      ...withPython,
    },
    {
      name: 'raw packets in the network of the proxy',
      script: python('socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)\nreached()'),
      held: /refused EPERM/,
      ...withPython,
    },
    {
      name: 'the network of the proxy itself',
      // On the machine it changes nothing: there it is up.
      script: 'ip link set lo up && echo REACHED',
      held: /not permitted/i,
      needs: ['ip'],
    },
    {
      name: 'the process that holds the network of the proxy',
      script:
        'ls /proc | grep -c "^[0-9]" | { read count; if test "$count" -gt 12; then echo REACHED; fi; echo sees "$count"; }',
      held: /^sees ([1-9]|1[0-2])$/m,
    },
  ]),
  {
    name: 'descriptors that were left open',
    script: python(
      `written = []
for fd in range(3, 256):
  try:
    os.write(fd, (TOKEN + "\\n").encode())
    written.append(fd)
  except OSError: pass
print("written", written)`,
    ),
    held: /^written \[\]/m,
    ...withPython,
  },
]);

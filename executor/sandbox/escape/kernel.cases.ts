import { attemptsOf } from './attempt';
import { python } from './python';

const withPython = { needs: ['python3'] };
const refused = /refused (EPERM|ENOSYS|EACCES)/;

export const kernel = attemptsOf('kernel and privileges', [
  { name: 'a user namespace', script: 'unshare -Ur sh -c "echo REACHED"', held: /unshare/, needs: ['unshare'] },
  {
    name: 'a user namespace by clone',
    script: python('pid = call(pick(56, 220), 0x10000000 | 17, 0, 0, 0, 0)\nif pid == 0: os._exit(0)\nreached()'),
    held: refused,
    ...withPython,
  },
  {
    name: 'a user namespace by clone3',
    script: python(
      'pid = call(435, struct.pack("11Q", 0x10000000, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0), 88)\nif pid == 0: os._exit(0)\nreached()',
    ),
    held: refused,
    ...withPython,
  },
  {
    name: 'the older calls that mount',
    script: python(
      'os.mkdir("m")\ncall(pick(165, 40), b"none", b"m", b"tmpfs", 0, None)\nreached()\ncall(pick(166, 39), b"m", 2)',
    ),
    held: refused,
    ...withPython,
  },
  {
    name: 'the newer calls that mount',
    script: python('call(430, b"tmpfs", 0)\nreached()'),
    held: refused,
    ...withPython,
  },
  {
    name: 'a copy of a mount',
    script: python('call(428, -100, OUT.encode(), 1)\nreached()'),
    held: refused,
    ...withPython,
  },
  { name: 'another root', script: python('os.chroot(".")\nreached()'), held: refused, ...withPython },
  {
    name: 'programs in the kernel',
    script: python('call(pick(321, 280), 0, struct.pack("IIII", 2, 4, 4, 1) + bytes(56), 72)\nreached()'),
    held: refused,
    ...withPython,
  },
  {
    name: 'counters of the processor',
    script: python('call(pick(298, 241), struct.pack("IIQ", 1, 112, 0) + bytes(96), 0, -1, -1, 0)\nreached()'),
    held: refused,
    ...withPython,
  },
  { name: 'page faults', script: python('call(pick(323, 282), 1)\nreached()'), held: refused, ...withPython },
  {
    name: 'rings of calls',
    script: python('call(425, 1, ctypes.create_string_buffer(120))\nreached()'),
    held: refused,
    ...withPython,
  },
  {
    name: 'the ring of keys',
    script: python('call(pick(248, 217), b"user", TOKEN.encode(), b"x", 1, -3)\nreached()'),
    held: refused,
    ...withPython,
  },
  {
    name: 'keys of the session',
    script: python('call(pick(250, 219), 0, -3, 0)\nreached()'),
    held: refused,
    ...withPython,
  },
  {
    name: 'the calls of an older processor',
    script: python(
      `import mmap
code = bytes.fromhex("b814000000cd80c3")
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(code)
if arm: raise OSError(errno.ENOSYS, "")
child = os.fork()
if child == 0:
  ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
  os._exit(0)
status = os.wait()[1]
if status == 0: reached()
print("ended", status)`,
    ),
    held: /ended (31|159)\b/,
    ...withPython,
  },
  {
    name: 'the log of the kernel',
    script: python('call(pick(103, 116), 10, None, 0)\nreached()'),
    held: refused,
    ...withPython,
  },
  {
    name: 'word of every file that is opened',
    script: python('call(pick(300, 262), 0, 0)\nreached()'),
    held: refused,
    ...withPython,
  },
  {
    name: 'rights by a setuid program',
    script: 'grep -q "^NoNewPrivs:.*0$" /proc/self/status && echo REACHED; grep NoNewPrivs /proc/self/status',
    held: /NoNewPrivs:\s+1/,
  },
  {
    name: 'capabilities',
    script:
      'grep -E "^Cap(Eff|Prm|Bnd|Amb|Inh)" /proc/self/status | grep -qv ":.0*$" && echo REACHED; grep CapBnd /proc/self/status',
    held: /CapBnd:\s+0+$/m,
  },
  {
    name: 'a setuid program for later',
    script: 'cp /bin/cat own && chmod 4755 own',
    held: /not permitted/i,
  },
  {
    name: 'a setuid program by its descriptor',
    script: python('os.fchmod(os.open("own", os.O_WRONLY | os.O_CREAT), 0o4755)'),
    held: refused,
    ...withPython,
  },
  {
    name: 'a setuid program from its first moment',
    script: python('os.umask(0)\nos.open("own", os.O_WRONLY | os.O_CREAT, 0o6755)'),
    held: refused,
    ...withPython,
  },
  {
    name: 'a setuid program without a name at first',
    script: python(
      'os.umask(0)\nfd = os.open(".", os.O_TMPFILE | os.O_RDWR, 0o4755)\ncall(pick(265, 37), -100, b"/proc/self/fd/%d" % fd, -100, b"own", 0x400)',
    ),
    held: refused,
    ...withPython,
  },
  {
    name: 'a device of its own',
    script: python(
      'import stat\nos.mknod("disk", 0o600 | stat.S_IFBLK, os.stat(OUT).st_dev)\nos.read(os.open("disk", os.O_RDONLY), 16)\nreached()',
    ),
    held: refused,
    ...withPython,
  },
  {
    name: 'a higher priority',
    script: python('os.setpriority(os.PRIO_PROCESS, 0, -5)\nreached()'),
    held: refused,
    ...withPython,
  },
  {
    name: 'a higher limit',
    script: python(
      'import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024))\nresource.setrlimit(resource.RLIMIT_NOFILE, (1024, 2048))\nreached()',
    ),
    held: /refused EPERM|not allowed to raise/,
    ...withPython,
  },
  {
    name: 'another user',
    script: python('os.setgroups([])\nos.setuid(12345)\nreached()'),
    held: refused,
    ...withPython,
  },
]);

export const devices = attemptsOf('terminal and devices', [
  {
    name: 'type into a terminal',
    script: python(
      `import fcntl, pty, termios
master, slave = pty.openpty()
if os.fork() == 0:
  os.setsid()
  try:
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    fcntl.ioctl(slave, termios.TIOCSTI, b"x")
    reached()
  except OSError as error: print("refused", errno.errorcode[error.errno], flush=True)
  os._exit(0)
os.wait()`,
    ),
    held: /refused EPERM/,
    ...withPython,
  },
  {
    name: 'type into a terminal, in a request with a high half',
    script: python(
      `import fcntl, pty, termios
master, slave = pty.openpty()
if os.fork() == 0:
  os.setsid()
  try:
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    call(pick(16, 29), slave, termios.TIOCSTI | (1 << 40), b"x")
    reached()
  except OSError as error: print("refused", errno.errorcode[error.errno], flush=True)
  os._exit(0)
os.wait()`,
    ),
    held: /refused EPERM/,
    ...withPython,
  },
  {
    name: 'have the kernel load a driver for a terminal',
    script: python(
      `import fcntl, pty
master, slave = pty.openpty()
fcntl.ioctl(slave, 0x5423, struct.pack("i", 27))
reached()`,
    ),
    held: refused,
    ...withPython,
  },
  {
    name: 'write to the terminal of another',
    script: 'echo "$TOKEN" >"$TERMINAL"',
    held: /No such file|Permission denied/,
    ...withPython,
  },
  {
    name: 'read the devices of the machine',
    script: python(
      `usual = set("null zero full random urandom tty ptmx pts shm fd stdin stdout stderr core console mqueue".split())
found = [name for name in os.listdir("/dev") if name not in usual and os.access("/dev/" + name, os.R_OK)]
if found: reached()
print("found", found[:5])`,
    ),
    held: /^found \[\]/m,
    ...withPython,
  },
]);

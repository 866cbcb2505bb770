import { attemptsOf } from './attempt';
import { python } from './python';

const none = /No such file|Permission denied|empty/;
const withPython = { needs: ['python3'] };
const withVictim = { victim: true as const, ...withPython };

export const secrets = attemptsOf('secrets', [
  { name: 'read a hidden file', script: 'cat .env; test -s .env || echo empty', held: none },
  { name: 'read in a hidden folder', script: 'cat secrets/key', held: none },
  { name: 'read a key of the home', script: 'cat ~/.ssh/id_key', held: none },
  { name: 'read by a link of its own', script: 'ln -s secrets/key own; cat own', held: none },
  { name: 'read by a hard link', script: 'ln .env own; cat own', held: /cross-device|No such file/ },
  { name: 'read by /proc/self/root', script: 'cat "/proc/self/root$PWD/secrets/key"', held: none },
  { name: 'read by /proc/self/cwd', script: 'cat /proc/self/cwd/secrets/key', held: none },
  { name: 'search the whole world', script: 'grep -rs secret- "$PLACE"; echo searched', held: /^searched\s*$/ },
  {
    name: 'pack a hidden folder',
    script: 'tar -cf - secrets .env | strings -n 8 | grep secret-; ls -A secrets | wc -l',
    held: /^0\s*$/,
    needs: ['tar', 'strings'],
  },
  { name: 'rename a hidden folder', script: 'mv secrets seen; cat seen/key', held: /busy/ },
  {
    name: 'rename the folder above a hidden one',
    script: 'mv deep seen; cat seen/secrets/key',
    held: /busy|No such file/,
  },
  { name: 'read a hidden place by the path that it is a link to', script: 'cat store/key', held: none },
  {
    name: 'take off what covers it',
    script: 'umount -l "$PWD/secrets"; cat secrets/key',
    held: /umount.*No such file/s,
    needs: ['umount'],
  },
  {
    name: 'take off what covers it, in a namespace of its own',
    script: `unshare -Urm sh -c 'umount -l "$PWD/secrets"; cat secrets/key'`,
    held: /unshare/,
    needs: ['unshare'],
  },
  {
    name: 'read beside what may be read of a hidden folder',
    script: 'cat vault/open/text; cat vault/key',
    held: /public.*No such file/s,
  },
  {
    name: 'read the variables of a process outside',
    script: 'tr "\\0" "\\n" <"/proc/$VICTIM/environ"',
    held: none,
    ...withVictim,
  },
  {
    name: 'read the arguments of a process outside',
    script:
      'tr "\\0" " " <"/proc/$VICTIM/cmdline"; cat /proc/[0-9]*/cmdline | tr "\\0" "\\n" | grep -a ^secret-; echo looked',
    held: /No such file.*looked/s,
    ...withVictim,
  },
  { name: 'read what a process outside has open', script: 'cat "/proc/$VICTIM/fd/7"', held: none, ...withVictim },
  {
    name: 'read the memory of a process outside',
    script: python(
      `pid = E["VICTIM"]
for line in open("/proc/%s/maps" % pid):
  if "[heap]" in line:
    low, high = [int(x, 16) for x in line.split()[0].split("-")]
    with open("/proc/%s/mem" % pid, "rb") as memory:
      memory.seek(low)
      text = memory.read(high - low)
      at = text.find(b"secret-")
      print(text[at:at + 60])
      reached()`,
    ),
    held: /refused ENOENT/,
    ...withVictim,
  },
  {
    name: 'have the kernel copy the memory of a process outside',
    script: python(
      `class Piece(ctypes.Structure):
  _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]
room = ctypes.create_string_buffer(64)
pid = int(E["VICTIM"])
there = 0
try: there = int([l for l in open("/proc/%d/maps" % pid) if "[heap]" in l][0].split("-")[0], 16)
except OSError: print("not seen")
mine, theirs = Piece(ctypes.addressof(room), 64), Piece(there, 64)
call(pick(310, 270), pid, ctypes.byref(mine), 1, ctypes.byref(theirs), 1, 0)
reached()`,
    ),
    held: /not seen.*refused EPERM/s,
    ...withVictim,
  },
  {
    name: 'take a descriptor of a process outside',
    script: python(
      `taken = call(438, call(434, int(E["VICTIM"]), 0), 7, 0)
print(os.pread(taken, 100, 0))`,
    ),
    held: /refused (ESRCH|EPERM)/,
    ...withVictim,
  },
  {
    name: 'have a program outside hand over an open file',
    script: python(
      `s = socket.socket(socket.AF_UNIX)
s.connect(E["SOCKET"])
s.send(("open " + PLACE + "/work/.env").encode())
data, fds, flags, who = socket.recv_fds(s, 10, 1)
print(os.read(fds[0], 100))`,
    ),
    held: /refused EAFNOSUPPORT/,
    ...withPython,
  },
  {
    name: 'read memory that a program outside shares',
    script: python(
      `libc.shmat.restype = ctypes.c_void_p
at = libc.shmat(int(E["SHARED"]), None, 0o10000)
if at == ctypes.c_void_p(-1).value: raise OSError(ctypes.get_errno(), "")
print(ctypes.string_at(at, 40))
reached()`,
    ),
    held: /refused (EINVAL|EIDRM|ENOSYS)/,
    ...withPython,
  },
]);

// Calls into the kernel that no program of the shell makes, by way of Python, which building Gatehouse needs anyway.

const prelude = `
import ctypes, errno, os, socket, struct, sys, time
libc = ctypes.CDLL(None, use_errno=True)
E = os.environ
PLACE, OUT, TOKEN = E["PLACE"], E["OUT"], E["TOKEN"]
arm = os.uname().machine == "aarch64"
def pick(x64, arm64):
  return arm64 if arm else x64
def call(number, *args):
  wide = [ctypes.c_long(a) if isinstance(a, int) else a for a in args]
  libc.syscall.restype = ctypes.c_long
  answer = libc.syscall(ctypes.c_long(number), *wide)
  if answer < 0:
    code = ctypes.get_errno()
    raise OSError(code, os.strerror(code))
  return answer
def reached():
  print("REACHED", flush=True)
try:
`;
const end = `
except OSError as error:
  print("refused", errno.errorcode.get(error.errno, error.errno), flush=True)
`;

/** A command that runs this Python; an OSError is printed as `refused ENAME`, `reached()` prints the word. */
export function python(body: string): string {
  const lines = body.trim().replaceAll(/^/gm, '  ');
  return `python3 -I -S -c '${`${prelude}${lines}${end}`.replaceAll("'", `'\\''`)}'`;
}

import { expect, it } from 'vitest';
import { seccompFilter } from './seccomp';

const audits = { x64: 0xc000003e, arm64: 0xc00000b7 };
const allow = 0x7fff0000;
const notPermitted = 0x00050001;
const familyNotSupported = 0x00050061;
const notImplemented = 0x00050026;

/** What the kernel would answer: the filter, run as the kernel runs it. */
function verdictOf(
  filter: Buffer,
  call: { readonly audit: number; readonly number: number; readonly args: readonly number[] },
): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.number, 0);
  data.writeUInt32LE(call.audit, 4);
  call.args.forEach((value, index) => {
    data.writeUInt32LE(value >>> 0, 16 + 8 * index);
    data.writeUInt32LE(Math.floor(value / 2 ** 32), 20 + 8 * index);
  });
  let accumulator = 0;
  for (let at = 0; at < filter.length / 8; at += 1) {
    const value = filter.readUInt32LE(at * 8 + 4);
    const jump = (taken: boolean): void => {
      at += filter.readUInt8(at * 8 + (taken ? 2 : 3));
    };
    switch (filter.readUInt16LE(at * 8)) {
      case 0x20:
        accumulator = data.readUInt32LE(value);
        break;
      case 0x15:
        jump(accumulator === value);
        break;
      case 0x35:
        jump(accumulator >= value);
        break;
      case 0x45:
        jump((accumulator & value) !== 0);
        break;
      case 0x06:
        return value;
      default:
        throw new Error('not an instruction of ours');
    }
  }
  throw new Error('ran off the end');
}

function decided(arch: 'x64' | 'arm64', unixSockets = false) {
  const filter = seccompFilter({ arch, unixSockets });
  if (filter === null) throw new Error('no filter');
  return (number: number, ...args: number[]) => verdictOf(filter, { audit: audits[arch], number, args });
}

it.each([
  ['read', 0, [], allow],
  ['openat', 257, [], allow],
  ['execve', 59, [], allow],
  ['ptrace', 101, [], notPermitted],
  ['mount', 165, [], notPermitted],
  ['bpf', 321, [], notPermitted],
  ['keyctl', 250, [], notPermitted],
  ['process_vm_writev', 311, [], notPermitted],
  ['io_uring_setup', 425, [], notImplemented],
  ['clone3', 435, [], notImplemented],
  ['clone of a thread', 56, [0x3d0f00], allow],
  ['fork', 56, [0x1200011], allow],
  ['clone into a user namespace', 56, [0x10000011], notPermitted],
  ['clone into a mount namespace', 56, [0x00020011], notPermitted],
  ['an internet socket', 41, [2, 1], allow],
  ['an IPv6 socket', 41, [10, 1], allow],
  ['a netlink socket', 41, [16, 3], allow],
  ['a unix socket', 41, [1, 1], familyNotSupported],
  ['a packet socket', 41, [17, 3], familyNotSupported],
  ['a vsock', 41, [40, 1], familyNotSupported],
  ['AF_ALG', 41, [38, 5], familyNotSupported],
  ['a pair of sockets', 53, [1, 1], allow],
  ['the size of a terminal', 16, [0, 0x5413], allow],
  ['TIOCSTI', 16, [0, 0x5412], notPermitted],
  ['a little shared memory', 29, [0, 1_048_576], allow],
  ['much shared memory', 29, [0, 1_048_577], 0x00050016],
  ['very much shared memory', 29, [0, 2 ** 32 + 1], 0x00050016],
  ['TIOCLINUX', 16, [0, 0x541c], notPermitted],
  ['TIOCSETD', 16, [0, 0x5423], notPermitted],
  ['syslog', 103, [], notPermitted],
  ['pidfd_getfd', 438, [], notPermitted],
  ['fanotify_init', 300, [], notPermitted],
  ['chmod', 90, [0, 0o1777], allow],
  ['chmod with set-user-id', 90, [0, 0o4755], notPermitted],
  ['fchmod with set-group-id', 91, [3, 0o2755], notPermitted],
  ['fchmodat with set-user-id', 268, [0, 0, 0o4755], notPermitted],
  ['fchmodat2 with set-user-id', 452, [0, 0, 0o4755], notPermitted],
  ['openat that makes a file', 257, [0, 0, 0o102, 0o644], allow],
  ['openat that makes a file with set-user-id', 257, [0, 0, 0o102, 0o4755], notPermitted],
  ['openat that makes a nameless file with set-user-id', 257, [0, 0, 0o20200002, 0o4755], notPermitted],
  ['openat that makes none, whatever lies in place of the mode', 257, [0, 0, 0o200000, 0xffff], allow],
  ['open that makes a file with set-user-id', 2, [0, 0o101, 0o4755], notPermitted],
  ['openat2', 437, [], notImplemented],
  ['creat with set-user-id', 85, [0, 0o4755], notPermitted],
  ['mknod with set-user-id', 133, [0, 0o104755], notPermitted],
  ['mknodat of a pipe', 259, [0, 0, 0o10644], allow],
  ['a call of the x32 convention', 0x40000000 + 101, [], notPermitted],
] as const)('x64: %s', (_, number, args, verdict) => {
  expect(decided('x64')(number, ...args)).toBe(verdict);
});

it.each([
  ['read', 63, [], allow],
  ['ptrace', 117, [], notPermitted],
  ['mount', 40, [], notPermitted],
  ['a unix socket', 198, [1, 1], familyNotSupported],
  ['an internet socket', 198, [2, 1], allow],
  ['clone into a user namespace', 220, [0x10000011], notPermitted],
  ['TIOCSTI', 29, [0, 0x5412], notPermitted],
  ['fchmodat', 53, [0, 0, 0o755], allow],
  ['fchmodat with set-user-id', 53, [0, 0, 0o4755], notPermitted],
  ['openat that makes a file with set-group-id', 56, [0, 0, 0o100, 0o2755], notPermitted],
] as const)('arm64: %s', (_, number, args, verdict) => {
  expect(decided('arm64')(number, ...args)).toBe(verdict);
});

it('opens sockets in the file system where that is wanted, and no other family', () => {
  const open = decided('x64', true);
  expect([open(41, 1, 1), open(41, 2, 1), open(41, 17, 3)]).toEqual([allow, allow, familyNotSupported]);
});

it('kills a call that was made as another processor’s', () => {
  const filter = seccompFilter({ arch: 'x64', unixSockets: false }) ?? Buffer.alloc(0);
  expect(verdictOf(filter, { audit: 0x40000003, number: 26, args: [] })).toBe(0x80000000);
});

it.each(['ia32', 'riscv64', 'constructor'])('knows no numbers for %s', (arch) => {
  expect(seccompFilter({ arch, unixSockets: false })).toBeNull();
});

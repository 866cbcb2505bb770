// System calls that no sandboxed program needs and that reach past namespaces and mounts, as a filter for the kernel: classic
// BPF over `struct seccomp_data`. Numbers are those of the kernel's tables for each processor.
// https://www.kernel.org/doc/html/latest/userspace-api/seccomp_filter.html

const load = 0x20; // BPF_LD | BPF_W | BPF_ABS
const jumpEqual = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
const jumpAtLeast = 0x35; // BPF_JMP | BPF_JGE | BPF_K
const jumpAnyBit = 0x45; // BPF_JMP | BPF_JSET | BPF_K
const give = 0x06; // BPF_RET | BPF_K

const allow = 0x7fff0000;
const killProcess = 0x80000000;
const errno = (number: number): number => 0x00050000 | number;
const notPermitted = errno(1);
const familyNotSupported = errno(97);
const invalid = errno(22);
/** So that programs fall back to older calls, as libraries do where a kernel does not know a call. */
const notImplemented = errno(38);

/** Places in `struct seccomp_data`; arguments are 64 bits wide, their low halves come first. */
const callNumber = 0;
const processor = 4;
const argument = (index: number): number => 16 + 8 * index;

interface Processor {
  /** AUDIT_ARCH_…: what the kernel says that a call was made as. */
  readonly audit: number;
  readonly calls: Readonly<Record<string, number>>;
  /** Numbers from here on belong to another calling convention (x32). */
  readonly end: number | null;
}

/** Calls that are the same everywhere since they were added to all tables at once. */
const shared = {
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  mount_setattr: 442,
  openat2: 437,
  pidfd_getfd: 438,
  quotactl_fd: 443,
  fchmodat2: 452,
};

const processors: Readonly<Record<string, Processor>> = {
  x64: {
    audit: 0xc000003e,
    end: 0x40000000,
    calls: {
      ...shared,
      open: 2,
      ioctl: 16,
      shmget: 29,
      creat: 85,
      chmod: 90,
      fchmod: 91,
      mknod: 133,
      openat: 257,
      mknodat: 259,
      fchmodat: 268,
      socket: 41,
      clone: 56,
      ptrace: 101,
      syslog: 103,
      pivot_root: 155,
      acct: 163,
      settimeofday: 164,
      mount: 165,
      umount2: 166,
      swapon: 167,
      swapoff: 168,
      reboot: 169,
      iopl: 172,
      ioperm: 173,
      init_module: 175,
      delete_module: 176,
      quotactl: 179,
      clock_settime: 227,
      kexec_load: 246,
      add_key: 248,
      request_key: 249,
      keyctl: 250,
      unshare: 272,
      perf_event_open: 298,
      fanotify_init: 300,
      open_by_handle_at: 304,
      setns: 308,
      process_vm_readv: 310,
      process_vm_writev: 311,
      finit_module: 313,
      kexec_file_load: 320,
      bpf: 321,
      userfaultfd: 323,
      clone3: 435,
    },
  },
  arm64: {
    audit: 0xc00000b7,
    end: null,
    calls: {
      ...shared,
      ioctl: 29,
      mknodat: 33,
      fchmod: 52,
      fchmodat: 53,
      openat: 56,
      umount2: 39,
      mount: 40,
      pivot_root: 41,
      quotactl: 60,
      acct: 89,
      unshare: 97,
      kexec_load: 104,
      init_module: 105,
      delete_module: 106,
      clock_settime: 112,
      syslog: 116,
      ptrace: 117,
      reboot: 142,
      settimeofday: 170,
      shmget: 194,
      socket: 198,
      add_key: 217,
      request_key: 218,
      keyctl: 219,
      clone: 220,
      swapon: 224,
      swapoff: 225,
      perf_event_open: 241,
      fanotify_init: 262,
      open_by_handle_at: 265,
      setns: 268,
      process_vm_readv: 270,
      process_vm_writev: 271,
      finit_module: 273,
      bpf: 280,
      userfaultfd: 282,
      kexec_file_load: 294,
      clone3: 435,
    },
  },
};

/** Calls that give a file its mode: which argument that is, and for those that may make one, which tells. */
const modes: Readonly<Record<string, { readonly mode: number; readonly flags?: number }>> = {
  open: { mode: 2, flags: 1 },
  openat: { mode: 3, flags: 2 },
  creat: { mode: 1 },
  mknod: { mode: 1 },
  mknodat: { mode: 2 },
  chmod: { mode: 1 },
  fchmod: { mode: 1 },
  fchmodat: { mode: 2 },
  fchmodat2: { mode: 2 },
};
/** Set-user-id and set-group-id: such a program would give its owner's rights to everybody, also after the sandbox. */
const privilegedModes = 0o6000;
/** O_CREAT and O_TMPFILE: only with them the mode is looked at, else it is whatever lay there. */
const makesFile = 0o20000100;

/** What they are asked for lies in memory, where a filter cannot look; libraries go on to older calls. */
const unreadable = ['clone3', 'io_uring_setup', 'io_uring_enter', 'io_uring_register', 'openat2'];
/** Looked at by their arguments instead. */
const judged = new Set(['ioctl', 'shmget', 'socket', 'clone', ...unreadable, ...Object.keys(modes)]);

/** Internet, IPv6, and the kernel's own answers about interfaces. */
const families = [2, 10, 16];
/** Sockets in the file system reach programs outside, whatever is mounted read-only. */
const unixFamily = 1;
/** TIOCSTI and TIOCLINUX type into a terminal as if the person did; TIOCSETD has the kernel load drivers for old devices. */
const terminalOrders = [0x5412, 0x541c, 0x5423];
/** CLONE_NEWUSER, NEWNS, NEWPID, NEWNET, NEWIPC, NEWUTS, NEWCGROUP. */
const newNamespaces = 0x7e020000;

/**
 * Memory that is shared by number belongs to no process and to no file, so nothing else limits it: enough for what programs
 * tell each other by it, too little to fill the machine.
 */
const largestShared = 1_048_576;

type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, value: number];

/**
 * The filter as bubblewrap's `--seccomp` takes it; null for a processor whose numbers are not known here. `unixSockets`:
 * programs may open sockets in the file system.
 */
export function seccompFilter(options: { readonly arch: string; readonly unixSockets: boolean }): Buffer | null {
  const known = Object.hasOwn(processors, options.arch) ? processors[options.arch] : undefined;
  if (known === undefined) return null;
  const { audit, calls, end } = known;
  const number = (name: string): number => {
    const found = calls[name];
    if (found === undefined) throw new Error(`no number for ${name}`);
    return found;
  };
  const allowed = options.unixSockets ? [unixFamily, ...families] : families;
  const whenCall = (name: string, body: readonly Instruction[]): Instruction[] => [
    [jumpEqual, 0, body.length, number(name)],
    ...body,
  ];
  const refuse = (name: string, how: number): Instruction[] => whenCall(name, [[give, 0, 0, how]]);
  const program: Instruction[] = [
    [load, 0, 0, processor],
    [jumpEqual, 1, 0, audit],
    [give, 0, 0, killProcess],
    [load, 0, 0, callNumber],
    ...(end === null
      ? []
      : ([
          [jumpAtLeast, 0, 1, end],
          [give, 0, 0, notPermitted],
        ] as const)),
    ...Object.keys(calls)
      .filter((name) => !judged.has(name))
      .flatMap((name) => refuse(name, notPermitted)),
    ...unreadable.flatMap((name) => refuse(name, notImplemented)),
    ...Object.entries(modes)
      .filter(([name]) => Object.hasOwn(calls, name))
      .flatMap(([name, { mode, flags }]) =>
        whenCall(name, [
          ...(flags === undefined
            ? []
            : ([
                [load, 0, 0, argument(flags)],
                [jumpAnyBit, 1, 0, makesFile],
                [give, 0, 0, allow],
              ] as const)),
          [load, 0, 0, argument(mode)],
          [jumpAnyBit, 0, 1, privilegedModes],
          [give, 0, 0, notPermitted],
          [give, 0, 0, allow],
        ]),
      ),
    ...whenCall('clone', [
      [load, 0, 0, argument(0)],
      [jumpAnyBit, 0, 1, newNamespaces],
      [give, 0, 0, notPermitted],
      [give, 0, 0, allow],
    ]),
    ...whenCall('ioctl', [
      [load, 0, 0, argument(1)],
      ...terminalOrders.flatMap((request): Instruction[] => [
        [jumpEqual, 0, 1, request],
        [give, 0, 0, notPermitted],
      ]),
      [give, 0, 0, allow],
    ]),
    ...whenCall('shmget', [
      [load, 0, 0, argument(1)],
      [jumpAtLeast, 3, 0, largestShared + 1],
      [load, 0, 0, argument(1) + 4],
      [jumpEqual, 0, 1, 0],
      [give, 0, 0, allow],
      [give, 0, 0, invalid],
    ]),
    ...whenCall('socket', [
      [load, 0, 0, argument(0)],
      ...allowed.flatMap((family): Instruction[] => [
        [jumpEqual, 0, 1, family],
        [give, 0, 0, allow],
      ]),
      [give, 0, 0, familyNotSupported],
    ]),
    [give, 0, 0, allow],
  ];
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, [code, whenTrue, whenFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(whenTrue, at * 8 + 2);
    bytes.writeUInt8(whenFalse, at * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, at * 8 + 4);
  }
  return bytes;
}

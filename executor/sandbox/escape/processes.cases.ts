import { attemptsOf } from './attempt';
import { python } from './python';

const unseen = /No such process|refused ESRCH|No such file|refused ENOENT/;
const withVictim = { victim: true as const, needs: ['python3'] };

export const processes = attemptsOf('other processes', [
  { name: 'end a process outside', script: 'kill -KILL "$VICTIM"', held: unseen, victim: true },
  { name: 'stop a process outside', script: 'kill -STOP "$VICTIM"', held: unseen, victim: true },
  {
    name: 'signal a process outside by a descriptor of it',
    script: python('call(424, call(434, int(E["VICTIM"]), 0), 9, None, 0)'),
    held: unseen,
    ...withVictim,
  },
  {
    name: 'have the kernel signal a process outside',
    script: python(
      `import fcntl
mine, other = socket.socketpair()
fcntl.fcntl(mine, 10, 9)
fcntl.fcntl(mine, fcntl.F_SETOWN, int(E["VICTIM"]))
fcntl.fcntl(mine, fcntl.F_SETFL, fcntl.fcntl(mine, fcntl.F_GETFL) | os.O_ASYNC)
other.send(b"x")
time.sleep(0.1)`,
    ),
    held: /refused (ESRCH|EPERM|EAFNOSUPPORT)/,
    ...withVictim,
  },
  {
    name: 'trace a process outside',
    script: python('call(pick(101, 117), 0x4206, int(E["VICTIM"]), None, None)\nreached()'),
    held: /refused EPERM/,
    ...withVictim,
  },
  {
    name: 'write into the memory of a process outside',
    script: python('os.open("/proc/%s/mem" % E["VICTIM"], os.O_RDWR)\nreached()'),
    held: unseen,
    ...withVictim,
  },
  {
    name: 'limit a process outside',
    script: python('call(pick(302, 261), int(E["VICTIM"]), 0, struct.pack("QQ", 1 << 40, 1 << 41), None)\nreached()'),
    held: unseen,
    ...withVictim,
  },
  {
    name: 'slow a process outside down',
    script: python('os.setpriority(os.PRIO_PROCESS, int(E["VICTIM"]), 19)\nreached()'),
    held: unseen,
    ...withVictim,
  },
  {
    name: 'choose a process outside to end when memory runs out',
    script: 'echo 1000 >"/proc/$VICTIM/oom_score_adj" && echo REACHED',
    held: unseen,
    victim: true,
  },
  {
    name: 'write to what a process outside reads',
    script: 'echo "$TOKEN" >"/proc/$VICTIM/fd/8"',
    held: unseen,
    victim: true,
  },
  {
    name: 'list the processes outside',
    script: 'if test -d "/proc/$VICTIM"; then echo REACHED; fi; echo looked',
    held: /^looked\s*$/,
    victim: true,
  },
  {
    name: 'enter the namespaces of a process outside',
    script: python(
      `fd = os.open("/proc/%s/ns/net" % E["VICTIM"], os.O_RDONLY)
call(pick(308, 268), fd, 0)
reached()`,
    ),
    held: unseen,
    ...withVictim,
  },
  {
    name: 'enter namespaces by a descriptor of a process',
    script: python('call(pick(308, 268), call(434, os.getppid(), 0), 0x40000000)\nreached()'),
    held: /refused EPERM/,
    needs: ['python3'],
  },
]);

/** Named so that it is found whatever it does with its variables. */
const sleeper = `bash -c 'exec -a "$0" sleep 60' "$TOKEN"`;
const quiet = '</dev/null >/dev/null 2>&1';

export const survivors = attemptsOf('outliving the call', [
  { name: 'stay in the background', script: `${sleeper} ${quiet} & echo gone`, held: /gone/ },
  {
    name: 'stay in a session of its own',
    script: `setsid ${sleeper} ${quiet} & sleep 0.1; echo gone`,
    held: /gone/,
    needs: ['setsid'],
  },
  { name: 'stay deaf to a hang-up', script: `nohup ${sleeper} ${quiet} & disown; echo gone`, held: /gone/ },
  {
    name: 'stay without its variables',
    script: `env -i setsid bash -c 'exec -a "$0" sleep 60' "$TOKEN" ${quiet} & sleep 0.1; echo gone`,
    held: /gone/,
    needs: ['setsid'],
  },
  {
    name: 'stay deaf to every polite signal',
    script: `(trap "" TERM HUP INT QUIT; ${sleeper} ${quiet}) & echo gone`,
    held: /gone/,
  },
  {
    name: 'stay as a daemon',
    script: python(
      `sys.stdout.write("gone\\n"); sys.stdout.flush()
if os.fork() == 0:
  os.setsid()
  if os.fork() == 0:
    for fd in range(3): os.dup2(os.open("/dev/null", os.O_RDWR), fd)
    os.execve("/bin/sleep", [TOKEN, "60"], {})
  os._exit(0)
os.wait()`,
    ),
    held: /gone/,
    needs: ['python3'],
  },
  {
    name: 'run past its time',
    script: `trap "" TERM HUP INT; exec -a "$TOKEN" bash -c 'trap "" TERM HUP INT; echo deaf; while :; do sleep 0.2; done'`,
    held: /deaf/,
    timeoutMs: 700,
  },
  { name: 'start with the next login', script: 'echo "echo x" >>~/.bashrc', held: /Read-only file system/ },
  { name: 'start with the next shell', script: 'echo "echo x" >~/.zshenv', held: /Read-only file system/ },
  {
    name: 'start as a service of the user',
    script: 'mkdir -p ~/.config/systemd/user && echo x >~/.config/systemd/user/x.service',
    held: /Read-only file system/,
  },
  {
    name: 'start with the desktop',
    script: 'mkdir -p ~/.config/autostart && echo x >~/.config/autostart/x.desktop',
    held: /Read-only file system/,
  },
  {
    name: 'stand in front of a program',
    script: 'mkdir -p ~/.local/bin && echo x >~/.local/bin/git',
    held: /Read-only file system/,
  },
  {
    name: 'get into the table of timed jobs',
    script:
      'for each in /var/spool/cron/crontabs /var/spool/cron /var/spool/at /var/spool/cron/atjobs /etc/cron.d /etc/crontab; do if test -w $each; then echo REACHED $each; fi; done; echo looked',
    held: /^looked\s*$/,
  },
  {
    name: 'let another in with a key',
    script: 'mkdir -p ~/.ssh && echo x >>~/.ssh/authorized_keys',
    held: /Read-only file system|No such file|not permitted/,
  },
  {
    name: 'make a start-up file where the home may be written',
    script: 'echo x >>~/.bashrc; echo x >~/.zshenv',
    held: /Read-only file system|busy|not permitted|Permission denied/,
    policy: { writable: ['home'] },
  },
]);

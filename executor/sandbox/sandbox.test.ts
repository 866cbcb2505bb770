import { execFile, execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { SandboxPolicy } from '#shared/api/executor';
import { startConfined } from '../confinedProcess';
import { buildExecutor, processesWith, startExecutor, type TestExecutor } from '../testing/startExecutor';
import { probeSandbox } from './probe';

const probe = await probeSandbox({ own: { HOME: process.env.HOME, PATH: process.env.PATH } });

describe('probe', () => {
  test.each([
    { platform: 'darwin', searchPath: '/no/such/folder', reason: /sandbox-exec.*not found/ },
    { platform: 'win32', searchPath: '/usr/bin', reason: /no sandbox for this system \(win32\)/ },
    { platform: 'linux', searchPath: '/no/such/folder', reason: /not installed.*apt install bubblewrap/ },
  ] as const)('$platform $searchPath', async ({ platform, searchPath, reason }) => {
    const state = await probeSandbox({ own: {}, platform, searchPath });
    expect(state).toMatchObject({ available: false, kind: 'none' });
    expect(state.reason).toMatch(reason);
  });

  test.each([
    { said: 'bwrap: setting up uid map: Permission denied', code: 1, reason: /user namespaces.*sysctl/ },
    { said: 'bwrap: unknown option --disable-userns', code: 1, reason: /could not start.*unknown option/ },
    { said: '', code: 91, reason: /did not keep a command from writing outside/ },
  ])('a bubblewrap that fails: $said', async ({ said, code, reason }) => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bwrap-'));
    writeFileSync(join(folder, 'bwrap'), `#!/bin/sh\necho '${said}' >&2\nexit ${code}\n`, { mode: 0o755 });
    const state = await probeSandbox({ own: { HOME: folder }, platform: 'linux', searchPath: folder });
    expect(state.reason).toMatch(reason);
    rmSync(folder, { recursive: true });
  });

  test.each([
    {
      name: 'refuses',
      body: 'echo "sandbox-exec: no such thing" >&2; exit 64',
      reason: /could not start.*no such thing/,
    },
    { name: 'does not confine', body: 'shift 2; exec "$@"', reason: /did not keep a command from writing outside/ },
  ])('a sandbox-exec that $name', async ({ body, reason }) => {
    const folder = standIn(body);
    const state = await probeSandbox({ own: { HOME: folder }, platform: 'darwin', searchPath: folder });
    expect(state).toMatchObject({ available: false, kind: 'none' });
    expect(state.reason).toMatch(reason);
    rmSync(folder, { recursive: true });
  });

  test.skipIf(!probe.available)(
    'a sandbox-exec that confines gets the profile, a clean environment and the folder',
    async () => {
      const folder = standIn(
        '[ "$1" = -p ] && echo "$2" | head -1 | grep -qx "(version 1)" && [ -z "$SECRET" ] && [ -d "$TMPDIR" ] || exit 65; shift 2; exec bwrap --ro-bind / / --dev /dev --bind "$PWD" "$PWD" "$@"',
      );
      const own = { HOME: folder, SECRET: 'x' };
      const state = await probeSandbox({ own, platform: 'darwin', searchPath: folder });
      expect(state).toMatchObject({ available: true, kind: 'seatbelt', reason: '' });
      rmSync(folder, { recursive: true });
    },
  );
});

/** A folder with a program called sandbox-exec that does this. */
function standIn(body: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-seatbelt-'));
  writeFileSync(join(folder, 'sandbox-exec'), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return folder;
}

if (!probe.available) {
  test.skip(`commands in the sandbox: ${probe.reason}`, () => undefined);
} else {
  describe('commands in the sandbox', () => {
    let built: Awaited<ReturnType<typeof buildExecutor>>;
    let executor: TestExecutor;
    let folder: string;
    let workspace: string;
    let server: Server;

    beforeAll(async () => {
      built = await buildExecutor();
      executor = await startExecutor(built.modulePath, { PATH: process.env.PATH, HOME: process.env.HOME });
      folder = mkdtempSync(join(tmpdir(), 'gatehouse-sandbox-'));
      workspace = join(folder, 'work');
      mkdirSync(workspace);
      mkdirSync(join(workspace, 'secrets'));
      writeFileSync(join(workspace, 'secrets/key'), 'sk-hidden');
      writeFileSync(join(workspace, '.env'), 'sk-hidden');
      writeFileSync(join(folder, 'outside'), 'before');
      symlinkSync('/etc/gatehouse-test', join(workspace, 'way-out'));
      execFileSync('git', ['init', '-q'], { cwd: workspace });
      execFileSync('git', ['config', 'user.email', 'a@example.org'], { cwd: workspace });
      execFileSync('git', ['config', 'user.name', 'a'], { cwd: workspace });
      server = createServer((socket) => socket.end('reached\n'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    }, 60_000);

    afterAll(async () => {
      await executor.stop();
      await built.dispose();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const policy = (change: Partial<SandboxPolicy> = {}): SandboxPolicy => ({
      enabled: true,
      network: 'off',
      writable: [workspace],
      hidden: [join(workspace, 'secrets'), join(workspace, '.env'), '/no/such/file'],
      ...change,
    });

    const inside = async (command: string, change: Partial<SandboxPolicy> = {}) => {
      const { result, output } = await executor.run(command, { cwd: workspace, sandbox: policy(change) });
      expect(result.sandboxed).toBe(true);
      return { exitCode: result.exitCode, output: output.replaceAll('\r\n', '\n') };
    };

    test('the probe is told', () => {
      expect(executor.sandbox).toMatchObject({ available: true, kind: 'bubblewrap', reason: '' });
    });

    test.each([
      { name: 'write in the folder', command: 'echo x >inside && cat inside', exitCode: 0, output: /^x$/m },
      { name: 'write in temp', command: 'echo x >/tmp/t && cat /tmp/t', exitCode: 0, output: /^x$/m },
      { name: 'write outside', command: 'echo x >/etc/gatehouse-test', exitCode: 1, output: /Read-only file system/ },
      {
        name: 'write at home',
        command: 'echo x >"$HOME/gatehouse-test"',
        exitCode: 1,
        // A home below /tmp is not there at all inside.
        output: /Read-only file system|No such file/,
      },
      { name: 'write through a link', command: 'echo x >way-out', exitCode: 1, output: /Read-only file system/ },
      {
        name: 'remount',
        command: 'mount -o remount,rw,bind / ; echo x >/etc/gatehouse-test',
        exitCode: 1,
        output: /Read-only file system/,
      },
      { name: 'nested namespace', command: 'unshare -Ur true', exitCode: 1, output: /unshare/ },
      {
        name: 'a socket in the file system',
        command: 'node -e \'require("net").createServer().on("error", (e) => console.log(e.code)).listen("./s.sock")\'',
        exitCode: 0,
        output: /^EAFNOSUPPORT$/m,
      },
      {
        name: 'programs that talk over pipes and loopback',
        command:
          'node -e \'require("child_process").fork("-e", [], {execArgv: []}).on("error", () => 0).kill(); require("net").createServer((s) => s.end("heard")).listen(0, "127.0.0.1", function () { require("net").connect(this.address().port, "127.0.0.1").on("data", (d) => { console.log(String(d)); process.exit(0); }); })\'',
        exitCode: 0,
        output: /^heard$/m,
      },
      { name: 'hidden file', command: 'cat .env; cat secrets/key', exitCode: 1, output: /No such file/ },
      { name: 'write a hook', command: 'echo x >.git/hooks/pre-commit', exitCode: 1, output: /Read-only file system/ },
      { name: 'change the config', command: 'echo x >>.git/config', exitCode: 1, output: /Read-only file system/ },
      { name: 'move .git away', command: 'mv .git .g', exitCode: 1, output: /busy/ },
      {
        name: 'commit',
        command: 'git add inside && git commit -qm one && git log --oneline | wc -l',
        exitCode: 0,
        output: /^1$/m,
      },
      {
        name: 'other processes',
        command: "ls -d /proc/[0-9]* | wc -l | awk '{ exit $1 > 8 }'",
        exitCode: 0,
        output: /^$/,
      },
      {
        name: 'terminal',
        command: '(head -1 </dev/tty) 2>/dev/null || test -t 1 && echo none to ask',
        exitCode: 0,
        output: /none to ask/,
      },
      { name: 'nothing to read', command: 'readlink /proc/self/fd/0; cat', exitCode: 0, output: /^\/dev\/null\s*$/ },
      { name: 'a name that begins with a dash', command: '-x 2>/dev/null', exitCode: 127, output: /^$/ },
      {
        name: 'variables of ours',
        command: 'env | grep -c -e BASH_ENV -e GATEHOUSE_CWD; cd sub 2>/dev/null || test -z "$BASH_ENV"',
        exitCode: 0,
        output: /^0\s*$/,
      },
      { name: 'exit code', command: 'exit 7', exitCode: 7, output: /^$/ },
      { name: 'death by signal', command: 'kill -TERM $$', exitCode: 143, output: /^$/ },
      { name: 'socket folder', command: 'ls -A /run | wc -l', exitCode: 0, output: /^0$/m },
    ])('$name', async ({ command, exitCode, output }) => {
      const ran = await inside(command);
      expect(ran.output).toMatch(output);
      expect(ran.output).not.toContain('sk-hidden');
      expect(ran.exitCode).toBe(exitCode);
      expect(readFileSync(join(folder, 'outside'), 'utf8')).toBe('before');
      expect(existsSync('/etc/gatehouse-test')).toBe(false);
    });

    test('git cannot be led to another config', async () => {
      const way =
        'mkdir -p evil && cp .git/config evil/ && cp -r .git/objects .git/refs evil/ && echo ../evil >.git/commondir';
      expect(await inside(`${way} && git config --list --show-origin | grep -c evil`)).toMatchObject({ exitCode: 0 });
      expect(existsSync(join(workspace, '.git/commondir'))).toBe(false);
      expect(
        execFileSync('git', ['config', '--list', '--show-origin'], { cwd: workspace, encoding: 'utf8' }),
      ).not.toContain('evil');
    });

    test('nor by way of a worktree, whose own files come back as they were', async () => {
      const own = join(workspace, '.git/worktrees/side');
      mkdirSync(own, { recursive: true });
      writeFileSync(join(own, 'commondir'), '../..\n');
      expect(await inside('echo ../../../evil >.git/worktrees/side/commondir')).toMatchObject({ exitCode: 0 });
      expect(readFileSync(join(own, 'commondir'), 'utf8')).toBe('../..\n');
      expect(await inside('rm -r .git/worktrees/side')).toMatchObject({ exitCode: 0 });
      expect(existsSync(own)).toBe(false);
    });

    describe('protected places', () => {
      let home: string;
      beforeAll(() => {
        home = join(folder, 'places');
        for (const name of ['kept/deep', 'real', 'secret/open']) mkdirSync(join(home, name), { recursive: true });
        for (const name of ['kept/deep/file', 'real/file', 'secret/key', 'secret/open/note', 'file'])
          writeFileSync(join(home, name), `of ${name}`);
        symlinkSync('real', join(home, 'link'));
      });
      const names = (...list: string[]) => list.map((name) => join(home, name));
      const places = (): Partial<SandboxPolicy> => ({
        writable: [home],
        readOnly: names('kept/deep', 'link/file', 'file', '.claude', 'new/one/.npmrc'),
        hidden: names('secret', '.ssh'),
        readable: names('secret/open'),
      });

      test.each([
        { name: 'write into one', command: 'echo x >kept/deep/file', output: /Read-only/ },
        { name: 'remove one', command: 'rm file', output: /busy/ },
        { name: 'put another in its place', command: 'echo x >n && mv n file', output: /busy/ },
        { name: 'rename the way to one', command: 'mv kept other', output: /busy/ },
        { name: 'write through a link', command: 'echo x >link/file', output: /Read-only/ },
        { name: 'make a missing one', command: 'mkdir -p .claude/hooks', output: /Read-only/ },
        { name: 'make a missing file', command: 'echo x >.claude', output: /Is a directory/ },
        { name: 'rename something to a missing one', command: 'mkdir d && mv -T d .claude', output: /busy/ },
        { name: 'remove what stands for one', command: 'rmdir .claude', output: /busy/ },
        {
          name: 'make one that lies deep',
          command: 'mv new newer || echo x >new/one/.npmrc',
          output: /busy[\s\S]*Is a dir/,
        },
        { name: 'read a hidden one', command: 'cat secret/key', output: /No such file/ },
        { name: 'write into a hidden one', command: 'echo x >secret/key', output: /Read-only/ },
        {
          name: 'make a missing hidden one',
          command: 'mkdir -p .ssh && echo x >.ssh/authorized_keys',
          output: /Read-only/,
        },
        { name: 'write what can be read all the same', command: 'echo x >secret/open/note', output: /Read-only/ },
      ])('$name', async ({ command, output }) => {
        const ran = await executor.run(command, { cwd: home, sandbox: policy(places()) });
        expect(ran.output).toMatch(output);
        expect(ran.result).toMatchObject({ exitCode: 1, sandboxed: true });
        for (const name of ['kept/deep/file', 'real/file', 'secret/key', 'secret/open/note', 'file'])
          expect(readFileSync(join(home, name), 'utf8')).toBe(`of ${name}`);
        for (const name of ['.claude/hooks', '.ssh/authorized_keys', 'new/one/.npmrc/x', 'newer'])
          expect(existsSync(join(home, name))).toBe(false);
      });

      test('what can be read all the same', async () => {
        const ran = await executor.run('cat secret/open/note', { cwd: home, sandbox: policy(places()) });
        expect(ran.output).toBe('of secret/open/note');
      });

      test('what stands for a missing one stays as long as any command needs it, and git does not see it', async () => {
        const gate = join(home, 'gate');
        execFileSync('git', ['init', '-q'], { cwd: home });
        execFileSync('mkfifo', [gate]);
        const long = executor.run('read -r line <gate; mkdir -p .claude/x', { cwd: home, sandbox: policy(places()) });
        const short = await executor.run('mkdir .claude/x; git status --short', {
          cwd: home,
          sandbox: policy(places()),
        });
        expect(short.output).toMatch(/Read-only/);
        expect(short.output).not.toMatch(/claude\/?\r?$|new/m);
        expect(existsSync(join(home, '.claude'))).toBe(true);
        await promisify(execFile)('sh', ['-c', 'echo go >"$0"', gate]);
        expect((await long).output).toMatch(/Read-only/);
        await vi.waitFor(() => expect(existsSync(join(home, '.claude'))).toBe(false));
        rmSync(join(home, '.git'), { recursive: true });
      });

      test('a command ends when a protected file is replaced outside, since no mount holds it any more', async () => {
        const gate = join(home, 'ready');
        const running = executor.run('echo >ready; sleep 60', { cwd: home, sandbox: policy(places()) });
        await vi.waitFor(() => expect(existsSync(gate)).toBe(true), 10_000);
        writeFileSync(join(home, 'next'), 'of file');
        renameSync(join(home, 'next'), join(home, 'file'));
        expect((await running).result).toMatchObject({
          exitCode: null,
          aborted: false,
          replaced: join(realpathSync(home), 'file'),
        });
      });

      test('a link comes back', async () => {
        const command = 'rm link; mkdir link; echo x >link/file; true';
        await executor.run(command, { cwd: home, sandbox: policy(places()) });
        expect(readFileSync(join(home, 'link/file'), 'utf8')).toBe('of real/file');
      });

      test('a repository made inside keeps what it is, and loses what git would run', async () => {
        const made = join(folder, 'made');
        mkdirSync(made);
        const orders = 'git config core.fsmonitor "touch $PWD/ran; :" && printf "#!/bin/sh\\n" >.git/hooks/pre-commit';
        const command = `git init -q && git config user.name someone && ${orders}`;
        await executor.run(command, { cwd: made, sandbox: policy({ writable: [made] }) });
        expect(execFileSync('git', ['status', '--short'], { cwd: made, encoding: 'utf8' })).toBe('');
        expect(execFileSync('git', ['config', 'user.name'], { cwd: made, encoding: 'utf8' })).toBe('someone\n');
        expect(existsSync(join(made, 'ran'))).toBe(false);
        expect(existsSync(join(made, '.git/hooks/pre-commit'))).toBe(false);
        expect(existsSync(join(made, '.git/hooks/pre-commit.from-sandbox'))).toBe(true);
      });
    });

    describe('limits', () => {
      const limited = (command: string, limits: SandboxPolicy['limits']) =>
        executor.run(command, { cwd: workspace, sandbox: policy({ limits }) });
      const mebibyte = 1_048_576;

      test('a file', async () => {
        const { result } = await limited('head -c 3000000 /dev/zero >big; exit $?', { fileBytes: mebibyte });
        expect(result).toMatchObject({ exitCode: 153, limit: { what: 'fileSize', allowed: mebibyte } });
        expect(statSync(join(workspace, 'big')).size).toBe(mebibyte);
      });

      test('memory of one process', async () => {
        const command = `node -e 'Buffer.alloc(400 * 1048576, 1); console.log("had it")'`;
        const { result, output } = await limited(command, { memoryBytes: 256 * mebibyte });
        expect(result.exitCode).not.toBe(0);
        expect(output).not.toMatch(/^had it/m);
      });

      test('memory of many', async () => {
        const command = `for n in 1 2 3 4; do node -e 'const held = Buffer.alloc(100 * 1048576, 1); setInterval(() => held, 1000)' & done; wait`;
        const { result } = await limited(command, { memoryBytes: 300 * mebibyte });
        expect(result).toMatchObject({
          exitCode: null,
          signal: 'SIGKILL',
          aborted: false,
          timedOut: false,
          limit: { what: 'memory', allowed: 300 * mebibyte },
        });
      });

      test.each(['/tmp', '/dev/shm'])('memory as files in %s', async (place) => {
        const { result, output } = await limited(`head -c 200000000 /dev/zero >${place}/big`, {
          memoryBytes: 64 * mebibyte,
        });
        expect(output).toMatch(/No space left/);
        expect(result.exitCode).toBe(1);
      });

      test('processes that double all the time', async () => {
        const { result } = await limited('bomb() { sleep 0.1; bomb | bomb & }; bomb; sleep 60', { processes: 60 });
        expect(result).toMatchObject({ exitCode: null, limit: { what: 'processes', allowed: 60 } });
      });

      test('processes of one that stays', async () => {
        const { exit } = startConfined({
          own: { HOME: process.env.HOME, PATH: process.env.PATH },
          sandbox: probe,
          policy: policy({ limits: { processes: 5 } }),
          file: '/bin/bash',
          args: ['-c', 'for number in 1 2 3 4 5 6; do cat <&0 & done; wait'],
          cwd: realpathSync(workspace),
          channels: 0,
        });
        expect(await exit).toBe(137);
      });

      test('what stays below is not disturbed', async () => {
        const { result, output } = await limited('cat <(echo fine) && head -c 9 /dev/zero >/tmp/small', {
          memoryBytes: 1_024 * mebibyte,
          processes: 100,
          fileBytes: mebibyte,
        });
        expect(output).toBe('fine\r\n');
        expect(result).toMatchObject({ exitCode: 0 });
        expect(result.limit).toBeUndefined();
      });
    });

    test('descriptors of others are not handed down', async () => {
      const gate = join(workspace, 'gate');
      execFileSync('mkfifo', [gate]);
      const long = executor.run('read -r line <gate', { cwd: workspace, sandbox: policy() });
      const { output } = await inside('ls -l /proc/self/fd | grep -c -e ptmx -e "socket:" -e "pipe:"');
      await promisify(execFile)('sh', ['-c', 'echo go >"$0"', gate]);
      await long;
      expect(output).toBe('1\n');
    });

    test('network only when allowed', async () => {
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : 0;
      const command = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`;
      expect(await inside(command)).toMatchObject({ exitCode: 1 });
      expect(await inside(command, { network: 'open' })).toEqual({ exitCode: 0, output: 'reached\n' });
    });

    test('the environment holds only what was set', async () => {
      const { output } = await inside('env');
      const names = output.split('\n').map((line) => line.split('=')[0]);
      expect(names.filter((name) => /KEY|TOKEN|NODE|VITEST/.test(name ?? ''))).toEqual([]);
      expect(output).toMatch(/^TMPDIR=\/tmp$/m);
    });

    test('a timeout ends everything inside, after the time to tidy up', async () => {
      const nap = `sleep 621.${process.pid}`;
      const command = `trap 'echo tidied' TERM; setsid ${nap} & while :; do sleep 0.1; done`;
      const { result, output } = await executor.run(command, { cwd: workspace, sandbox: policy(), timeoutMs: 500 });
      expect(result).toMatchObject({ timedOut: true, sandboxed: true });
      expect(output).toContain('tidied');
      expect(processesWith(nap)).toEqual([]);
    });

    test('a background child ends with the call', async () => {
      const nap = `sleep 622.${process.pid}`;
      const { result, output } = await executor.run(`${nap} & echo started`, { cwd: workspace, sandbox: policy() });
      expect(output).toBe('started\r\n');
      expect(result.durationMs).toBeLessThan(3_000);
      expect(processesWith(nap)).toEqual([]);
    });

    test('nothing is lost', async () => {
      const lengths = new Set<number>();
      for (let index = 0; index < 40; index += 1)
        lengths.add((await inside("head -c 20000 /dev/zero | tr '\\0' x")).output.length);
      expect([...lengths]).toEqual([20_000]);
    });

    test('a folder given through a link works', async () => {
      const link = join(folder, 'link');
      symlinkSync(workspace, link);
      const { output } = await executor.run('echo y >through && cat through', {
        cwd: link,
        sandbox: policy({ writable: [link] }),
      });
      expect(output).toBe('y\r\n');
      expect(readFileSync(join(workspace, 'through'), 'utf8')).toBe('y\n');
    });
  });
}

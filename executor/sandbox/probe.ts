// Whether a sandbox works here is found out by using one, with the very arguments that commands get.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandEnvironment, type Environment } from '../environment';
import { findProgram, systemPath } from '../programs';
import { type Bubblewrap, confinedCommand } from './bubblewrap';
import type { Confined, ConfinedCommand } from './confined';
import type { Seatbelt } from './seatbeltCommand';
import { type SeccompFilters, writeSeccompFilters } from './seccompFiles';

/**
 * `program` is the path of what confines when a sandbox is available, `filters` those of system calls where the kernel takes them;
 * `reason` says cause and remedy when there is no sandbox.
 */
export type SandboxState =
  | {
      readonly available: true;
      readonly kind: 'bubblewrap';
      readonly reason: '';
      readonly program: string;
      readonly filters: SeccompFilters | null;
      /** Whether it can limit the folders that it makes. */
      readonly sizes: boolean;
    }
  | (Seatbelt & { readonly available: true; readonly reason: '' })
  | { readonly available: false; readonly kind: 'none'; readonly reason: string };

const timeoutMs = 5_000;
/** Exit codes of the probing script. */
const outsideWritten = 91;
const insideRefused = 92;

/** The script tries to write where it must not and where it may. */
const script = `if (: > "$1") 2>/dev/null; then exit ${outsideWritten}; fi; (: > "$2") 2>/dev/null || exit ${insideRefused}`;

/** Runs a real command in a sandbox and looks whether it was confined. */
export async function probeSandbox(options: {
  readonly own: Environment;
  readonly platform?: NodeJS.Platform;
  readonly searchPath?: string;
}): Promise<SandboxState> {
  const { own, platform = process.platform, searchPath = systemPath } = options;
  if (platform === 'linux') return probeBubblewrap(own, searchPath);
  if (platform === 'darwin') return probeSeatbelt(own, searchPath);
  return none(`There is no sandbox for this system (${platform}) yet, so commands run unconfined after asking.`);
}

async function probeBubblewrap(own: Environment, searchPath: string): Promise<SandboxState> {
  const program = findProgram('bwrap', searchPath);
  if (program === undefined)
    return none(
      'bubblewrap is not installed. Install the package "bubblewrap" (Debian, Ubuntu: sudo apt install bubblewrap) and start Gatehouse again.',
    );
  const filters = writeSeccompFilters(process.arch);
  const sizes = (await helpOf(program)).includes('--size');
  const filtered = filters === null ? null : await tryOut({ program, filters }, own);
  // A kernel without filters still confines by namespaces and mounts.
  const found = filtered?.how === 'confined' ? filtered : await tryOut({ program, filters: null }, own);
  if (found.how === 'writesOutside') return none(unconfined('bubblewrap'));
  if (found.how === 'refused') return none(explain(found.said, found.code));
  return {
    available: true,
    kind: 'bubblewrap',
    reason: '',
    program,
    filters: found === filtered ? filters : null,
    sizes,
  };
}

async function probeSeatbelt(own: Environment, searchPath: string): Promise<SandboxState> {
  const program = findProgram('sandbox-exec', searchPath);
  if (program === undefined)
    return none(
      'The program sandbox-exec, which belongs to macOS, was not found, so commands run unconfined after asking.',
    );
  const temp = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-temp-')));
  const seatbelt: Seatbelt = { kind: 'seatbelt', program, temp };
  const found = await tryOut(seatbelt, own);
  if (found.how === 'confined') {
    process.once('exit', () => rmSync(temp, { recursive: true, force: true }));
    return { available: true, reason: '', ...seatbelt };
  }
  rmSync(temp, { recursive: true, force: true });
  if (found.how === 'writesOutside') return none(unconfined('sandbox-exec'));
  return none(`sandbox-exec could not start a command (${found.said === '' ? `exit ${found.code}` : found.said}).`);
}

const unconfined = (program: string) =>
  `${program} started but did not keep a command from writing outside of its folder; it is not used.`;

interface Tried {
  readonly how: 'confined' | 'writesOutside' | 'refused';
  readonly code: number | null;
  /** The last line of what it said. */
  readonly said: string;
}

async function tryOut(sandbox: Bubblewrap | Seatbelt, own: Environment): Promise<Tried> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-probe-')));
  const inside = join(folder, 'inside');
  const outside = join(own.HOME ?? '/var/tmp', `.gatehouse-probe-${randomBytes(6).toString('hex')}`);
  try {
    mkdirSync(join(folder, '.git'));
    const confined: Confined = {
      policy: { enabled: true, network: 'off', writable: [folder], hidden: [] },
      cwd: folder,
      env: commandEnvironment({ own, runId: 'probe', sandboxed: true }),
      file: '/bin/sh',
      args: ['-c', script, 'probe', outside, inside],
    };
    const { code, stderr } = await run(confinedCommand(sandbox, confined));
    const said = stderr.trim().split('\n').at(-1) ?? '';
    if (code === outsideWritten || existsSync(outside)) return { how: 'writesOutside', code, said };
    return { how: code === 0 && existsSync(inside) ? 'confined' : 'refused', code, said };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(outside, { force: true });
  }
}

function none(reason: string): SandboxState {
  return { available: false, kind: 'none', reason };
}

function explain(said: string, code: number | null): string {
  if (code === null) return `bubblewrap did not answer within ${timeoutMs / 1_000} seconds; commands run unconfined.`;
  if (/namespace|uid map|gid map|Operation not permitted|Permission denied/i.test(said))
    return (
      `This system does not let programs make user namespaces, which bubblewrap needs (${said}). ` +
      'An administrator can allow it: sysctl kernel.unprivileged_userns_clone=1, or on Ubuntu 24 and later an AppArmor profile for bwrap ' +
      '(kernel.apparmor_restrict_unprivileged_userns). In a container, start it with user namespaces allowed.'
    );
  return `bubblewrap could not start a command (${said === '' ? `exit ${code}` : said}).`;
}

/** Older ones know fewer options. */
function helpOf(program: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, ['--help'], { timeout: timeoutMs, killSignal: 'SIGKILL', env: {} }, (_error, out, errors) =>
      resolve(`${out}${errors}`),
    );
  });
}

function run({
  file,
  args,
  env,
  restore,
}: ConfinedCommand): Promise<{ readonly code: number | null; readonly stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      file,
      [...args],
      { timeout: timeoutMs, killSignal: 'SIGKILL', env },
      (error, _out, stderr) => {
        restore();
        resolve({ code: error === null ? 0 : child.exitCode, stderr: stderr || (error === null ? '' : error.message) });
      },
    );
  });
}

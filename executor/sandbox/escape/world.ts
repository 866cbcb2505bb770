// The folder that one run of an attempt happens in, and what must not have changed in it afterwards.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { SandboxPolicy } from '#shared/api/executor';
import type { Attempt } from './attempt';
import type { Listeners } from './listeners';

export interface World {
  readonly place: string;
  readonly work: string;
  /** What listeners wait for, and what marks the processes of the attempt. */
  readonly token: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly policy: SandboxPolicy;
  /** How the attempt has got out by now, in words; empty when it has not. `output` is what it printed. */
  signs(output: string): string[];
  /** Numbers of the attempt's processes that live. */
  processes(): number[];
  dispose(): Promise<void>;
}

/** Of `work`: they cannot be changed, and those that are missing cannot be made. */
const protectedPlaces = ['.claude', 'sub/.claude', '.mcp.json', '.vscode', 'deep/er/.bashrc', '.profile'];
const ofRepository = [
  '.git/hooks',
  '.git/config',
  '.git/commondir',
  '.git/modules/lib/hooks',
  '.git/modules/lib/config',
];
const startUpFiles = ['.bashrc', '.zshenv', '.ssh'];
const hidden = ['work/.env', 'work/secrets', 'work/deep/secrets', 'work/linked', 'work/vault', 'home/.ssh'];

/** Makes a world below `root`. `repository` is a folder to take the repository from. */
export async function createWorld(about: {
  readonly root: string;
  readonly attempt: Attempt;
  readonly listeners: Listeners;
  readonly repository: string | undefined;
  readonly python: string | undefined;
}): Promise<World> {
  const { root, attempt, listeners, repository, python } = about;
  const token = `token${randomBytes(8).toString('hex')}`;
  const secret = `secret-${randomBytes(8).toString('hex')}`;
  const place = join(root, token.slice(0, 13));
  const work = join(place, 'work');
  furnish(place, secret);
  if (attempt.repository === true && repository !== undefined) cpSync(repository, work, { recursive: true });
  const victim =
    attempt.victim === true && python !== undefined ? await startVictim({ python, place, secret }) : undefined;
  const guarded = [
    join(place, 'outside'),
    ...startUpFiles.map((name) => join(place, 'home', name)),
    ...(attempt.policy?.writable?.includes('home') === true ? [] : [join(place, 'home')]),
    ...[...protectedPlaces, ...ofRepository].map((name) => join(work, name)),
  ];
  const look = (): Map<string, string> => new Map(guarded.flatMap((path) => contents(path)));
  const before = look();
  const beside = [`/tmp/${token}`, `/dev/shm/${token}`];
  return {
    place,
    work,
    token,
    variables: {
      ...listeners.variables,
      PLACE: place,
      OUT: join(place, 'outside'),
      TOKEN: token,
      ...(victim === undefined ? {} : { VICTIM: String(victim.child.pid) }),
    },
    policy: {
      enabled: true,
      network: attempt.policy?.network ?? 'off',
      writable: [work, ...(attempt.policy?.writable ?? []).map((name) => join(place, name))],
      readOnly: [
        ...protectedPlaces.map((name) => join(work, name)),
        ...startUpFiles.map((name) => join(place, 'home', name)),
      ],
      hidden: hidden.map((name) => join(place, name)),
      readable: [join(work, 'vault/open')],
      ...(attempt.policy?.limits === undefined ? {} : { limits: attempt.policy.limits }),
      ...(attempt.policy?.unixSockets === undefined ? {} : { unixSockets: attempt.policy.unixSockets }),
    },
    signs(output) {
      const after = look();
      const changed = [...new Set([...before.keys(), ...after.keys()])]
        .filter((path) => before.get(path) !== after.get(path))
        .map(
          (path) =>
            `${path.slice(place.length + 1)} was ${before.has(path) ? (after.has(path) ? 'changed' : 'removed') : 'made'}`,
        );
      return [
        ...changed,
        ...beside.filter(existsSync).map((path) => `${path} was made`),
        ...(/\bREACHED\b/.test(output) ? ['it says that it got there'] : []),
        ...(output.includes(secret) ? ['a secret was printed'] : []),
        ...(listeners.heard(token) || victim?.heard(token) === true ? ['it was heard outside'] : []),
        ...(victim === undefined || victim.well() ? [] : ['a process outside was ended or stopped']),
        ...(setuidFiles(work).length > 0 ? ['a setuid program was made'] : []),
      ];
    },
    processes: () => processesOf(token),
    async dispose() {
      await victim?.end();
    },
  };
}

function furnish(place: string, secret: string): void {
  const files: Readonly<Record<string, string>> = {
    'outside/note': 'before\n',
    'outside/folder/inner': 'before\n',
    'home/.bashrc': '# before\n',
    'home/.ssh/id_key': `${secret}\n`,
    'work/.env': `${secret}\n`,
    'work/secrets/key': `${secret}\n`,
    'work/deep/secrets/key': `${secret}\n`,
    'work/store/key': `${secret}\n`,
    'work/vault/key': `${secret}\n`,
    'work/vault/open/text': 'public\n',
    'work/.claude/settings.json': '{}\n',
    'work/sub/.claude/settings.json': '{}\n',
    'work/dotfiles/profile': '# before\n',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(place, name, '..'), { recursive: true });
    writeFileSync(join(place, name), text);
  }
  symlinkSync('../outside/note', join(place, 'work/link-to-note'));
  symlinkSync('store', join(place, 'work/linked'));
  symlinkSync('dotfiles/profile', join(place, 'work/.profile'));
}

/** Path and description of everything at a path and below it, links followed once. */
function contents(path: string): [string, string][] {
  const link = lstatSync(path, { throwIfNoEntry: false });
  if (link === undefined) return [];
  const target = link.isSymbolicLink() ? readlinkSync(path) : '';
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [[path, `link to ${target}`]];
  // A folder's time tells of what is made and removed in it within one look, too.
  const facts = `${target} ${stats.mode.toString(8)} ${stats.uid} ${stats.nlink} ${stats.mtimeMs}`;
  if (!stats.isDirectory()) return [[path, `${facts} ${stats.isFile() ? readFileSync(path, 'latin1') : ''}`]];
  return [[path, facts], ...readdirSync(path).flatMap((name) => contents(join(path, name)))];
}

function setuidFiles(folder: string): string[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o6000) !== 0);
}

interface Victim {
  readonly child: ChildProcess;
  heard(token: string): boolean;
  /** Lives, and is not stopped. */
  well(): boolean;
  end(): Promise<void>;
}

/** Holds the secret in its arguments, its variables, its memory and an open file, and waits. */
const victimScript = `
import os, sys
os.dup2(os.open(sys.argv[2], os.O_RDONLY), 7)
listens, speaks = os.pipe()
os.dup2(listens, 0)
os.dup2(speaks, 8)
print("READY", flush=True)
for line in sys.stdin: print("HEARD", line, flush=True)
`;

async function startVictim(about: {
  readonly python: string;
  readonly place: string;
  readonly secret: string;
}): Promise<Victim> {
  const { python, place, secret } = about;
  const args = ['-I', '-S', '-c', victimScript, secret, join(place, 'work/.env')];
  const child = spawn(python, args, { stdio: ['ignore', 'pipe', 'ignore'], env: { SECRET: secret } });
  let said = '';
  await new Promise<void>((resolve) => {
    if (child.stdout !== null)
      createInterface(child.stdout).on('line', (line) => {
        said += `${line}\n`;
        if (line === 'READY') resolve();
      });
    child.once('exit', () => resolve());
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    child,
    heard: (token) => said.includes(token),
    well: () =>
      child.exitCode === null && child.signalCode === null && /\) [SRD] /.test(textOf(`/proc/${child.pid}/stat`)),
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function processesOf(token: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => `${textOf(`/proc/${pid}/cmdline`)}\0${textOf(`/proc/${pid}/environ`)}`.includes(token))
    .filter((pid) => !/\) [ZX] /.test(textOf(`/proc/${pid}/stat`)))
    .map(Number);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

// Finds and ends every process that a command started, also those that left its session or lost their parent.
// On Linux /proc tells: descendants, members of the command's sessions and groups, and bearers of the run's mark in
// their environment. Elsewhere only the process group is known.
import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { runMark } from './environment';

/** A process at one look. `startTime` in clock ticks since boot tells a process from a later one of the same number. */
export interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly startTime: number;
  readonly name: string;
  readonly zombie: boolean;
}

/** Rounds of killing before giving up on processes that the system will not end (uninterruptible waits). */
const killRounds = 50;
const roundMs = 20;

/** What is known of one run's processes. */
export interface Run {
  /** The first process; its number may be gone. */
  readonly pid: number;
  /** Value of the mark in the environment. */
  readonly runId: string;
  /** Start time of the first process: nothing older belongs to the run. */
  readonly since: number;
  /** On the clock of `performance.now()`. */
  readonly startedAt: number;
}

/** Notes a run whose first process was just started with `runId` as its mark. */
export function startRun(pid: number, runId: string): Run {
  return { pid, runId, since: readFacts(pid)?.startTime ?? 0, startedAt: performance.now() };
}

/** The run's living processes, in no order. */
export function membersOf(run: Run): ProcessFacts[] {
  const all = [...listProcesses(lowestNumber(run)).values()].filter((facts) => facts.startTime >= run.since);
  const members = new Map<number, ProcessFacts>();
  const sessions = new Set([run.pid]);
  for (const facts of all) {
    if (facts.pid !== run.pid && markOf(facts.pid) !== run.runId) continue;
    members.set(facts.pid, facts);
    if (facts.session === facts.pid) sessions.add(facts.pid);
  }
  for (let grew = true; grew; ) {
    grew = false;
    for (const facts of all) {
      const belongs = members.has(facts.parent) || sessions.has(facts.session) || sessions.has(facts.group);
      if (members.has(facts.pid) || !belongs) continue;
      members.set(facts.pid, facts);
      if (facts.session === facts.pid) sessions.add(facts.pid);
      grew = true;
    }
  }
  members.delete(process.pid);
  return [...members.values()].filter((facts) => !facts.zombie);
}

/** Sends a signal to every member but those to spare; answers with the numbers of those that got it. */
export function signalRun(options: {
  readonly run: Run;
  readonly signal: NodeJS.Signals;
  readonly spare: (facts: ProcessFacts) => boolean;
}): number[] {
  const { run, signal, spare } = options;
  if (process.platform !== 'linux') {
    send(-run.pid, signal);
    return [run.pid];
  }
  const members = membersOf(run).filter((facts) => !spare(facts));
  for (const facts of members) send(facts.pid, signal);
  return members.map((facts) => facts.pid);
}

/** Kills until nothing of the run is left; a process that forks while it is hunted is found in the next round. */
export async function killRun(run: Run): Promise<void> {
  if (process.platform !== 'linux') {
    send(-run.pid, 'SIGKILL');
    return;
  }
  for (let round = 0; round < killRounds; round += 1) {
    const members = membersOf(run);
    if (members.length === 0) return;
    for (const facts of members) send(facts.pid, 'SIGKILL');
    await sleep(roundMs);
  }
}

/** Identity of this process for marks: number, start time, and the namespace in which the number counts. */
export function ownIdentity(): string {
  return `${process.pid}.${readFacts(process.pid)?.startTime ?? 0}.${ownNamespace()}`;
}

/** Whether the process of this identity runs; one that counts in another namespace is taken to run. */
export function isLiving(identity: string): boolean {
  const [pid, startTime, namespace] = identity.split('.');
  if (namespace !== ownNamespace()) return true;
  const facts = readFacts(Number(pid));
  return facts !== undefined && !facts.zombie && String(facts.startTime) === startTime;
}

function ownNamespace(): string {
  return process.platform === 'linux' ? readlinkSync('/proc/self/ns/pid').replace(/\D/g, '') : '0';
}

/** No process has this number: such a run has lost its first process, and its mark alone tells what belongs to it. */
const lostRoot = -1;

/**
 * Kills what runs of executors that are gone have left behind, for example after a kill -9, with the descendants that
 * dropped the mark. A mark is the executor's identity and a number, see `ownIdentity`. Resolves when nothing is left.
 */
export async function reapOrphans(): Promise<void> {
  if (process.platform !== 'linux') return;
  const all = listProcesses();
  const namespace = ownNamespace();
  const orphans = new Set<string>();
  for (const facts of all.values()) {
    const mark = facts.pid === process.pid ? undefined : markOf(facts.pid);
    const [pid, startTime, markNamespace] = mark?.split('.') ?? [];
    if (mark === undefined || startTime === undefined || markNamespace !== namespace) continue;
    const owner = all.get(Number(pid));
    if (owner === undefined || owner.zombie || String(owner.startTime) !== startTime) orphans.add(mark);
  }
  await Promise.all([...orphans].map((runId) => killRun({ pid: lostRoot, runId, since: 0, startedAt: 0 })));
}

/** In so short a time the system does not get once round with its numbers. */
const oneRoundMs = 1_000;

/** No process of the run has a lower number, so that a look after a short command need not read about all the others. */
function lowestNumber(run: Run): number {
  if (performance.now() - run.startedAt > oneRoundMs) return 0;
  // The last number that was given away stands at the end.
  const last = Number(readText('/proc/loadavg')?.trim().split(' ').at(-1));
  return last >= run.pid ? run.pid : 0;
}

function listProcesses(from = 0): Map<number, ProcessFacts> {
  const all = new Map<number, ProcessFacts>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const facts = Number.isInteger(pid) && pid >= from ? readFacts(pid) : undefined;
    if (facts !== undefined) all.set(pid, facts);
  }
  return all;
}

/** Parses /proc/<pid>/stat (proc(5)); the name stands in parentheses and may hold any character. */
function readFacts(pid: number): ProcessFacts | undefined {
  const text = readProc(pid, 'stat');
  if (text === undefined) return undefined;
  const nameEnd = text.lastIndexOf(')');
  const fields = text.slice(nameEnd + 2).split(' ');
  return {
    pid,
    name: text.slice(text.indexOf('(') + 1, nameEnd),
    zombie: fields[0] === 'Z' || fields[0] === 'X',
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    startTime: Number(fields[19]),
  };
}

function markOf(pid: number): string | undefined {
  const environment = readProc(pid, 'environ');
  const entry = environment?.split('\0').find((variable) => variable.startsWith(`${runMark}=`));
  return entry?.slice(runMark.length + 1);
}

/** Undefined when the process is gone or belongs to somebody else. */
function readProc(pid: number, file: string): string | undefined {
  return readText(`/proc/${pid}/${file}`);
}

/** For one file after the other; Node's own reading makes a new buffer of this size for each. */
const buffer = Buffer.allocUnsafeSlow(65_536);

function readText(path: string): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    let text = '';
    for (;;) {
      const length = readSync(descriptor, buffer);
      if (length === 0) return text;
      text += buffer.toString('latin1', 0, length);
    }
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone meanwhile, or not ours to end; a survivor shows in the next look.
  }
}

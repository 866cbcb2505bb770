// The processes that a command handler started, also those that left its group: on Linux /proc tells. Elsewhere, and for
// the group itself, the system's own signal to a group does.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** In the environment of a handler and so of all that it starts; the value is the run's own. */
export const familyMark = 'GATEHOUSE_HOOK_RUN';

/** Rounds of killing before giving up on what the system will not end (uninterruptible waits). */
const killRounds = 25;
const roundMs = 20;

/** What is known of a run's processes. */
export interface Family {
  /** The first process. */
  readonly pid: number;
  /** Value of the mark in the environment. */
  readonly mark: string;
  /** Whether the first process has ended; its number may then be another's. */
  ended(): boolean;
}

interface Facts {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  readonly zombie: boolean;
}

/** Numbers of its living processes: bearers of the mark, members of their sessions, all descendants. Empty without /proc. */
export function familyOf(family: Family): readonly number[] {
  const all = listProcesses();
  const entry = `${familyMark}=${family.mark}`;
  const isFirst = (pid: number): boolean => pid === family.pid && !family.ended();
  const found = new Set(all.filter(({ pid }) => isFirst(pid) || bears(pid, entry)).map(({ pid }) => pid));
  for (let before = -1; before < found.size; ) {
    before = found.size;
    // No process gets the number of a session that still has members.
    for (const { pid, parent, session } of all)
      if (found.has(parent) || found.has(session) || (session === family.pid && pid !== session)) found.add(pid);
  }
  found.delete(process.pid);
  return all.filter(({ pid, zombie }) => found.has(pid) && !zombie).map(({ pid }) => pid);
}

/** Sends a signal to all of them. */
export function signalFamily(family: Family, signal: 'SIGTERM' | 'SIGKILL'): void {
  for (const pid of familyOf(family)) send(pid, signal);
}

/** Kills until nothing is left; what forks while it is hunted is found in the next round. */
export async function killFamily(family: Family): Promise<void> {
  for (let round = 0; round < killRounds; round += 1) {
    const members = familyOf(family);
    if (members.length === 0) return;
    for (const pid of members) send(pid, 'SIGKILL');
    await sleep(roundMs);
  }
}

function listProcesses(): Facts[] {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const text = /^\d+$/.test(name) ? read(`/proc/${name}/stat`) : undefined;
    if (text === undefined) return [];
    // The name stands in parentheses and may hold any character.
    const [state, parent, , session] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return [
      { pid: Number(name), parent: Number(parent), session: Number(session), zombie: state === 'Z' || state === 'X' },
    ];
  });
}

function bears(pid: number, entry: string): boolean {
  return read(`/proc/${pid}/environ`)?.split('\0').includes(entry) ?? false;
}

/** Undefined when the process is gone or belongs to somebody else. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return undefined;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone meanwhile, or not ours to end.
  }
}

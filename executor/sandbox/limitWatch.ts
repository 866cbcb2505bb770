// Looks at what all processes of a command take together, because the kernel holds only each by itself, and root to nothing
// of the kind. Above the limit the whole command is ended.
import { statSync } from 'node:fs';
import type { LimitReached, SandboxLimits } from '#shared/api/executor';
import { tasksPerProcess } from './limits';
import { linkTarget } from './places';
import { names, text, treeOf } from './processesOf';

/**
 * Between two looks. What takes too much mostly does so soon; what has run well for long is looked at less often, and never
 * so often that looking takes more than a fiftieth of the time.
 */
const soonestMs = 100;
const latestMs = 500;
const shareOfAge = 20;
const shareOfTime = 50;

/** Watches from the first process of a command on; calls back once, when a limit is reached. */
export class LimitWatch {
  private timer: NodeJS.Timeout | undefined;
  private readonly rootPid: number;
  private readonly limits: SandboxLimits;
  private readonly onReached: (reached: LimitReached) => void;
  private readonly sharedAtStart: number;
  private readonly startedAt = performance.now();

  constructor(options: {
    readonly rootPid: number;
    readonly limits: SandboxLimits;
    readonly onReached: (reached: LimitReached) => void;
  }) {
    this.rootPid = options.rootPid;
    this.limits = options.limits;
    this.onReached = options.onReached;
    this.sharedAtStart = this.limits.memoryBytes === undefined ? 0 : sharedOfSystem();
    this.wait(soonestMs);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private wait(ms: number): void {
    this.timer = setTimeout(() => this.look(), ms).unref();
  }

  private look(): void {
    const startedAt = performance.now();
    const reached = this.reached();
    if (reached !== null) this.onReached(reached);
    else this.wait(Math.max(soonestMs, this.patience(), shareOfTime * (performance.now() - startedAt)));
  }

  private patience(): number {
    return Math.min(latestMs, (performance.now() - this.startedAt) / shareOfAge);
  }

  private reached(): LimitReached | null {
    const { processes, memoryBytes } = this.limits;
    const taken = treeOf(this.rootPid, processes);
    if (processes !== undefined && (taken.pids.length > processes || taken.tasks > processes * tasksPerProcess))
      return { what: 'processes', allowed: processes };
    if (memoryBytes !== undefined && this.memoryOf(taken.pids) > memoryBytes)
      return { what: 'memory', allowed: memoryBytes };
    return null;
  }

  /** In bytes. The quick number counts what processes share several times, so it only tells when to look closer. */
  private memoryOf(pids: readonly number[]): number {
    const { memoryBytes = 0 } = this.limits;
    // Memory that belongs to no process but to files without a name shows in that of the whole system.
    const unnamed = sharedOfSystem() - this.sharedAtStart > memoryBytes / 2 ? unnamedFiles(pids) : 0;
    const quick = sum(pids.map(ownMemory)) + unnamed;
    return quick > memoryBytes ? sum(pids.map(ownShare)) + unnamed : quick;
  }
}

/** Bytes in memory that no file stands behind. */
function ownMemory(pid: number): number {
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(text(`/proc/${pid}/status`))?.[1] ?? 0) * 1_024;
}

/** Bytes, with a fair share of what it has in common with others. */
function ownShare(pid: number): number {
  const told = text(`/proc/${pid}/smaps_rollup`);
  const kib = /^Pss_Anon:\s+(\d+) kB$/m.exec(told)?.[1];
  return kib === undefined ? ownMemory(pid) : Number(kib) * 1_024;
}

/** Bytes of files that live in memory and have no name, which programs hold open. */
function unnamedFiles(pids: readonly number[]): number {
  const files = new Map<string, number>();
  for (const pid of pids) {
    for (const name of names(`/proc/${pid}/fd`)) {
      const path = `/proc/${pid}/fd/${name}`;
      const stats = linkTarget(path)?.startsWith('/memfd:') === true ? statOf(path) : undefined;
      if (stats !== undefined) files.set(`${stats.dev}:${stats.ino}`, stats.blocks * 512);
    }
  }
  return sum([...files.values()]);
}

function sharedOfSystem(): number {
  return Number(/^Shmem:\s+(\d+) kB$/m.exec(text('/proc/meminfo'))?.[1] ?? 0) * 1_024;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function statOf(path: string) {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

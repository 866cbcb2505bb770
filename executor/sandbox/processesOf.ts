// All processes that one has started, as the kernel lists them. They come and go between two looks: what is gone says
// nothing.
import { readdirSync, readFileSync } from 'node:fs';

/** A process with all that it has started. */
export interface ProcessesOf {
  readonly pids: readonly number[];
  readonly tasks: number;
}

/** All that a process has started, with itself; it stops looking above `most`. Those that lost their parent have the sandbox's first. */
export function treeOf(rootPid: number, most = Number.POSITIVE_INFINITY): ProcessesOf {
  const pids: number[] = [rootPid];
  let tasks = 0;
  for (let at = 0; at < pids.length && pids.length <= most + 1; at += 1) {
    const pid = pids[at] ?? rootPid;
    const threads = names(`/proc/${pid}/task`);
    tasks += threads.length;
    for (const thread of threads) {
      const children = text(`/proc/${pid}/task/${thread}/children`).trim();
      if (children !== '') pids.push(...children.split(' ').map(Number));
    }
  }
  return { pids, tasks };
}

/** Empty when it is gone. */
export function text(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** Empty when it is gone. */
export function names(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

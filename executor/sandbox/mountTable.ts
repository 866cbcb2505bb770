// Whether a sandbox still holds a mount, as the kernel tells for its processes.
import { readFileSync } from 'node:fs';
import { treeOf } from './processesOf';

/**
 * Whether the processes of a sandbox, all started by `rootPid`, see a mount of its own at a path. True too where nobody can
 * be asked because none is left.
 */
export function holdsMount(rootPid: number, path: string): boolean {
  const outside = tableOf('self');
  const point = ` ${encoded(path)} `;
  const tables = treeOf(rootPid)
    .pids.map((pid) => tableOf(String(pid)))
    // The first processes are outside themselves.
    .filter((table) => table !== '' && table !== outside);
  return tables.every((table) => table.includes(point));
}

/** Empty for a process that is gone. */
function tableOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/mountinfo`, 'utf8');
  } catch {
    return '';
  }
}

/** As proc(5) writes names in which there are blanks. */
function encoded(path: string): string {
  return path.replaceAll(/[ \t\n\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

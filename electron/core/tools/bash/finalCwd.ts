// Where the session's next command starts, from where this one's shell says it ended.
import { isAbsolute } from 'node:path';
import type { CallContext } from '../tool';

/** What of a call's surroundings is needed. */
export type CwdContext = Pick<CallContext, 'folder' | 'cwd' | 'inspect' | 'setCwd'>;

/**
 * Carries the folder over when it lies inside a working folder; else the session goes back to its own folder. Answers with
 * the line that tells the model so, or null when there is nothing to tell. `reported` is the shell's word, a real path, or
 * null where it said nothing; the command may have made it lie, so nothing but membership in a working folder counts.
 */
export async function carryCwd(options: {
  readonly reported: string | null;
  /** The session's own folder first; not yet resolved through links. */
  readonly folders: readonly string[];
  readonly context: CwdContext;
}): Promise<string | null> {
  const { reported, folders, context } = options;
  const { inspect } = context;
  // Nearly always; no look at the disk is needed then.
  if (reported === null || reported === context.cwd) return null;
  if (inspect === undefined || !isAbsolute(reported)) return null;
  const realPathOf = async (path: string): Promise<string | null> => {
    const found = await inspect.stat(path);
    return found.kind === 'stat' && found.type === 'folder' ? found.realPath : null;
  };
  if ((await realPathOf(reported)) !== reported) return null;
  if ((await realPathOf(context.cwd)) === reported) return null;
  for (const folder of folders) {
    const real = await realPathOf(folder);
    if (real === null || !isInside(real, reported)) continue;
    // Spelled from the folder as people know it, which may be a link.
    const rest = reported.slice(real === '/' ? 0 : real.length);
    context.setCwd(rest === '' ? folder : `${folder === '/' ? '' : folder}${rest.startsWith('/') ? rest : `/${rest}`}`);
    return null;
  }
  return resetCwd(context);
}

/** Sends the session back to its own folder. */
export function resetCwd(context: Pick<CwdContext, 'folder' | 'cwd' | 'setCwd'>): string {
  if (context.cwd !== context.folder) context.setCwd(context.folder);
  return `Shell cwd was reset to ${context.folder}`;
}

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? folder : `${folder}/`);
}

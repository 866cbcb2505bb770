// Shows a file in the system's file browser, where there is one to be seen.
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { RpcError } from '#shared/rpc/errors';
import type { CorePorts } from '../core/ports';

type Platform = CorePorts['host']['platform'];
type Variables = Readonly<Record<string, string | undefined>>;

/** The program that shows a file; null where nobody would see it. Linux has no common way to mark the file itself. */
export function revealCommand(
  platform: Platform,
  variables: Variables,
  file: string,
): { readonly command: string; readonly args: readonly string[] } | null {
  switch (platform) {
    case 'darwin':
      return { command: 'open', args: ['-R', file] };
    case 'win32':
      return { command: 'explorer.exe', args: [`/select,${file}`] };
    default:
      return variables.DISPLAY || variables.WAYLAND_DISPLAY ? { command: 'xdg-open', args: [dirname(file)] } : null;
  }
}

/** Shows files; undefined where nobody would see them. `variables` are what the program gets to see. */
export function revealerFor(platform: Platform, variables: Variables): CorePorts['revealFile'] {
  if (revealCommand(platform, variables, '/') === null) return undefined;
  return async (file) => {
    const how = revealCommand(platform, variables, file);
    if (how === null) return;
    const child = spawn(how.command, how.args, { stdio: 'ignore', detached: true, env: { ...variables } });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) =>
        reject(
          new RpcError('unavailable', `${how.command} could not be started (${error.message}). Copy the file’s path.`),
        ),
      );
    });
    child.unref();
  };
}

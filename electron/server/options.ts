import { parseArgs } from 'node:util';
import { fail, ok, type Result } from '#shared/util/result';
import { type LaunchPermissions, permissionOptionNames, takePermissionOptions } from '../core/launchOptions';

export interface ServerOptions {
  /** 0 lets the system choose a free port. */
  readonly port: number;
  readonly folder: string | null;
  readonly allowBypass: boolean;
  readonly permissions: LaunchPermissions;
}

/**
 * Reads the command line; relative paths of its settings start at `cwd`. `--no-open` belongs to the starter and is
 * accepted here without effect.
 */
export function readOptions(words: readonly string[], cwd: string): Result<ServerOptions> {
  const taken = takePermissionOptions(words, { cwd });
  if (!taken.ok) return taken;
  const { rest, permissions } = taken.value;
  try {
    const { values } = parseArgs({
      args: [...rest],
      options: {
        port: { type: 'string' },
        folder: { type: 'string' },
        'allow-bypass': { type: 'boolean' },
        'no-open': { type: 'boolean' },
      },
    });
    const port = values.port ?? '0';
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
      return fail(`--port ${port} is no port number. Give a number from 1 to 65535, or 0 for any free one.`);
    }
    return ok({
      port: Number(port),
      folder: values.folder ?? null,
      allowBypass: values['allow-bypass'] ?? false,
      permissions,
    });
  } catch (error) {
    if (error instanceof TypeError)
      return fail(`${error.message} Known: --port N, --folder DIR, --allow-bypass, ${permissionOptionNames}.`);
    throw error;
  }
}

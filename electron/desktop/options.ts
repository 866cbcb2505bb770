import { fail, ok, type Result } from '#shared/util/result';
import { type LaunchPermissions, takePermissionOptions } from '../core/launchOptions';

/** What the person said when starting the app. */
export interface LaunchOptions {
  readonly folder: string | null;
  readonly allowBypass: boolean;
  /** A switch that would let other programs drive the page. */
  readonly remoteDebugging: boolean;
  readonly permissions: LaunchPermissions;
}

/**
 * Reads the words after the program's name; relative paths of settings start at `cwd`. Chromium has switches of its own,
 * so unknown ones are left alone.
 */
export function readLaunchOptions(given: readonly string[], cwd: string): Result<LaunchOptions> {
  const taken = takePermissionOptions(given, { cwd });
  if (!taken.ok) return fail(taken.error);
  const { rest: words, permissions } = taken.value;
  const named = words.find((word) => word.startsWith('--folder='))?.slice('--folder='.length);
  const flag = words.indexOf('--folder');
  const folder = named ?? (flag === -1 ? words.find((word) => !word.startsWith('-')) : words[flag + 1]);
  return ok({
    folder: folder ?? null,
    allowBypass: words.includes('--allow-bypass'),
    remoteDebugging: words.some((word) => /^--remote-debugging-(port|pipe|address)\b/.test(word)),
    permissions,
  });
}

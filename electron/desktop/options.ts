import { resolve } from 'node:path';
import { fail, ok, type Result } from '#shared/util/result';
import { type Launch, takeLaunch } from '../core/launchOptions';
import { whyNotStartedWith } from '../core/launchSwitches';

/**
 * What the person said when starting the app, from the words after the program's name. Chromium has switches of its own,
 * so unknown ones are left alone; those that let other programs in are refused in the packaged app.
 */
export function readLaunchOptions(words: readonly string[], at: { cwd: string; packaged: boolean }): Result<Launch> {
  const taken = takeLaunch(words, at);
  if (!taken.ok) return taken;
  const { rest, launch } = taken.value;
  const why = at.packaged ? whyNotStartedWith(rest) : null;
  if (why !== null) return fail(why);
  const named = rest.find((word) => !word.startsWith('-'));
  return ok({ ...launch, startFolder: launch.startFolder ?? (named === undefined ? null : resolve(at.cwd, named)) });
}

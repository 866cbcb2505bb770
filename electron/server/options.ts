import { parseArgs } from 'node:util';
import { fail, ok, type Result } from '#shared/util/result';
import { type Launch, launchOptionNames, takeLaunch } from '../core/launchOptions';

export interface ServerOptions {
  /** 0 lets the system choose a free port. */
  readonly port: number;
  readonly launch: Launch;
}

/** Reads the command line. `--no-open` belongs to the starter and is accepted here without effect. */
export function readOptions(words: readonly string[], cwd: string): Result<ServerOptions> {
  const taken = takeLaunch(words, { cwd });
  if (!taken.ok) return taken;
  const { rest, launch } = taken.value;
  try {
    const { values } = parseArgs({
      args: [...rest],
      options: { port: { type: 'string', default: '0' }, 'no-open': { type: 'boolean' } },
    });
    const { port } = values;
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
      return fail(`--port ${port} is no port number. Give a number from 1 to 65535, or 0 for any free one.`);
    }
    return ok({ port: Number(port), launch });
  } catch (error) {
    if (error instanceof TypeError) return fail(`${error.message} Known: --port N, ${launchOptionNames}.`);
    throw error;
  }
}

// What verbs that export something of a session share: their words, the session, the file.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Exported } from '#shared/api/trace';
import { RpcError } from '#shared/rpc/errors';
import { fail, ok, type Result } from '#shared/util/result';
import { DatabaseRefused, openDatabaseToRead } from '../core/sessions/database';
import { SessionStore, type StoredSession } from '../core/sessions/store';
import { findSession } from './findSession';
import { type CliHost, exitCodes } from './host';
import { takeWords } from './takeWords';
import { writeExport } from './writeExport';

export interface ExportVerb<Format extends string> {
  readonly usage: string;
  /** The first is the one without `--format`. */
  readonly formats: readonly [Format, ...Format[]];
  /** Throws RpcError where it cannot be exported. */
  make(from: {
    readonly database: ReturnType<typeof openDatabaseToRead>;
    readonly session: StoredSession;
    readonly format: Format;
    readonly redact: boolean;
  }): Promise<Exported>;
}

interface ExportOptions<Format> {
  readonly session: string;
  readonly format: Format;
  readonly redact: boolean;
  readonly output: string | null;
  readonly data: string;
}

/** Runs a verb with the words behind it. The value is the exit code. */
export async function runExport<Format extends string>(
  verb: ExportVerb<Format>,
  args: readonly string[],
  host: CliHost,
): Promise<number> {
  const options = readOptions(verb, args, host);
  if (!options.ok || options.value === 'help') {
    if (options.ok) host.out(verb.usage);
    else host.err(`${options.error}\n\n${verb.usage}`);
    return options.ok ? 0 : exitCodes.badUsage;
  }
  const { output, redact } = options.value;
  const exported = await make(verb, options.value);
  if (exported.ok) return await writeExport(exported.value, { output, redact, host });
  host.err(exported.error.message);
  return exported.error.code;
}

async function make<Format extends string>(
  verb: ExportVerb<Format>,
  { session: name, format, redact, data }: ExportOptions<Format>,
): Promise<Result<Exported, { readonly message: string; readonly code: number }>> {
  try {
    const database = openDatabaseToRead({ folder: data, nativeBinding: undefined });
    try {
      const session = findSession(new SessionStore(database, () => undefined).list(), name);
      if (!session.ok) return fail({ message: session.error, code: exitCodes.badUsage });
      return ok(await verb.make({ database, session: session.value, format, redact }));
    } finally {
      database.close();
    }
  } catch (error) {
    if (!(error instanceof DatabaseRefused) && !(error instanceof RpcError)) throw error;
    return fail({ message: error.message, code: exitCodes.failed });
  }
}

function readOptions<Format extends string>(
  { formats }: ExportVerb<Format>,
  args: readonly string[],
  host: CliHost,
): Result<ExportOptions<Format> | 'help'> {
  const usual: string = formats[0];
  const words = takeWords(
    (given) =>
      parseArgs({
        args: [...given],
        allowPositionals: true,
        options: {
          format: { type: 'string', default: usual },
          'no-redact': { type: 'boolean', default: false },
          output: { type: 'string', short: 'o' },
          data: { type: 'string' },
          help: { type: 'boolean', short: 'h' },
        },
      }),
    args,
  );
  if (!words.ok) return words;
  const { values, positionals } = words.value;
  if (values.help === true) return ok('help');
  const [session, extra] = positionals;
  if (session === undefined) return fail('Name a session, or "last".');
  if (extra !== undefined) return fail(`${extra} is one word too many.`);
  const format = formats.find((known) => known === values.format);
  if (format === undefined) return fail(`There is no format ${values.format}. Known: ${formats.join(', ')}.`);
  return ok({
    session,
    format,
    redact: !values['no-redact'],
    output: values.output === undefined ? null : resolve(host.cwd, values.output),
    data: values.data === undefined ? host.paths.data : resolve(host.cwd, values.data),
  });
}

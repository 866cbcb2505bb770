// `gatehouse trace export`: a session's trace as a file for other programs, without what must not leave this computer.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Exported } from '#shared/api/trace';
import { fail, ok, type Result } from '#shared/util/result';
import { DatabaseRefused, openDatabaseToRead } from '../core/sessions/database';
import { SessionStore } from '../core/sessions/store';
import { exportTrace, type TraceFormat, traceFormats } from '../core/trace/exportTrace';
import { TraceLog } from '../core/trace/traceLog';
import { programVersion } from '../node/programVersion';
import { findSession } from './findSession';
import { type CliHost, exitCodes } from './host';
import { takeWords } from './takeWords';
import { writeExport } from './writeExport';

export const traceExportUsage = `gatehouse trace export SESSION [--format json|otlp] [--no-redact] [--output FILE]

  SESSION       its name or the start of it, or "last"
  --format      json: everything, in a form of our own (the default) · otlp: spans as OpenTelemetry's JSON
  --no-redact   leaves keys, passwords, e-mail addresses and your home folder in it
  --output      the file to write; without it the export goes to standard output
  --data DIR    Gatehouse's data folder`;

interface ExportOptions {
  readonly session: string;
  readonly format: TraceFormat;
  readonly redact: boolean;
  readonly output: string | null;
  readonly data: string;
}

/** Runs `trace export` with the words behind it. The value is the exit code. */
export async function traceExport(args: readonly string[], host: CliHost): Promise<number> {
  const options = readOptions(args, host);
  if (!options.ok || options.value === 'help') {
    if (options.ok) host.out(traceExportUsage);
    else host.err(`${options.error}\n\n${traceExportUsage}`);
    return options.ok ? 0 : exitCodes.badUsage;
  }
  const { output, redact } = options.value;
  const exported = await makeExport(options.value, host);
  if (!exported.ok) {
    host.err(exported.error.message);
    return exported.error.code;
  }
  return await writeExport(exported.value, { output, redact, host });
}

async function makeExport(
  { session: name, format, redact, data }: ExportOptions,
  host: CliHost,
): Promise<Result<Exported, { readonly message: string; readonly code: number }>> {
  try {
    const database = openDatabaseToRead({ folder: data, nativeBinding: undefined });
    try {
      const store = new SessionStore(database, () => undefined);
      const session = findSession(store.list(), name);
      if (!session.ok) return fail({ message: session.error, code: exitCodes.badUsage });
      const exported = await exportTrace({
        log: new TraceLog(database),
        session: session.value,
        callIds: null,
        format,
        redact,
        home: host.paths.home,
        version: programVersion(host.surroundings.dist),
        now: Date.now(),
      });
      return exported.ok ? exported : fail({ message: exported.error, code: exitCodes.failed });
    } finally {
      database.close();
    }
  } catch (error) {
    if (!(error instanceof DatabaseRefused)) throw error;
    return fail({ message: error.message, code: exitCodes.failed });
  }
}

function readOptions(args: readonly string[], host: CliHost): Result<ExportOptions | 'help'> {
  const words = takeWords(
    (given) =>
      parseArgs({
        args: [...given],
        allowPositionals: true,
        options: {
          format: { type: 'string', default: 'json' },
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
  const format = traceFormats.find((known) => known === values.format);
  if (format === undefined) return fail(`There is no format ${values.format}. Known: ${traceFormats.join(', ')}.`);
  return ok({
    session,
    format,
    redact: !values['no-redact'],
    output: values.output === undefined ? null : resolve(host.cwd, values.output),
    data: values.data === undefined ? host.paths.data : resolve(host.cwd, values.data),
  });
}

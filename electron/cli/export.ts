// `gatehouse export`: a conversation as a file to take along, without what must not leave this computer.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Exported } from '#shared/api/trace';
import { RpcError } from '#shared/rpc/errors';
import { fail, ok, type Result } from '#shared/util/result';
import {
  type ConversationFormat,
  conversationFormats,
  exportConversation,
  readSession,
} from '../core/export/exportConversation';
import { DatabaseRefused, openDatabaseToRead } from '../core/sessions/database';
import { SessionStore } from '../core/sessions/store';
import { findSession } from './findSession';
import { type CliHost, exitCodes } from './host';
import { takeWords } from './takeWords';
import { writeExport } from './writeExport';

const usage = `gatehouse export SESSION [--format markdown|json|html] [--no-redact] [--output FILE]

  SESSION       its name or the start of it, or "last"
  --format      markdown: for notes and issues (the default) · html: one page without scripts · json: everything
  --no-redact   leaves keys, passwords, e-mail addresses and your home folder in it
  --output      the file to write; without it the export goes to standard output
  --data DIR    Gatehouse's data folder`;

interface ExportOptions {
  readonly session: string;
  readonly format: ConversationFormat;
  readonly redact: boolean;
  readonly output: string | null;
  readonly data: string;
}

/** Runs `export` with the words behind it. The value is the exit code. */
export async function exportVerb(args: readonly string[], host: CliHost): Promise<number> {
  const options = readOptions(args, host);
  if (!options.ok || options.value === 'help') {
    if (options.ok) host.out(usage);
    else host.err(`${options.error}\n\n${usage}`);
    return options.ok ? 0 : exitCodes.badUsage;
  }
  const exported = await makeExport(options.value, host);
  if (exported.ok) return await writeExport(exported.value, { ...options.value, host });
  host.err(exported.error.message);
  return exported.error.code;
}

async function makeExport(
  { session: name, format, redact, data }: ExportOptions,
  host: CliHost,
): Promise<Result<Exported, { readonly message: string; readonly code: number }>> {
  const breathe = (): undefined => undefined;
  try {
    const database = openDatabaseToRead({ folder: data, nativeBinding: undefined });
    try {
      const session = findSession(new SessionStore(database, () => undefined).list(), name);
      if (!session.ok) return fail({ message: session.error, code: exitCodes.badUsage });
      const state = await readSession(database, session.value.sessionId, breathe);
      const wish = { format, redact, home: host.paths.home, now: Date.now(), breathe };
      return ok(await exportConversation({ state, leftOut: new Map() }, wish));
    } finally {
      database.close();
    }
  } catch (error) {
    if (!(error instanceof DatabaseRefused) && !(error instanceof RpcError)) throw error;
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
          format: { type: 'string', default: 'markdown' },
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
  const format = conversationFormats.find((known) => known === values.format);
  if (format === undefined)
    return fail(`There is no format ${values.format}. Known: ${conversationFormats.join(', ')}.`);
  return ok({
    session,
    format,
    redact: !values['no-redact'],
    output: values.output === undefined ? null : resolve(host.cwd, values.output),
    data: values.data === undefined ? host.paths.data : resolve(host.cwd, values.data),
  });
}

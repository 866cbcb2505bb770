// `gatehouse export`: a conversation as a file to take along, without what must not leave this computer.
import { conversationFormats, exportConversation, readSession } from '../core/export/exportConversation';
import type { CliHost } from './host';
import { runExport } from './runExport';

const usage = `gatehouse export SESSION [--format markdown|json|html] [--no-redact] [--output FILE]

  SESSION       its name or the start of it, or "last"
  --format      markdown: for notes and issues (the default) · html: one page without scripts · json: everything
  --no-redact   leaves keys, passwords, e-mail addresses and your home folder in it
  --output      the file to write; without it the export goes to standard output
  --data DIR    Gatehouse's data folder`;

/** Runs `export` with the words behind it. The value is the exit code. */
export async function exportVerb(args: readonly string[], host: CliHost): Promise<number> {
  const breathe = (): undefined => undefined;
  return await runExport(
    {
      usage,
      formats: conversationFormats,
      async make({ database, session, format, redact }) {
        const state = await readSession(database, session.sessionId, breathe);
        const wish = { format, redact, home: host.paths.home, now: Date.now(), breathe };
        return await exportConversation({ state, leftOut: new Map() }, wish);
      },
    },
    args,
    host,
  );
}

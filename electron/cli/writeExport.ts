// How an export leaves the command line: its text alone to standard output or a file, what is to be said about it beside.
import { writeFile } from 'node:fs/promises';
import type { Exported } from '#shared/api/trace';
import { bestEffort } from '../core/export/redact';
import { visible } from '../core/permissions/explainText';
import { type CliHost, exitCodes } from './host';

/** The value is the exit code. `output` null: to standard output. */
export async function writeExport(
  exported: Exported,
  options: { readonly output: string | null; readonly redact: boolean; readonly host: CliHost },
): Promise<number> {
  const { output, redact, host } = options;
  if (output === null) host.out(exported.text.trimEnd());
  else {
    try {
      // Whatever is in it is meant for one person until they pass it on.
      await writeFile(output, exported.text, { mode: 0o600 });
    } catch (error) {
      host.err(`${output} could not be written: ${error instanceof Error ? error.message : String(error)}`);
      return exitCodes.failed;
    }
    host.err(`Written: ${output}`);
  }
  for (const line of redact ? takenOut(exported) : ['Nothing was taken out. Keep it to yourself.']) host.err(line);
  return 0;
}

/** What was taken out, a line for each kind. */
function takenOut({ redactions, leftOut }: Exported): readonly string[] {
  return [
    ...redactions.map(
      ({ kind, count, sample }) =>
        `Taken out: ${kind}, ${count} ${count === 1 ? 'time' : 'times'}, as in: ${visible(sample)}`,
    ),
    ...leftOut.map(({ what, count }) => `Left out: ${count} ${what}`),
    bestEffort,
  ];
}

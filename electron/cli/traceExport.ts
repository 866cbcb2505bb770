// `gatehouse trace export`: a session's trace as a file for other programs, without what must not leave this computer.
import { RpcError } from '#shared/rpc/errors';
import { exportTrace, traceFormats } from '../core/trace/exportTrace';
import { TraceLog } from '../core/trace/traceLog';
import { programVersion } from '../node/programVersion';
import type { CliHost } from './host';
import { runExport } from './runExport';

export const traceExportUsage = `gatehouse trace export SESSION [--format json|otlp] [--no-redact] [--output FILE]

  SESSION       its name or the start of it, or "last"
  --format      json: everything, in a form of our own (the default) · otlp: spans as OpenTelemetry's JSON
  --no-redact   leaves keys, passwords, e-mail addresses and your home folder in it
  --output      the file to write; without it the export goes to standard output
  --data DIR    Gatehouse's data folder`;

/** Runs `trace export` with the words behind it. The value is the exit code. */
export async function traceExport(args: readonly string[], host: CliHost): Promise<number> {
  return await runExport(
    {
      usage: traceExportUsage,
      formats: traceFormats,
      async make({ database, session, format, redact }) {
        const exported = await exportTrace({
          log: new TraceLog(database),
          session,
          callIds: null,
          format,
          redact,
          home: host.paths.home,
          version: programVersion(host.surroundings.dist),
          now: Date.now(),
        });
        if (!exported.ok) throw new RpcError('refused', exported.error);
        return exported.value;
      },
    },
    args,
    host,
  );
}

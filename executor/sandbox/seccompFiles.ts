// The filters as files, since bubblewrap reads them from a descriptor.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seccompFilter } from './seccomp';

/** Paths of the filters. */
export interface SeccompFilters {
  readonly strict: string;
  readonly withUnixSockets: string;
}

/** Writes them where only this user looks, until the program ends; null where there is none for this processor. */
export function writeSeccompFilters(arch: string): SeccompFilters | null {
  const strict = seccompFilter({ arch, unixSockets: false });
  const withUnixSockets = seccompFilter({ arch, unixSockets: true });
  if (strict === null || withUnixSockets === null) return null;
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-filters-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const files = { strict: join(folder, 'strict'), withUnixSockets: join(folder, 'unix-sockets') };
  writeFileSync(files.strict, strict, { mode: 0o400 });
  writeFileSync(files.withUnixSockets, withUnixSockets, { mode: 0o400 });
  return files;
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The program's version, from the package file beside its built files. `dist`: their folder, absolute. */
export function programVersion(dist: string): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(dist, '../package.json'), 'utf8')))
    .version;
}

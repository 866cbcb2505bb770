// THE list of what is built. Nothing else in the product knows these paths.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const dist = join(root, 'dist');

/**
 * Node and Electron programs: name → source, output file (in dist), module format. `chunks`: a folder in dist for parts that
 * are loaded when they are needed; such a program also carries its packages within, because reading hundreds of small
 * files is most of a short program's start. `whole`: it carries its packages within, too, because it runs where it finds none.
 */
export const programs = [
  { name: 'server', source: 'electron/server/main.ts', output: 'server.mjs', format: 'esm' },
  { name: 'cli', source: 'electron/cli/main.ts', output: 'cli.mjs', format: 'esm' },
  // What the command line loads, in a form for which compiled code can be kept.
  { name: 'verbs', source: 'electron/cli/verbs.ts', output: 'cli/verbs.cjs', format: 'cjs', chunks: 'cli' },
  { name: 'executor', source: 'executor/main.ts', output: 'executor.mjs', format: 'esm', chunks: 'executor' },
  // Threads of the executor, found beside it.
  { name: 'pageWorker', source: 'executor/fetch/pageWorker.ts', output: 'pageWorker.mjs', format: 'esm', whole: true },
  { name: 'pdfWorker', source: 'executor/pdf/worker.ts', output: 'pdfWorker.mjs', format: 'esm' },
  // Threads of the core.
  {
    name: 'historyWorker',
    source: 'electron/core/history/worker/historyWorker.ts',
    output: 'historyWorker.mjs',
    format: 'esm',
    whole: true,
  },
  {
    name: 'resultsWorker',
    source: 'electron/core/results/worker/resultsWorker.ts',
    output: 'resultsWorker.mjs',
    format: 'esm',
    whole: true,
  },
  {
    name: 'searchWorker',
    source: 'electron/core/search/worker/searchWorker.ts',
    output: 'searchWorker.mjs',
    format: 'esm',
    whole: true,
  },
  { name: 'desktop', source: 'electron/desktop/main.ts', output: 'desktop/main.mjs', format: 'esm' },
  // A sandboxed preload script cannot be an ES module.
  { name: 'preload', source: 'electron/desktop/preload.ts', output: 'desktop/preload.cjs', format: 'cjs' },
];

export const pageRoot = join(root, 'renderer');
export const pageOutput = join(dist, 'renderer');

/** better-sqlite3 compiled for Electron; the desktop host looks for it here. */
export const electronSqlite = join(dist, 'native', 'better_sqlite3.node');
/** Written after a complete build; its time says how old the build is. */
export const buildStamp = join(dist, 'built.json');

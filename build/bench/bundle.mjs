// Bundles a few of the product's modules into one temporary file, so that a bench measures what ships.
import { mkdirSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { dist, root } from '../entries.mjs';
import { textFiles } from '../textFiles.mjs';

const entryId = 'gatehouse-bench-entry';

/**
 * Bundles the given sources (paths from the root) and imports the result: all their exports in one object. Packages
 * stay in node_modules.
 */
export async function importSources(options) {
  return import(pathToFileURL(await bundleSources(options)).href);
}

/** Bundles the given sources in the same way into a file; its path. */
export async function bundleSources({ name, sources }) {
  const code = sources.map((source) => `export * from ${JSON.stringify(join(root, source))};`).join('\n');
  const entry = {
    name: 'gatehouse-bench-entry',
    resolveId: (id) => (id === entryId ? id : null),
    load: (id) => (id === entryId ? code : null),
  };
  const bundle = await rolldown({
    cwd: root,
    input: entryId,
    platform: 'node',
    external: [
      ...builtinModules.map((module) => new RegExp(`^(node:)?${module}$`)),
      /^(?![./#]|gatehouse-bench)[^:]+$/,
    ],
    plugins: [entry, textFiles()],
  });
  const folder = join(dist, 'bench');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.mjs`);
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
  return file;
}

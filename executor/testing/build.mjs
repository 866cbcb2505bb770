// For tests: `node executor/testing/build.mjs FILE` builds the executor from source into FILE and its threads beside it,
// without touching dist/.
import { readFileSync, symlinkSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [, , file = ''] = process.argv;
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const names = [...Object.keys(dependencies), ...builtinModules];
const external = (id) => id.startsWith('node:') || names.some((name) => id === name || id.startsWith(`${name}/`));

const programs = [
  ['executor/main.ts', file],
  ['executor/fetch/pageWorker.ts', join(dirname(file), 'pageWorker.mjs')],
  ['executor/pdf/worker.ts', join(dirname(file), 'pdfWorker.mjs')],
];
for (const [source, output] of programs) {
  const bundle = await rolldown({
    cwd: root,
    input: join(root, source),
    platform: 'node',
    external,
  });
  await bundle.write({ file: output, format: 'esm', codeSplitting: false });
  await bundle.close();
}
symlinkSync(join(root, 'node_modules'), join(dirname(file), 'node_modules'));

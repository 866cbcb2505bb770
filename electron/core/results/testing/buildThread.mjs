// For tests: `node electron/core/results/testing/buildThread.mjs FILE` builds the thread of results from source into FILE.
import { readFileSync, symlinkSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const [, , file = ''] = process.argv;
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const names = [...Object.keys(dependencies), ...builtinModules];

const bundle = await rolldown({
  cwd: root,
  input: join(root, 'electron/core/results/worker/resultsWorker.ts'),
  platform: 'node',
  external: (id) => id.startsWith('node:') || names.some((name) => id === name || id.startsWith(`${name}/`)),
});
await bundle.write({ file, format: 'esm', codeSplitting: false });
await bundle.close();
symlinkSync(join(root, 'node_modules'), join(dirname(file), 'node_modules'));

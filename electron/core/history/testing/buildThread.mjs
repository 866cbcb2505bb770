// For tests: `node electron/core/history/testing/buildThread.mjs FILE [SOURCE]` builds a thread of the core from source into
// FILE: that of past calls, or another.
import { readFileSync, symlinkSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const [, , file = '', source = 'electron/core/history/worker/historyWorker.ts'] = process.argv;
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const names = [...Object.keys(dependencies), ...builtinModules];
const { textFiles } = await import(pathToFileURL(join(root, 'build/textFiles.mjs')).href);

const bundle = await rolldown({
  cwd: root,
  input: join(root, source),
  platform: 'node',
  external: (id) => id.startsWith('node:') || names.some((name) => id === name || id.startsWith(`${name}/`)),
  plugins: [textFiles()],
});
await bundle.write({ file, format: 'esm', codeSplitting: false });
await bundle.close();
symlinkSync(join(root, 'node_modules'), join(dirname(file), 'node_modules'));

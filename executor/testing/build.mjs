// For tests: `node executor/testing/build.mjs FILE` builds the executor from source into FILE, without touching dist/.
import { readFileSync, symlinkSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [, , file = ''] = process.argv;
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const external = new Set([...Object.keys(dependencies), ...builtinModules]);

const bundle = await rolldown({
  cwd: root,
  input: join(root, 'executor/main.ts'),
  platform: 'node',
  external: (id) => external.has(id) || id.startsWith('node:'),
});
await bundle.write({ file, format: 'esm', codeSplitting: false });
await bundle.close();
symlinkSync(join(root, 'node_modules'), join(dirname(file), 'node_modules'));

// Finds the fuzzer's targets (`*.fuzz.ts` beside what they drive) and bundles each file of them into dist.
import { readdir, rm } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { basename, join } from 'node:path';
import { rolldown } from 'rolldown';
import { readJson } from '../cacheFolder.mjs';
import { dist, root } from '../entries.mjs';
import { textFiles } from '../textFiles.mjs';

const folders = ['shared', 'executor', 'electron'];
const output = join(dist, 'fuzz');

/** Paths of the files relative to the root, sorted. */
async function find() {
  const lists = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(root, folder), { recursive: true });
      return names.filter((name) => name.endsWith('.fuzz.ts')).map((name) => join(folder, name));
    }),
  );
  return lists.flat().sort();
}

/** Bundles all of them: a list of {name, file}. */
export async function bundleTargets() {
  const { dependencies, devDependencies } = await readJson(join(root, 'package.json'));
  const names = [...Object.keys({ ...dependencies, ...devDependencies }), ...builtinModules];
  const external = (id) => id.startsWith('node:') || names.some((name) => id === name || id.startsWith(`${name}/`));
  await rm(output, { recursive: true, force: true });
  const files = await find();
  const input = Object.fromEntries(files.map((path) => [basename(path, '.fuzz.ts'), join(root, path)]));
  const bundle = await rolldown({ cwd: root, input, platform: 'node', external, plugins: [textFiles()] });
  await bundle.write({ dir: output, format: 'esm', entryFileNames: '[name].mjs', sourcemap: true });
  await bundle.close();
  return Object.keys(input).map((name) => ({ name, file: join(output, `${name}.mjs`) }));
}

// Memory that counts only for some files: told once the model has worked on one of them.
import { dirname, join, relative, sep } from 'node:path';
import ignore from 'ignore';
import { splitFrontMatter } from './frontMatter';
import { type MemoryFile, readMemory } from './memory';
import { type ContextPlace, projectFolders } from './places';
import { liesIn, readTextFile, realOr } from './textFile';

/** Folders of other people's code: what they tell an agent is not the project's word. */
const foreign: ReadonlySet<string> = new Set([
  ...['node_modules', 'bower_components', 'vendor', 'third_party', 'site-packages', '.venv', 'venv', '.git'],
  ...['dist', 'build', 'target'],
]);
/** Longest text of one file, in characters. */
const maxChars = 40_000;

/**
 * Memory files of folders further down and rules for certain files, as far as they concern `paths` (absolute), without
 * those in `told`. Nothing of a folder that is not trusted. Never rejects for what is on the disk.
 */
export async function memoryNear(
  place: ContextPlace,
  paths: readonly string[],
  told: ReadonlySet<string>,
): Promise<readonly MemoryFile[]> {
  if (!place.trusted || paths.length === 0) return [];
  const above = await projectFolders(place);
  const root = await realOr(above[0] ?? place.folder);
  const inside = (await Promise.all(paths.map(realOr))).filter((path) => isOwn(root, path));
  if (inside.length === 0) return [];
  const wanted: { readonly file: string; readonly scope: MemoryFile['scope'] }[] = [];
  const loaded = new Set(await Promise.all(above.map(realOr)));
  for (const folder of foldersDownTo(root, inside).filter((one) => !loaded.has(one)))
    wanted.push(
      { file: join(folder, 'CLAUDE.md'), scope: 'project' },
      { file: join(folder, '.claude', 'CLAUDE.md'), scope: 'project' },
      { file: join(folder, 'CLAUDE.local.md'), scope: 'local' },
    );
  const { conditional } = await readMemory(place);
  for (const { file, patterns } of conditional)
    if (inside.some((path) => matches(patterns, relative(root, path)))) wanted.push({ file, scope: 'project' });

  const found: MemoryFile[] = [];
  for (const { file, scope } of wanted) {
    if (told.has(file)) continue;
    // A rule of the person's own lies elsewhere.
    const own = liesIn(file, place.paths.claudeConfig);
    const read = await readTextFile(file, own ? null : [root]);
    if (!read.ok) continue;
    const text = splitFrontMatter(read.value.text).body.trim().slice(0, maxChars);
    if (text !== '') found.push({ file, scope: own ? 'user' : scope, text });
  }
  return found;
}

function isOwn(root: string, path: string): boolean {
  if (!liesIn(path, root)) return false;
  return !relative(root, path)
    .split(sep)
    .some((part) => foreign.has(part));
}

/** Folders that hold the paths, below the root, outermost first. */
function foldersDownTo(root: string, paths: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths)
    for (let at = dirname(path); at !== root && liesIn(at, root); at = dirname(at)) folders.add(at);
  return [...folders].sort((a, b) => (a < b ? -1 : 1));
}

function matches(patterns: readonly string[], path: string): boolean {
  return ignore()
    .add(patterns.map((pattern) => pattern.replace(/^\.\//, '/')))
    .ignores(path.split(sep).join('/'));
}

// Refuses what the compiler cannot see: imports against the table, ways out of a process where they do not belong,
// circles, big files. `node build/structure.mjs` prints file:line, rule, and what to do instead.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root as checkout } from './entries.mjs';
import { ignoredFolders } from './structure/places.mjs';
import * as rules from './structure/rules.mjs';
import { readSource } from './structure/sourceFile.mjs';

const isSource = (path) => /\.(ts|tsx|mjs|cjs|js)$/.test(path);
const isText = (path) => /\.(md|json|css|html|yml|sh)$/.test(path) || path.startsWith('.ci/');

async function list(folder) {
  const entries = await readdir(folder, { withFileTypes: true });
  const nested = await Promise.all(
    entries
      .filter((entry) => !ignoredFolders.has(entry.name))
      .map((entry) => (entry.isDirectory() ? list(join(folder, entry.name)) : [join(folder, entry.name)])),
  );
  return nested.flat();
}

/** All problems of the tree at `root`, sorted by file and line: {path, line, rule, message}. */
export async function findProblems(root) {
  const base = resolve(root);
  const paths = (await list(base)).map((path) => relative(base, path).split(sep).join('/')).sort();
  const known = new Set(paths);
  const exists = (path) => known.has(path);
  const read = (path) => readFile(join(base, path), 'utf8');
  const problems = rules.checkTopLevel({
    names: (await readdir(base)).filter((name) => !ignoredFolders.has(name)),
  });

  const files = [];
  for (const path of paths) {
    if (isSource(path)) {
      const file = readSource({ path, text: await read(path) });
      if (file.syntaxError === undefined) files.push(file);
      else problems.push({ path, line: 1, rule: 'syntax', message: file.syntaxError });
      problems.push(...rules.checkName({ path }));
    } else if (path === 'package-lock.json') problems.push(...rules.checkLock({ path, text: await read(path) }));
    else if (isText(path)) problems.push(...rules.checkText({ path, text: await read(path), root: base }));
  }
  for (const file of files) {
    problems.push(
      ...rules.checkImports({ file, exists }),
      ...rules.checkUses({ file }),
      ...rules.checkComments({ file }),
      ...rules.checkPaths({ file, root: base }),
      ...rules.checkSize({ file }),
    );
  }
  problems.push(...rules.checkDoors({ files }), ...rules.checkCycles({ files, exists }));
  return problems.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}

export const describeProblem = ({ path, line, rule, message }) => `${path}:${line}  [${rule}] ${message}`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problems = await findProblems(process.argv[2] ?? checkout);
  for (const each of problems) console.error(describeProblem(each));
  console.log(problems.length === 0 ? 'structure: nothing to object to' : `structure: ${problems.length} to mend`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

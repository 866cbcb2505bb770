// What the tree may not contain. Every rule returns problems: {path, line, rule, message}; a message says what is
// wrong and what to do instead.
import { posix } from 'node:path';
import {
  bareName,
  inPackages,
  ipcFiles,
  isBuiltin,
  isDoor,
  isTest,
  isTestPackage,
  isTestSupport,
  mayStartProcesses,
  packageName,
  placeOf,
  processModules,
  topLevel,
  worldModules,
} from './places.mjs';

const maxFileLines = 500;
/** Lines of a thin door, tests aside. */
const maxDoorLines = 500;
const thinDoors = ['electron/desktop', 'electron/server'];

const problem = (path, line, rule, message) => ({ path, line, rule, message });

/** Path of the file that an import of the product's own names, undefined for packages and Node's modules. */
function resolveImport({ from, specifier, exists }) {
  let base;
  if (specifier.startsWith('#shared/')) base = `shared/${specifier.slice('#shared/'.length)}`;
  else if (specifier.startsWith('.')) base = posix.join(posix.dirname(from), specifier);
  else return undefined;
  const bare = base.replace(/\?.*$/, '');
  const candidates = [
    bare,
    `${bare}.ts`,
    `${bare}.tsx`,
    `${bare}.mjs`,
    `${bare}.d.ts`,
    `${bare}/index.ts`,
    bare.replace(/\.js$/, '.ts'),
  ];
  return candidates.find(exists) ?? bare;
}

function ownImport({ file, each, target }) {
  const { path } = file;
  const place = placeOf(path);
  const other = placeOf(target);
  const report = (rule, message) => [problem(path, each.line, rule, message)];
  if (!isTest(path) && !isTestSupport(path) && (isTest(target) || isTestSupport(target)))
    return report('tests', `imports ${target}, which exists for tests: move what the product needs out of it`);
  if (place === undefined || place === other) return [];
  if (other === undefined) return report('layers', `imports ${target}, which is outside of all folders of the product`);
  if (place.may.includes(other.name)) return [];
  if (place.may.includes(`${other.name}:types`)) {
    if (each.typeOnly) return [];
    return report('layers', `imports values of ${other.name}: ${place.name} may use its types alone (import type)`);
  }
  const allowed = place.may.length === 0 ? 'nothing of the product' : place.may.join(' and ');
  return report(
    'layers',
    `${place.name} imports ${other.name} (${target}): it may import ${allowed}; what both need belongs in shared, what the other does is asked for through a contract in shared/api`,
  );
}

function packageImport({ file, each }) {
  const { path } = file;
  const { specifier } = each;
  const place = placeOf(path);
  const test = isTest(path) || isTestSupport(path);
  const report = (rule, message) => [problem(path, each.line, rule, message)];
  const bare = bareName(specifier);
  const name = packageName(specifier);

  if (name === 'electron' && place?.name !== 'desktop')
    return report(
      'electron',
      'imports electron: only electron/desktop may, give the core what it needs through a port',
    );
  if (place?.name === 'core' && path.startsWith('electron/core/tools/') && !test && worldModules.includes(bare))
    return report(
      'tools',
      `imports ${specifier}: a tool touches the world only through the handle in its context (ctx.executor)`,
    );
  if (processModules.includes(bare) && !mayStartProcesses(path) && !test && place?.name !== 'build')
    return report(
      'processes',
      `imports ${specifier}: processes are started by the executor, its launchers, core/hooks/run, core/mcp/runStdioServer, node/revealFile and cli/gitFiles alone`,
    );
  if (isTestPackage(name) && !isBuiltin(specifier))
    return test || place?.name === 'build' ? [] : report('tests', `imports ${name}: only tests may`);
  if (place === undefined) return [];
  if (isBuiltin(specifier)) {
    if (place.node || test) return [];
    return report('layers', `${place.name} imports ${specifier}: it runs without Node; ask the core for what it needs`);
  }
  if (place.only !== undefined && !inPackages(name, place.only))
    return report('layers', `${place.name} imports ${name}: it may import ${place.only.join(', ')} alone`);
  if (place.never !== undefined && !test && inPackages(name, place.never))
    return report('layers', `${place.name} imports ${name}, which belongs to another process`);
  return [];
}

/** The import table. */
export function checkImports({ file, exists }) {
  return file.imports.flatMap((each) => {
    if (each.specifier === undefined) {
      const free = placeOf(file.path)?.name === 'build' || isTest(file.path) || isTestSupport(file.path);
      if (free) return [];
      return [
        problem(
          file.path,
          each.line,
          'layers',
          'imports a computed path: name the module literally, or take the path as an option',
        ),
      ];
    }
    const target = resolveImport({ from: file.path, specifier: each.specifier, exists });
    return target === undefined ? packageImport({ file, each }) : ownImport({ file, each, target });
  });
}

/** Things that only some places may do. */
export function checkUses({ file }) {
  const { path } = file;
  const test = isTest(path) || isTestSupport(path);
  const place = placeOf(path)?.name;
  const outside = place === 'build' || place === 'e2e';
  const rules = {
    environment: () =>
      !isDoor(path) && !test && !outside && ['environment', 'reads process.env: only the doors may, pass the value in'],
    environmentWrite: () =>
      test &&
      !outside && ['environment', 'changes the process environment in a test: pass an environment object in instead'],
    homedir: () =>
      !outside &&
      (!isDoor(path) || test) && [
        'environment',
        'asks for the home folder: only the doors may (tests use a temporary folder), pass the path in',
      ],
    ipc: (detail) =>
      place === 'desktop' &&
      !test &&
      !ipcFiles.includes(path) && [
        'ipc',
        `uses ${detail}: Electron's ipc lives in ipcTransport.ts and preload.ts alone, speak through a Transport`,
      ],
    fetch: () =>
      path.startsWith('electron/core/tools/') &&
      !test && ['tools', 'calls fetch: a tool touches the world only through the handle in its context (ctx.executor)'],
    focusedTest: (detail) => ['tests', `${detail} runs this test alone and silences the others: remove it`],
    skippedTest: (detail) => [
      'tests',
      `${detail} switches a test off: repair it or delete it (skipIf with a condition is allowed)`,
    ],
  };
  return file.uses.flatMap(({ kind, line, detail }) => {
    const found = rules[kind](detail);
    return found ? [problem(path, line, ...found)] : [];
  });
}

/** Marks of unfinished work in comments; the word inside a sentence is not one. */
const unfinished = /^[\s*!]*(TODO|FIXME|XXX|HACK)\b|\b(TODO|FIXME|XXX|HACK)\s*[:(]/m;

export function checkComments({ file }) {
  return file.comments.flatMap(({ text, line }) => {
    const found = unfinished.exec(text);
    if (found === null) return [];
    const at = line + text.slice(0, found.index).split('\n').length - 1;
    return [problem(file.path, at, 'unfinished', `${found[1] ?? found[2]} in the source: do it now or write an issue`)];
  });
}

/** Home folders of people; tests invent such paths freely. */
const personalPath = /(^|[\s'"=:(])(\/(home|Users)\/[A-Za-z0-9_.-]+\/|\/root\/\w|[A-Za-z]:\\Users\\\w)/;

/** A checkout directly under / (`/app`) shares its name with too many innocent paths. */
const namesCheckout = ({ text, root }) => root.split('/').length > 2 && `${text}/`.includes(`${root}/`);

export function checkPaths({ file, root }) {
  const test = isTest(file.path) || isTestSupport(file.path);
  return file.strings.flatMap(({ value, line }) => {
    const machine = personalPath.test(value) || namesCheckout({ text: value, root });
    return machine && !test
      ? [
          problem(
            file.path,
            line,
            'paths',
            `names a path of one machine (${JSON.stringify(value.slice(0, 80))}): derive it from import.meta.url, an option or the environment of a door`,
          ),
        ]
      : [];
  });
}

export function checkName({ path }) {
  const name = posix.basename(path);
  if (/^(utils?|helpers?|misc|common)\./i.test(name))
    return [problem(path, 1, 'names', `${name} says nothing: name the file after the one thing it does`)];
  // The test of a component carries the component's name.
  if (/\.ts$/.test(name) && !/\.test\.ts$/.test(name) && !/^[a-z][A-Za-z0-9]*(\.[a-z][A-Za-z0-9]*)*\.ts$/.test(name))
    return [problem(path, 1, 'names', `${name}: files are named in camelCase`)];
  if (/\.tsx$/.test(name) && !/^[A-Za-z][A-Za-z0-9]*(\.[a-z]+)*\.tsx$/.test(name))
    return [problem(path, 1, 'names', `${name}: components are named in PascalCase`)];
  return [];
}

export function checkSize({ file }) {
  if (file.lineCount <= maxFileLines) return [];
  return [
    problem(
      file.path,
      maxFileLines,
      'size',
      `${file.lineCount} lines, at most ${maxFileLines}: split it along what changes together`,
    ),
  ];
}

export function checkDoors({ files }) {
  return thinDoors.flatMap((door) => {
    const own = files.filter(({ path }) => path.startsWith(`${door}/`) && !isTest(path) && !isTestSupport(path));
    const total = own.reduce((sum, file) => sum + file.lineCount, 0);
    if (total <= maxDoorLines) return [];
    const longest = own.reduce((a, b) => (b.lineCount > a.lineCount ? b : a));
    return [
      problem(
        longest.path,
        1,
        'size',
        `${door} has ${total} lines without tests, at most ${maxDoorLines}: what is not about this host belongs in the core`,
      ),
    ];
  });
}

export function checkCycles({ files, exists }) {
  const edges = new Map(
    files.map((file) => [
      file.path,
      file.imports.flatMap(({ specifier, line }) => {
        const target = specifier === undefined ? undefined : resolveImport({ from: file.path, specifier, exists });
        return target === undefined ? [] : [{ target, line }];
      }),
    ]),
  );
  const problems = [];
  const state = new Map();
  const trail = [];
  function visit(path) {
    state.set(path, 'open');
    trail.push(path);
    for (const { target, line } of edges.get(path) ?? []) {
      if (state.get(target) === 'open') {
        const circle = [...trail.slice(trail.indexOf(target)), target];
        problems.push(
          problem(
            path,
            line,
            'cycles',
            `closes a circle of imports: ${circle.join(' → ')}; move what both need into a file of its own`,
          ),
        );
      } else if (!state.has(target) && edges.has(target)) visit(target);
    }
    trail.pop();
    state.set(path, 'done');
  }
  for (const path of [...edges.keys()].sort()) if (!state.has(path)) visit(path);
  return problems;
}

export function checkTopLevel({ names }) {
  return names
    .filter((name) => !name.startsWith('.') && !topLevel.includes(name))
    .map((name) =>
      problem(name, 1, 'topLevel', `does not belong at the top: allowed are ${topLevel.join(', ')} and dot files`),
    );
}

export function checkLock({ path, text }) {
  const line = text.split('\n').findIndex((each) => /^\s*"resolved": "https?:/.test(each)) + 1;
  if (line === 0) return [];
  return [
    problem(
      path,
      line,
      'lock',
      'holds addresses of one registry: write it with `npm install --omit-lockfile-registry-resolved`',
    ),
  ];
}

/** Text files that are not source: Markdown, JSON, style sheets, shell scripts. */
export function checkText({ path, text, root }) {
  const problems = [];
  text.split('\n').forEach((line, index) => {
    if (namesCheckout({ text: line, root }))
      problems.push(
        problem(path, index + 1, 'paths', 'names the folder of one machine: write a path relative to the checkout'),
      );
    if (/(<!--|\/\*|^\s*#)\s*(TODO|FIXME)\b|\b(TODO|FIXME):/.test(line))
      problems.push(problem(path, index + 1, 'unfinished', 'mark of unfinished work: do it now or write an issue'));
  });
  return problems;
}

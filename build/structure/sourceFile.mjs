// Reads one source file into the facts that the rules are about. Nothing here judges.
import { parseSync, Visitor } from 'rolldown/utils';

const testNames = new Set(['it', 'test', 'describe', 'suite', 'bench']);
const skippedNames = new Set(['xit', 'xtest', 'xdescribe', 'fit', 'fdescribe']);
const ipcNames = new Set(['ipcMain', 'ipcRenderer']);

function lineFinder(text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

const nameOf = (node) => {
  if (node?.type === 'Identifier') return node.name;
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  return undefined;
};

/** A name written out; a template with values in it tells a reason that was found while the file was read. */
const isText = (node) =>
  node === undefined ||
  (node.type === 'TemplateLiteral' && node.expressions.length === 0) ||
  (node.type === 'Literal' && typeof node.value === 'string');

/** The names of `a.b.c` from left to right; undefined when a part is not a plain name. */
function chain(node) {
  if (node.type === 'Identifier') return [node.name];
  if (node.type === 'CallExpression') return chain(node.callee);
  if (node.type !== 'MemberExpression') return undefined;
  const left = chain(node.object);
  const name = nameOf(node.property);
  return left === undefined || name === undefined ? undefined : [...left, name];
}

const isProcessEnv = (node) =>
  node?.type === 'MemberExpression' &&
  nameOf(node.property) === 'env' &&
  ['process', 'globalThis.process'].includes(chain(node.object)?.join('.'));

const writesEnvironment = (target) =>
  isProcessEnv(target) || (target?.type === 'MemberExpression' && isProcessEnv(target.object));

/**
 * Facts of a TypeScript or JavaScript file. Lines count from 1.
 * `imports`: every module named by import, export from, import(), import type, require; `specifier` is undefined
 * when it is not a literal. `uses`: {kind, line, detail} for the things that only some places may do.
 * A file that does not parse gives `syntaxError`.
 */
export function readSource({ path, text }) {
  const lineAt = lineFinder(text);
  const language = path.endsWith('x') ? 'tsx' : path.endsWith('.ts') ? 'ts' : 'js';
  const parsed = parseSync(path, text, { lang: path.endsWith('.d.ts') ? 'dts' : language });
  const imports = [];
  const uses = [];
  const strings = [];
  const use = (kind, node, detail = '') => uses.push({ kind, line: lineAt(node.start), detail });

  function addImport(node, source, { typeOnly, names = [] }) {
    const specifier = source?.type === 'Literal' ? String(source.value) : undefined;
    imports.push({ specifier, line: lineAt(node.start), typeOnly });
    const from = specifier?.replace(/^node:/, '');
    if (from === 'os' && names.includes('homedir')) use('homedir', node);
    if (from === 'process' && names.includes('env')) use('environment', node);
    if (from === 'electron') for (const name of names) if (ipcNames.has(name)) use('ipc', node, name);
  }

  const visitor = new Visitor({
    ImportDeclaration(node) {
      const named = node.specifiers.filter((each) => each.type === 'ImportSpecifier');
      addImport(node, node.source, {
        typeOnly:
          node.importKind === 'type' ||
          (named.length > 0 &&
            named.length === node.specifiers.length &&
            named.every((each) => each.importKind === 'type')),
        names: named.map((each) => nameOf(each.imported)),
      });
    },
    ExportNamedDeclaration(node) {
      if (node.source) addImport(node, node.source, { typeOnly: node.exportKind === 'type' });
    },
    ExportAllDeclaration(node) {
      addImport(node, node.source, { typeOnly: node.exportKind === 'type' });
    },
    ImportExpression(node) {
      addImport(node, node.source, { typeOnly: false });
    },
    TSImportType(node) {
      addImport(node, node.source, { typeOnly: true });
    },
    TSImportEqualsDeclaration(node) {
      if (node.moduleReference.type === 'TSExternalModuleReference')
        addImport(node, node.moduleReference.expression, { typeOnly: node.importKind === 'type' });
    },
    CallExpression(node) {
      if (node.callee.type === 'Identifier') {
        const name = node.callee.name;
        if (name === 'require') addImport(node, node.arguments[0], { typeOnly: false });
        if (name === 'fetch') use('fetch', node);
        if (skippedNames.has(name)) use('skippedTest', node, name);
        return;
      }
      const names = chain(node.callee);
      if (names === undefined) return;
      const [first, ...rest] = names;
      if (first === 'globalThis' && rest[0] === 'fetch') use('fetch', node);
      if (!testNames.has(first)) return;
      if (rest.includes('only')) use('focusedTest', node, names.join('.'));
      // `test.skip(condition, reason)` states a condition; `test.skip('name', …)` and `test.skip()` just skip.
      else if (
        rest.includes('todo') ||
        (rest.some((name) => ['skip', 'fixme'].includes(name)) && isText(node.arguments[0]))
      )
        use('skippedTest', node, names.join('.'));
    },
    MemberExpression(node) {
      if (isProcessEnv(node)) use('environment', node);
      const name = nameOf(node.property);
      if (name === 'homedir') use('homedir', node);
      if (ipcNames.has(name) || name === 'ipc') use('ipc', node, name);
    },
    VariableDeclarator(node) {
      if (node.id.type !== 'ObjectPattern' || node.init === null) return;
      const taken = node.id.properties.map((each) => nameOf(each.key));
      if (chain(node.init)?.at(-1) === 'process' && taken.includes('env')) use('environment', node);
      if (taken.includes('homedir')) use('homedir', node);
      for (const name of taken) if (ipcNames.has(name)) use('ipc', node, name);
    },
    AssignmentExpression(node) {
      if (writesEnvironment(node.left)) use('environmentWrite', node);
    },
    UnaryExpression(node) {
      if (node.operator === 'delete' && writesEnvironment(node.argument)) use('environmentWrite', node);
    },
    Literal(node) {
      if (typeof node.value === 'string') strings.push({ value: node.value, line: lineAt(node.start) });
    },
    TemplateElement(node) {
      strings.push({ value: node.value.cooked ?? node.value.raw, line: lineAt(node.start) });
    },
  });
  visitor.visit(parsed.program);

  return {
    path,
    imports,
    uses,
    strings,
    comments: parsed.comments.map((comment) => ({ text: comment.value, line: lineAt(comment.start) })),
    lineCount: text === '' ? 0 : text.replace(/\n$/, '').split('\n').length,
    syntaxError: parsed.errors[0]?.message,
  };
}

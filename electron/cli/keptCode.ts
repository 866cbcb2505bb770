// Loads a program in parts, with the code that was compiled for them when they were built: compiling is a good part of a
// short program's start. Node 20 keeps compiled code for nobody by itself.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

/** The file with the compiled code of a part, for this Node alone. */
function codeFile(part: string): string {
  return `${part}.${process.version}-${process.arch}.code`;
}

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

type Run = (
  exports: object,
  require: (name: string) => unknown,
  module: { exports: object },
  ...paths: string[]
) => void;

/**
 * Loads a part and, once each, the parts beside it that it asks for. Parts ask by `require` alone: kept code cannot import.
 */
function loadWithCode(file: string, loaded: Map<string, { exports: object }>): object {
  const found = loaded.get(file);
  if (found !== undefined) return found.exports;
  const module: { exports: object } = { exports: {} };
  loaded.set(file, module);
  const folder = dirname(file);
  const cachedData = read(codeFile(file));
  // What does not fit, because it is of another build of Node, is compiled anew by the engine.
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`,
    {
      filename: file,
      ...(cachedData === undefined ? {} : { cachedData }),
    },
  );
  const loadOther = createRequire(file);
  const run: Run = script.runInThisContext();
  const requirePart = (name: string): unknown =>
    name.startsWith('.') && basename(name).endsWith('.cjs')
      ? loadWithCode(join(folder, name), loaded)
      : (loadOther(name) as unknown);
  run(module.exports, requirePart, module, file, folder);
  return module.exports;
}

/** What this file exports, a CommonJS module. Without code that was compiled for this Node, Node loads it as any other. */
export function loadKept(file: string): object {
  if (existsSync(codeFile(file))) return loadWithCode(file, new Map());
  const load = createRequire(file);
  const exports: object = load(file);
  return exports;
}

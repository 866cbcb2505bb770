// Loads the second parser once. It runs as WebAssembly, so there is nothing to compile on any platform.
import { createRequire } from 'node:module';
import { Language, Parser } from 'web-tree-sitter';

let loading: Promise<Parser> | undefined;
let loaded: Parser | undefined;

async function load(): Promise<Parser> {
  const require = createRequire(import.meta.url);
  const engine = require.resolve('web-tree-sitter/web-tree-sitter.wasm');
  await Parser.init({ locateFile: () => engine });
  const parser = new Parser();
  parser.setLanguage(await Language.load(require.resolve('tree-sitter-bash/tree-sitter-bash.wasm')));
  loaded = parser;
  return parser;
}

/** Loads the parser. Later calls wait for the same load; a failed load may be tried again. */
export async function loadSecondParser(): Promise<void> {
  loading ??= load();
  try {
    await loading;
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

/** The parser, or null before it is loaded: then nothing can be allowed by what it would have confirmed. */
export function secondParser(): Parser | null {
  return loaded ?? null;
}

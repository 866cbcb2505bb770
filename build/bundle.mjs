// Builds everything into dist/. `node build/bundle.mjs [name…]` builds only the named programs (or `page`).
import { copyFileSync, existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, parse } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { build as buildPage } from 'vite';
import { buildStamp, dist, pageRoot, programs, root } from './entries.mjs';
import { keepCode } from './keepCode.mjs';
import { textFiles } from './textFiles.mjs';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const asExternal = (names) =>
  [...names, 'electron', ...builtinModules].map((name) => new RegExp(`^(node:)?${name.replaceAll('/', '\\/')}(\\/|$)`));

/** Packages that find files of their own beside their code: native code, wasm, programs. */
const withFiles = asExternal([
  'better-sqlite3',
  'node-pty',
  'sharp',
  '@vscode/ripgrep',
  'web-tree-sitter',
  'tree-sitter-bash',
]);
/** Packages that stay in node_modules where nothing speaks for carrying them along: all declared dependencies. */
const declared = asExternal(Object.keys(manifest.dependencies));

function outputOf({ output, chunks }) {
  if (chunks === undefined) return { file: join(dist, output), codeSplitting: false };
  const { ext } = parse(output);
  rmSync(join(dist, chunks), { recursive: true, force: true });
  return {
    dir: dist,
    entryFileNames: output,
    chunkFileNames: `${chunks}/[name]-[hash]${ext}`,
    // Only blanks and comments: a stack still names what failed.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  };
}

async function buildProgram(program) {
  const bundle = await rolldown({
    cwd: root,
    input: join(root, program.source),
    platform: 'node',
    external: program.chunks === undefined && program.whole !== true ? declared : withFiles,
    // ES modules first: what is carried along must not look for parts of itself by `require`.
    resolve: { mainFields: ['module', 'main'] },
    plugins: [textFiles()],
    onLog(level, log, report) {
      if (level === 'warn') throw new Error(`${program.name}: ${log.message}`);
      report(level, log);
    },
  });
  await bundle.write({
    ...outputOf(program),
    format: program.format,
    // Compiled code that was kept cannot import.
    dynamicImportInCjs: false,
    sourcemap: true,
  });
  await bundle.close();
}

/** Builds the named parts, or all. */
async function bundle(names = []) {
  // Sources changed while building must make the next start build again.
  const startedAt = new Date();
  const wanted = (name) => names.length === 0 || names.includes(name);
  for (const program of programs) {
    if (wanted(program.name) && existsSync(join(root, program.source))) await buildProgram(program);
  }
  if (wanted('verbs')) await keepCode();
  if (wanted('page'))
    await buildPage({ configFile: join(root, 'build/vite.config.mjs'), root: pageRoot, logLevel: 'warn' });
  if (names.length > 0) return;
  copyFileSync(join(root, 'build/icons/icon.png'), join(dist, 'icon.png'));
  writeFileSync(buildStamp, `${JSON.stringify({ version: manifest.version, at: startedAt.toISOString() })}\n`);
  utimesSync(buildStamp, startedAt, startedAt);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await bundle(process.argv.slice(2));

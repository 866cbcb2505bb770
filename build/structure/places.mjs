// Which folder is which, and what each may import. The table of design section 1 in data.
import { builtinModules } from 'node:module';

/** What tests may import on top of what their folder may. */
const testPackages = [
  'vitest',
  'fast-check',
  '@testing-library/*',
  '@playwright/test',
  'jsdom',
  '@axe-core/playwright',
];
const pagePackages = [
  'react',
  'react-dom',
  'zustand',
  'radix-ui',
  '@xterm/xterm',
  '@xterm/addon-*',
  'lucide-react',
  'react-*',
];
const nativePackages = ['node-pty', 'better-sqlite3', '@vscode/ripgrep', 'ws', 'chokidar', '@anthropic-ai/sdk'];

/**
 * In order: the first whose folder contains a file is its place.
 * `may`: the other places it may import (`shared:types` = by `import type` alone). `only`: the only packages allowed;
 * `never`: packages refused. `node`: whether Node's own modules are allowed.
 */
const places = [
  { name: 'shared', folder: 'shared', may: [], only: ['zod'], node: false },
  { name: 'renderer', folder: 'renderer', may: ['shared'], never: nativePackages, node: false },
  {
    name: 'executor',
    folder: 'executor',
    may: ['shared'],
    never: [...pagePackages, 'better-sqlite3', '@anthropic-ai/sdk'],
    node: true,
  },
  { name: 'core', folder: 'electron/core', may: ['shared'], never: pagePackages, node: true },
  { name: 'desktop', folder: 'electron/desktop', may: ['shared', 'core'], never: pagePackages, node: true },
  // What the doors of plain Node have in common; Electron's has its own way to each.
  { name: 'node', folder: 'electron/node', may: ['shared', 'core'], never: pagePackages, node: true },
  { name: 'server', folder: 'electron/server', may: ['shared', 'core', 'node'], never: pagePackages, node: true },
  { name: 'cli', folder: 'electron/cli', may: ['shared', 'core', 'node'], never: pagePackages, node: true },
  { name: 'e2e', folder: 'e2e', may: ['shared:types'], never: pagePackages, node: true },
  { name: 'build', folder: 'build', may: [], never: [], node: true },
];

const inFolder = (path, folder) => path === folder || path.startsWith(`${folder}/`);

export const placeOf = (path) => places.find((place) => inFolder(path, place.folder));

export const isTest = (path) => /\.(test|spec)\.(ts|tsx|mjs)$/.test(path) || path.startsWith('e2e/');

/** Stand-ins and set-ups that only tests may import. */
export const isTestSupport = (path) => /(^|\/)testing\//.test(path) || /\.cases\.ts$/.test(path);

export const isDoor = (path) =>
  ['electron/desktop', 'electron/server', 'electron/cli'].some((folder) => inFolder(path, folder)) ||
  path === 'executor/main.ts';

export const ipcFiles = ['electron/desktop/ipcTransport.ts', 'electron/desktop/preload.ts'];

export const mayStartProcesses = (path) =>
  inFolder(path, 'executor') ||
  ['electron/node/forkExecutor.ts', 'electron/node/revealFile.ts', 'electron/desktop/utilityExecutor.ts'].includes(
    path,
  ) ||
  /^electron\/core\/hooks\/run[^/]*\.ts$/.test(path) ||
  path === 'electron/core/mcp/runStdioServer.ts' ||
  // Reads files of a revision with git, for the command line.
  path === 'electron/cli/gitFiles.ts';

export const processModules = ['child_process', 'cluster', 'node-pty'];

/** Ways out of the process that a tool must not take by itself: it has a granted handle for each. */
export const worldModules = [
  ...processModules,
  ...['fs', 'fs/promises', 'net', 'tls', 'http', 'https', 'http2', 'dgram', 'dns', 'dns/promises', 'worker_threads'],
  ...['ws', 'chokidar', 'write-file-atomic', 'better-sqlite3', '@vscode/ripgrep'],
];

const builtins = new Set(builtinModules);
export const isBuiltin = (specifier) => specifier.startsWith('node:') || builtins.has(specifier);
export const bareName = (specifier) => specifier.replace(/^node:/, '');

/** `@scope/name/sub` → `@scope/name`; `name/sub` → `name`. */
export const packageName = (specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

const matches = (name, pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern);
export const inPackages = (name, patterns) => patterns.some((pattern) => matches(name, pattern));
export const isTestPackage = (name) => inPackages(name, testPackages);

/** Top-level names beside dot files. Ignored output is not looked at. */
export const topLevel = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'README.md',
  'electron',
  'renderer',
  'executor',
  'shared',
  'e2e',
  'build',
];
export const ignoredFolders = new Set([
  'node_modules',
  'dist',
  '.git',
  'test-results',
  'playwright-report',
  'coverage',
]);

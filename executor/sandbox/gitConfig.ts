// What a config of git leads to: further configs, and folders of hooks. Where they lie among the files that are worked on, a
// command could write there what git runs later.
import { dirname, join, resolve } from 'node:path';
import type { KeptPlace } from './places';
import { readRegularFile } from './regularFile';

const longestConfig = 1_000_000;
/** As deep as git follows. */
const deepest = 10;

/** All places that a config leads to. `tree`: where hooks run, to which a relative folder of hooks is relative. */
export function placesOfConfig(config: { readonly path: string; readonly tree: string }, depth = 0): KeptPlace[] {
  const { path, tree } = config;
  return entriesOf(textOf(path)).flatMap(({ section, key, value }): KeptPlace[] => {
    // One that begins with a tilde lies at home, where nothing is written.
    if (value === '' || value.startsWith('~') || value.startsWith('%')) return [];
    if (section === 'core' && key === 'hookspath') return [{ path: hooksOf(resolve(tree, value)), shape: 'folder' }];
    if ((section !== 'include' && section !== 'includeif') || key !== 'path' || depth >= deepest) return [];
    const included = resolve(dirname(path), value);
    return [{ path: included, shape: 'file' }, ...placesOfConfig({ path: included, tree }, depth + 1)];
  });
}

/** Husky names a folder of its own making, whose hooks run those in the folder above. */
function hooksOf(folder: string): string {
  return folder.endsWith('/.husky/_') ? dirname(folder) : folder;
}

/** Where the checkout of a submodule lies, as its config says. */
export function treeOf(git: string, usual: string): string {
  const named = entriesOf(textOf(join(git, 'config'))).findLast(
    ({ section, key }) => section === 'core' && key === 'worktree',
  );
  return named === undefined ? usual : resolve(git, named.value);
}

interface Entry {
  readonly section: string;
  readonly key: string;
  readonly value: string;
}

/** Section and key in lower case; values without quotes, escapes and remarks. */
export function entriesOf(text: string): Entry[] {
  const entries: Entry[] = [];
  let section = '';
  for (const line of text.replaceAll(/\\\r?\n/g, '').split('\n')) {
    const header = /^\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"(?:[^"\\]|\\.)*")?\s*\]/.exec(line);
    if (header !== null) section = header[1]?.toLowerCase() ?? '';
    const entry = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*)$/.exec(line.slice(header?.[0].length ?? 0));
    if (entry !== null)
      entries.push({ section, key: entry[1]?.toLowerCase() ?? '', value: plainValue(entry[2] ?? '') });
  }
  return entries;
}

function plainValue(text: string): string {
  let value = '';
  let quoted = false;
  for (const [piece] of text.matchAll(/\\.|[^\\]/gs)) {
    if (piece === '"') quoted = !quoted;
    else if (!quoted && (piece === '#' || piece === ';')) break;
    else value += piece.length === 2 ? unescaped(piece.charAt(1)) : piece;
  }
  return value.trim();
}

function unescaped(letter: string): string {
  return { n: '\n', t: '\t', b: '\b' }[letter] ?? letter;
}

function textOf(path: string): string {
  return readRegularFile(path, longestConfig)?.toString() ?? '';
}

// The built page in memory of names: only what was there at start is served, so no path can lead elsewhere.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';

export interface PageFile {
  readonly body: Buffer;
  readonly type: string;
  /** Built files carry a hash in their name and never change. */
  readonly immutable: boolean;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
};

/** URL path → file, for everything below `folder`. Throws when the page has not been built. */
export function readPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const url = path.slice(folder.length).split(sep).join('/');
    const type = types[extname(entry.name)] ?? 'application/octet-stream';
    files.set(url, { body: readFileSync(path), type, immutable: url.startsWith('/assets/') });
  }
  const index = files.get('/index.html');
  if (index === undefined) throw new Error(`There is no page in ${folder}. Build it with \`npm run build\`.`);
  files.set('/', index);
  return files;
}

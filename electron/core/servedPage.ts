// The built page as the doors serve it: its files by URL path, and the headers that confine it.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

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

/**
 * URL path → file, for everything below `folder`, read once: no path of a request can lead elsewhere.
 * Throws when the page has not been built.
 */
export function readPage(folder: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const url = `/${relative(folder, path).split(sep).join('/')}`;
    const type = types[extname(entry.name)] ?? 'application/octet-stream';
    files.set(url, { body: readFileSync(path), type, immutable: url.startsWith('/assets/') });
  }
  const index = files.get('/index.html');
  if (index === undefined) throw new Error(`There is no page in ${folder}. Build it with \`npm run build\`.`);
  files.set('/', index);
  return files;
}

/** What a page could ask the browser for, and this one never needs. */
const deniedFeatures = [
  ...['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'hid', 'magnetometer', 'microphone'],
  ...['midi', 'payment', 'publickey-credentials-get', 'serial', 'usb', 'xr-spatial-tracking'],
];

/** Headers of every answer. `connect` is where the page may open connections to, for example `'self'` or `'none'`. */
export function pageHeaders(connect: string): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      // The terminal and the virtual rows set positions as inline styles.
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      `connect-src ${connect}`,
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'permissions-policy': deniedFeatures.map((name) => `${name}=()`).join(', '),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };
}

// Packs the built app around a stub in place of Electron's program and looks at what is inside.
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { extractFile, listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { build, Platform } from 'electron-builder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configuration } from './electron-builder.mjs';
import { electronSqlite, root } from './entries.mjs';

let work = '';
let packed = '';
let archive = '';
let listed = [];

/** A program that only has what the fuses are set in: their mark, version 1, and one byte for each, all at "on". */
function stubProgram() {
  const mark = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX');
  const fuses = Buffer.from('111111111');
  return Buffer.concat([Buffer.alloc(64), mark, Buffer.from([1, fuses.length]), fuses, Buffer.alloc(64)]);
}

async function stubElectron(folder) {
  await mkdir(join(folder, 'locales'), { recursive: true });
  await mkdir(join(folder, 'resources'), { recursive: true });
  await writeFile(join(folder, 'electron'), stubProgram());
  await chmod(join(folder, 'electron'), 0o755);
  await writeFile(join(folder, 'locales/en-US.pak'), '');
  for (const name of ['version', 'LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox'])
    await writeFile(join(folder, name), '');
}

/** The native parts of the image library on this machine, as it finds them: `sharp-linux-x64/lib/…node`, `…/libvips-cpp.so…`. */
function imageLibrary() {
  const folder = join(root, 'node_modules/@img');
  return readdirSync(folder)
    .filter((name) => name.startsWith('sharp-'))
    .flatMap((name) =>
      readdirSync(join(folder, name, 'lib'))
        .filter((file) => /\.(node|so|dylib|dll)(\.|$)/.test(file))
        .map((file) => `${name}/lib/${file}`),
    );
}

/** One page with a Chinese character whose meaning only the library's tables tell. */
function samplePdf() {
  const drawing = 'BT /F1 24 Tf 72 720 Td <4e00> Tj ET';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [6 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /FontDescriptor 7 0 R >>',
    '<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(
    `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}${trailer}`,
    'latin1',
  );
}

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'gatehouse-package-'));
  const electronDist = join(work, 'electron');
  await stubElectron(electronDist);
  await build({
    projectDir: root,
    targets: Platform.LINUX.createTarget('dir'),
    config: {
      ...configuration,
      electronDist,
      directories: { ...configuration.directories, output: join(work, 'out') },
    },
  });
  packed = join(work, 'out/linux-unpacked');
  archive = join(packed, 'resources/app.asar');
  listed = listPackage(archive, { isPack: false }).map((path) => path.replaceAll('\\', '/'));
});

afterAll(async () => rm(work, { recursive: true, force: true }));

const inArchive = (pattern) => listed.filter((path) => pattern.test(path));
const unpacked = (...path) => join(packed, 'resources/app.asar.unpacked', ...path);

describe('the packed app', () => {
  it('is one program and one archive', async () => {
    expect((await stat(join(packed, 'gatehouse'))).mode & 0o111).toBe(0o111);
    expect((await readdir(join(packed, 'resources'))).sort()).toEqual(['app.asar', 'app.asar.unpacked']);
  });

  it.each([
    '/package.json',
    '/dist/desktop/main.mjs',
    '/dist/desktop/preload.cjs',
    '/dist/executor.mjs',
    '/dist/pdfWorker.mjs',
    '/dist/historyWorker.mjs',
    '/dist/searchWorker.mjs',
    '/dist/resultsWorker.mjs',
    '/dist/renderer/index.html',
    '/dist/icon.png',
    '/node_modules/better-sqlite3/lib/index.js',
    '/node_modules/node-pty/lib/index.js',
    '/node_modules/@anthropic-ai/sdk/package.json',
    '/node_modules/unbash/package.json',
    '/node_modules/sharp/package.json',
  ])('holds %s', (path) => {
    expect(listed).toContain(path);
  });

  it('starts where package.json says', () => {
    const manifest = JSON.parse(extractFile(archive, 'package.json').toString());
    expect(listed).toContain(`/${manifest.main}`);
  });

  it('finds every package that the programs import', () => {
    const manifest = JSON.parse(extractFile(archive, 'package.json').toString());
    const missing = Object.keys(manifest.dependencies).filter(
      (name) => !listed.includes(`/node_modules/${name}/package.json`),
    );
    expect(missing).toEqual([]);
  });

  it('has native code and programs outside of the archive', () => {
    const ripgrep = createRequire(join(root, 'package.json')).resolve(
      `@vscode/ripgrep-${process.platform}-${process.arch}/package.json`,
    );
    expect(existsSync(ripgrep)).toBe(true);
    const outside = [
      'node_modules/node-pty/build/Release/pty.node',
      `node_modules/@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg`,
      'node_modules/tree-sitter-bash/tree-sitter-bash.wasm',
      'node_modules/web-tree-sitter/web-tree-sitter.wasm',
      ...imageLibrary().map((path) => `node_modules/@img/${path}`),
      'dist/pageWorker.mjs',
      'dist/historyWorker.mjs',
      'dist/searchWorker.mjs',
      'dist/resultsWorker.mjs',
      'node_modules/better-sqlite3/lib/index.js',
      'node_modules/web-tree-sitter/package.json',
      ...(existsSync(electronSqlite) ? ['dist/native/better_sqlite3.node'] : []),
    ];
    expect(outside.filter((path) => !existsSync(unpacked(path)))).toEqual([]);
  });

  it('reads a PDF in a thread outside of the archive, Chinese too', async () => {
    const worker = new Worker(unpacked('dist/pdfWorker.mjs'), {
      workerData: { bytes: new Uint8Array(samplePdf()), pages: null, unasked: 10, maxChars: 1_000 },
      stdout: true,
      stderr: true,
    });
    try {
      const answer = await new Promise((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
      });
      expect(answer).toEqual({ kind: 'read', totalPages: 1, pages: [{ page: 1, text: '一', cut: false }] });
    } finally {
      await worker.terminate();
    }
  });

  it('leaves ripgrep a program', async () => {
    const { mode } = await stat(unpacked(`node_modules/@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg`));
    expect(mode & 0o111).toBe(0o111);
  });

  it.each([
    ['sources', /^\/(electron|executor|renderer|shared|e2e|build|\.ci)\//],
    ['tests', /\.(test|spec)\.[cm]?[jt]sx?$/],
    ['types and reports', /^\/dist\/(types|reports|packages)\//],
    [
      'tools of development',
      /^\/node_modules\/(typescript|vite|vitest|electron|electron-builder|@biomejs|@playwright|react)\//,
    ],
    ['the SQLite that was built for Node', /better-sqlite3\/build\//],
    ['code of other systems', /node-pty\/prebuilds\//],
    ['means to draw PDF', /\/node_modules\/(@napi-rs|pdfjs-dist\/(web|build|wasm))\//],
    ['source of native code', /\.(c|cc|cpp|h|gyp|o|a)$/],
  ])('holds no %s', (_name, pattern) => {
    expect(inArchive(pattern)).toEqual([]);
  });

  it('has the fuses set', async () => {
    const wire = await getCurrentFuseWire(join(packed, 'gatehouse'));
    const on = (fuse) => String.fromCharCode(wire[fuse]) === '1';
    expect({
      runAsNode: on(FuseV1Options.RunAsNode),
      cookies: on(FuseV1Options.EnableCookieEncryption),
      nodeOptions: on(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
      inspect: on(FuseV1Options.EnableNodeCliInspectArguments),
      integrity: on(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
      onlyAsar: on(FuseV1Options.OnlyLoadAppFromAsar),
      fileProtocol: on(FuseV1Options.GrantFileProtocolExtraPrivileges),
    }).toEqual({
      runAsNode: false,
      cookies: true,
      nodeOptions: false,
      inspect: false,
      integrity: true,
      onlyAsar: true,
      fileProtocol: false,
    });
  });

  it('is not burdened with what it does not need', async () => {
    const { size } = await stat(archive);
    expect(size / 1e6).toBeLessThan(60);
  });
});

// Reads the text of a PDF, in a thread of its own that can be ended at any moment. Fonts are not drawn, scripts not run.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ReadableStreamDefaultReader } from 'node:stream/web';
import { parentPort, workerData } from 'node:worker_threads';
import type { PDFPageProxy, TextContent } from 'pdfjs-dist/types/src/display/api';
// Put in place for the library, which would else look for it by an address.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import type { PdfAnswer, PdfRequest } from './contract';

const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/** Tables for Chinese, Japanese and Korean; from the disk alone, whatever the library would fetch. */
class DiskData {
  async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
    if (kind !== 'cMapUrl' || !/^[\w-]+\.bcmap$/.test(filename)) throw new Error('Not provided.');
    return new Uint8Array(await readFile(join(folder, 'cmaps', filename)));
  }
}

/** Loads the library without its canvas, which only drawing needs: it wants the class to exist, and to find the addon. */
async function loadLibrary() {
  Reflect.set(globalThis, 'DOMMatrix', class {});
  const { getBuiltinModule } = process;
  Reflect.set(process, 'getBuiltinModule', undefined);
  try {
    return await import('pdfjs-dist/legacy/build/pdf.mjs');
  } finally {
    Reflect.set(process, 'getBuiltinModule', getBuiltinModule);
  }
}

async function read({ bytes, pages, unasked, maxChars }: PdfRequest): Promise<PdfAnswer> {
  const { getDocument } = await loadLibrary();
  const document = await getDocument({
    data: bytes,
    BinaryDataFactory: DiskData,
    cMapPacked: true,
    cMapUrl: 'cmaps/',
    disableFontFace: true,
    enableXfa: false,
    isEvalSupported: false,
    isOffscreenCanvasSupported: false,
    useSystemFonts: false,
    useWasm: false,
    useWorkerFetch: false,
    verbosity: 0,
  }).promise;
  const totalPages = document.numPages;
  const wanted = pages ?? { first: 1, last: totalPages <= unasked ? totalPages : 0 };
  const texts: { page: number; text: string; cut: boolean }[] = [];
  let room = maxChars;
  for (let page = wanted.first; page <= Math.min(wanted.last, totalPages); page += 1) {
    const loaded = await document.getPage(page);
    const whole = await textOf(loaded, room);
    const text = whole.slice(0, room).replace(/[\uD800-\uDBFF]$/, '');
    texts.push({ page, text, cut: text.length < whole.length });
    room -= text.length;
    loaded.cleanup();
  }
  return { kind: 'read', totalPages, pages: texts };
}

/** The page's text; where it is longer than `enough` characters, somewhat more than that. */
async function textOf(page: PDFPageProxy, enough: number): Promise<string> {
  const reader: ReadableStreamDefaultReader<TextContent> = page.streamTextContent().getReader();
  let text = '';
  while (text.length <= enough) {
    const { value, done } = await reader.read();
    if (done) break;
    for (const item of value.items) {
      if ('str' in item) text += item.str.replace(/(?![\n\t])\p{Cc}/gu, '') + (item.hasEOL ? '\n' : '');
    }
  }
  if (text.length <= enough) return text.trimEnd();
  await reader.cancel(new Error('enough'));
  return text;
}

async function answer(request: PdfRequest): Promise<PdfAnswer> {
  try {
    return await read(request);
  } catch (error) {
    const { name, message } = error instanceof Error ? error : { name: '', message: String(error) };
    return name === 'PasswordException' ? { kind: 'locked' } : { kind: 'damaged', reason: message.slice(0, 200) };
  }
}

parentPort?.postMessage(await answer(workerData as PdfRequest));

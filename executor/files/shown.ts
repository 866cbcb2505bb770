// Files that have another form to be looked at than their bytes: images, PDF, notebooks.
import type { FileHandle } from 'node:fs/promises';
import type { OperationAnswers, OperationFailure, OperationOf } from '#shared/api/executor';
import type { CancelSignal } from '#shared/rpc/contract';
import { failure } from '../failure';
import type { ContentType } from './contentType';
import { fitImage, largestImageFile } from './image';
import { largestNotebook, parseNotebook, readCells } from './notebook';
import { largestPdf, readPdf } from './pdf';
import { hashBytes } from './stat';

type Operation = OperationOf<'file.read'>;
type Answer = OperationAnswers['file.read'];

/** The file in its other form; undefined when it has none, a sentence when it is named as a notebook and is none. */
export async function readShown(
  handle: FileHandle,
  operation: Operation,
  about: { readonly content: ContentType; readonly signal: CancelSignal },
): Promise<Answer | string | undefined> {
  const { path, shown } = operation;
  const { content, signal } = about;
  if (shown === undefined) return undefined;
  const { size, mtimeMs } = await handle.stat();
  const load = async () => {
    const bytes = await handle.readFile();
    return { bytes, facts: { size: bytes.length, mtimeMs, hash: hashBytes(bytes) } };
  };
  if (content.kind === 'image') {
    if (size > largestImageFile) return tooLarge(path, { size, most: largestImageFile });
    const { bytes, facts } = await load();
    const fitted = await fitImage(bytes, path, shown.image);
    if ('kind' in fitted) return fitted;
    const { bytes: given, ...rest } = fitted;
    return { kind: 'image', ...rest, base64: given.toString('base64'), ...facts };
  }
  if (content.kind === 'pdf') {
    if (size > largestPdf) return tooLarge(path, { size, most: largestPdf });
    const { bytes, facts } = await load();
    const request = {
      bytes: new Uint8Array(bytes),
      pages: shown.pages ?? null,
      unasked: shown.unasked,
      maxChars: operation.maxBytes,
    };
    const read = await readPdf(request, path, signal);
    return 'kind' in read ? read : { kind: 'pdf', ...read, ...facts };
  }
  if (content.kind !== 'text' || !path.toLowerCase().endsWith('.ipynb') || operation.columns !== undefined)
    return undefined;
  if (size > largestNotebook) return `It is larger than ${largestNotebook / 1e6} MB.`;
  const { bytes, facts } = await load();
  const notebook = parseNotebook(bytes.toString('utf8'));
  if (typeof notebook === 'string') return notebook;
  const { firstLine: firstCell, maxLines, maxBytes } = operation;
  const cells = await readCells(notebook, {
    first: firstCell,
    max: maxLines,
    maxChars: maxBytes,
    maxImages: shown.notebookImages,
    image: shown.image,
  });
  const { language } = notebook;
  return { kind: 'notebook', language, totalCells: notebook.cells.length, firstCell, cells, ...facts };
}

function tooLarge(path: string, { size, most }: { readonly size: number; readonly most: number }): OperationFailure {
  const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1);
  return failure(
    'tooLarge',
    `${path} has ${megabytes(size)} MB; at most ${megabytes(most)} MB are opened. Make a smaller copy with a command and read that.`,
  );
}

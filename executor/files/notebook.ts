// Reads Jupyter notebooks (nbformat 4) by cell. Whatever is odd in them is shown as far as it can be understood.
import type { NotebookCell } from '#shared/api/executor';
import { afterPair, beforePair } from '#shared/util/pairs';
import { fitImage, type ImageLimits } from './image';

/** Larger notebooks are not taken apart. */
export const largestNotebook = 100_000_000;
/** Of one output, in characters: head and tail. */
const longestOutput = 10_000;
const mostOutputs = 100;
const images = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
/** In order of preference. */
const texts = ['text/plain', 'text/markdown', 'text/html', 'application/json'];

type Fields = Readonly<Record<string, unknown>>;
type Output = NotebookCell['outputs'][number];

/** A notebook whose cells were not looked at yet. */
export interface Notebook {
  readonly language: string;
  readonly cells: readonly unknown[];
}

/** The notebook in a file's text; a string says why it is none. */
export function parseNotebook(text: string): Notebook | string {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return `It is no valid JSON (${error instanceof Error ? oneLine(error.message) : 'unreadable'}).`;
  }
  if (!isFields(value)) return 'It is JSON, but no notebook.';
  const { cells, metadata, nbformat } = value;
  if (!Array.isArray(cells)) return 'It is JSON, but has no list of cells (only nbformat 4 is understood).';
  if (typeof nbformat === 'number' && nbformat !== 4)
    return `Its format is ${nbformat}; only nbformat 4 is understood.`;
  const info = isFields(metadata) ? [metadata.language_info, metadata.kernelspec] : [];
  const names = info.map((each) => (isFields(each) ? (each.name ?? each.language) : undefined));
  const language = names.find((name) => typeof name === 'string');
  return { language: typeof language === 'string' ? language.slice(0, 100) : 'unknown', cells };
}

/** The name by which a cell is called: its own id, else its place, counted from 0. */
export function cellIdOf(cell: unknown, index: number): string {
  return isFields(cell) && typeof cell.id === 'string' && cell.id !== '' ? cell.id : `cell-${index}`;
}

/** Cells `first` (from 1) and on, at most `max`, until `maxChars` are used up; at least one where there is one. */
export async function readCells(
  notebook: Notebook,
  want: {
    readonly first: number;
    readonly max: number;
    readonly maxChars: number;
    readonly maxImages: number;
    readonly image: ImageLimits;
  },
): Promise<NotebookCell[]> {
  const cells: NotebookCell[] = [];
  let room = want.maxChars;
  const shown: ImageRoom = { left: want.maxImages, limits: want.image };
  const end = Math.min(notebook.cells.length, want.first - 1 + want.max);
  for (let index = want.first - 1; index < end; index += 1) {
    const cell = await readCell(notebook.cells[index], { index, maxChars: want.maxChars, shown });
    const chars = cell.source.length + cell.outputs.reduce((sum, output) => sum + charsOf(output), 0);
    if (chars > room && cells.length > 0) break;
    room -= chars;
    cells.push(cell);
  }
  return cells;
}

interface ImageRoom {
  left: number;
  readonly limits: ImageLimits;
}

async function readCell(
  cell: unknown,
  how: { readonly index: number; readonly maxChars: number; readonly shown: ImageRoom },
): Promise<NotebookCell> {
  const { index, maxChars, shown } = how;
  const fields = isFields(cell) ? cell : {};
  const whole = joined(fields.source) ?? '';
  const source = whole.slice(0, beforePair(whole, Math.min(whole.length, maxChars)));
  const count = fields.execution_count;
  const given = Array.isArray(fields.outputs) ? fields.outputs : [];
  const outputs: Output[] = [];
  for (const output of given.slice(0, mostOutputs)) outputs.push(...(await readOutput(output, shown)));
  if (given.length > mostOutputs) outputs.push({ kind: 'omitted', what: `${given.length - mostOutputs} more outputs` });
  return {
    id: cellIdOf(cell, index),
    type: typeof fields.cell_type === 'string' ? fields.cell_type.slice(0, 50) : 'unknown',
    source,
    sourceCut: whole.length - source.length,
    executionCount: typeof count === 'number' && Number.isSafeInteger(count) ? count : null,
    outputs,
  };
}

async function readOutput(output: unknown, shown: ImageRoom): Promise<Output[]> {
  if (!isFields(output)) return [];
  if (output.output_type === 'stream') return [cutText(joined(output.text) ?? '')];
  if (output.output_type === 'error') {
    const trace = joined(Array.isArray(output.traceback) ? output.traceback.map((line) => `${line}\n`) : '') ?? '';
    return [cutText(trace === '' ? `${output.ename}: ${output.evalue}` : trace)];
  }
  const data = isFields(output.data) ? output.data : {};
  const image = images.find((type) => Object.hasOwn(data, type));
  if (image !== undefined) return [await readImage(joined(data[image]) ?? '', image, shown)];
  const type = texts.find((each) => Object.hasOwn(data, each));
  if (type === undefined) {
    const kinds = Object.keys(data).slice(0, 10).join(', ').slice(0, 200);
    return [{ kind: 'omitted', what: kinds === '' ? 'an output without data' : `an output of type ${kinds}` }];
  }
  return [cutText(joined(data[type]) ?? JSON.stringify(data[type]) ?? '')];
}

async function readImage(base64: string, type: string, shown: ImageRoom): Promise<Output> {
  if (shown.left <= 0) return { kind: 'omitted', what: `an image (${type}); read this cell alone to see it` };
  const fitted = await fitImage(Buffer.from(base64, 'base64'), 'The image', shown.limits);
  if ('kind' in fitted) return { kind: 'omitted', what: `an image (${type}): ${fitted.message}` };
  shown.left -= 1;
  return { kind: 'image', mediaType: fitted.mediaType, base64: fitted.bytes.toString('base64') };
}

/** Without terminal colours; a long one by its head and tail. */
function cutText(whole: string): Output {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
  const text = whole.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').replace(/(?![\n\t])\p{Cc}/gu, '');
  if (text.length <= longestOutput) return { kind: 'text', text, cut: 0 };
  const half = longestOutput / 2;
  const head = text.slice(0, beforePair(text, half));
  const tail = text.slice(afterPair(text, text.length - half));
  const cut = text.length - head.length - tail.length;
  return { kind: 'text', text: `${head}\n[… ${cut} characters left out …]\n${tail}`, cut };
}

const charsOf = (output: Output) => (output.kind === 'text' ? output.text.length : 0);

/** Text as notebooks keep it: a string, or a list of pieces. Undefined for anything else. */
function joined(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((piece) => typeof piece === 'string') ? value.join('') : undefined;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').slice(0, 200);

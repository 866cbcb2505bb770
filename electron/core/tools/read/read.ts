import { z } from 'zod';
import type { OperationAnswers, OperationOf } from '#shared/api/executor';
import { assertNever } from '#shared/util/assertNever';
import { buildTool } from '../buildTool';
import type { FileStates } from '../fileStates';
import { neighboursOf } from '../neighbours';
import { failureText, operationFailed } from '../operationFailure';
import { absolutePath, pathField, shortPath } from '../paths';
import { semanticInteger } from '../semanticInput';
import { type CallContext, ToolFailure } from '../tool';
import { counted, grouped } from '../wording';
import { mostPages, parsePages, shownPages, unaskedPages } from './pdfPages';
import prompt from './read.prompt.md';
import { blocksOf, type ReadOutput, searchTextOf, viewOf } from './readOutput';

const defaultLines = 2_000;
/** One page of text, in bytes. */
const maxTextBytes = 262_144;
/** One page of a line that is longer than a page of lines, in characters. */
const pageColumns = 20_000;
/** The API takes images up to 5 MB as base64, which is a third larger than the bytes; longer edges it would scale down itself. */
const imageLimits = { maxEdge: 1_568, maxBytes: 3_750_000 };
const notebookImages = 10;

const inputSchema = () =>
  z.strictObject({
    file_path: pathField().describe('The file, absolute or relative to the working folder.'),
    offset: semanticInteger(0)
      .optional()
      .describe(
        'First line to read, in a notebook first cell, counted from 1. Only for files that do not fit into one call.',
      ),
    limit: semanticInteger(1).optional().describe(`How many lines or cells to read; ${defaultLines} when left out.`),
    column: semanticInteger(1)
      .optional()
      .describe(
        `Only for a line that was cut for its length: the character of line \`offset\` to start from, counted from 1. Returns ${pageColumns} characters of that line.`,
      ),
    pages: z
      .preprocess((value) => (typeof value === 'number' ? String(value) : value), z.string())
      .refine((text) => parsePages(text) !== null, 'expected a page or a range of pages such as "1-5"')
      .refine((text) => {
        const range = parsePages(text);
        return range === null || range.last - range.first < mostPages;
      }, `expected at most ${mostPages} pages`)
      .optional()
      .describe(
        `Only for PDF: the pages to read, such as "3" or "1-5", at most ${mostPages}. Needed above ${unaskedPages} pages.`,
      ),
  });

export type ReadInput = z.infer<ReturnType<typeof inputSchema>>;

/** Reads text page by page, images, PDF and notebooks. */
export const readTool = buildTool<ReadInput, ReadOutput>({
  name: 'Read',
  searchHint: 'read files, images, PDF, notebooks',
  prompt,
  icon: 'file',
  inputSchema,
  isConcurrencySafe: () => true,
  isReadOnly: () => true,
  canBeReadOnly: () => true,
  isSearchOrReadCommand: () => true,
  // It pages by itself.
  maxResultSizeChars: Number.POSITIVE_INFINITY,
  facts: (input, place) => [{ kind: 'path', access: 'read', path: absolutePath(input.file_path, place) }],
  observableInput: (input, place) => ({ ...input, file_path: absolutePath(input.file_path, place) }),
  call: readFile,
  mapResult: (output, input) => blocksOf(output, input.file_path),
  getToolUseSummary(input, place) {
    const path = shortPath(absolutePath(input.file_path, place), place.folder);
    const { offset, limit, column, pages } = input;
    if (pages !== undefined) return `${path}, pages ${pages.trim()}`;
    if (column !== undefined) return `${path}, line ${Math.max(1, offset ?? 1)} from character ${grouped(column)}`;
    if (offset === undefined && limit === undefined) return path;
    const first = Math.max(1, offset ?? 1);
    return limit === undefined ? `${path}, from line ${first}` : `${path}, lines ${first}–${first + limit - 1}`;
  },
  getActivityDescription: (input, place) => `Reading ${shortPath(absolutePath(input.file_path, place), place.folder)}`,
  getPath: (input, place) => absolutePath(input.file_path, place),
  extractSearchText: searchTextOf,
  toAutoClassifierInput: (input) => input.file_path,
  renderUse: (input, place) => {
    const path = absolutePath(input.file_path, place);
    return { kind: 'files', files: [{ path: shortPath(path, place.folder) }], truncated: false };
  },
  renderResult: (output, input, place) => viewOf(output, shortPath(absolutePath(input.file_path, place), place.folder)),
});

async function readFile(input: ReadInput, context: CallContext): Promise<ReadOutput> {
  const path = absolutePath(input.file_path, context);
  const named = shortPath(path, context.cwd);
  const answer = await context.executor.run(operation(input, path));
  const place: ReadPlace = { path, named, fileStates: context.fileStates };
  if (answer.kind !== 'pdf' && answer.kind !== 'failure' && input.pages !== undefined) {
    throw new ToolFailure('tool', `${named} is not a PDF. Leave \`pages\` out; use offset and limit.`, {
      note: 'not a PDF',
    });
  }
  switch (answer.kind) {
    case 'failure': {
      if (answer.reason !== 'missing') throw operationFailed(answer);
      const near = await neighboursOf(path, context);
      const hint = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
      throw new ToolFailure('notFound', failureText(answer) + hint, { note: 'not found' });
    }
    case 'binary':
      throw new ToolFailure(
        'tool',
        `${named} is a binary file (${answer.guess}, ${counted(answer.size, 'byte')}), so there is no text to show. Use Bash with a program that understands it.`,
        { note: 'binary file' },
      );
    case 'image':
      return imageOf(answer, place);
    case 'pdf':
      return pdfOf(answer, { ...place, asked: input.pages !== undefined });
    case 'notebook':
      return notebookOf(answer, place);
    case 'text':
      if (input.column !== undefined) return columnsOf(answer, { named, column: input.column });
      return textOf(answer, { ...place, limit: input.limit });
    default:
      return assertNever(answer, 'answer to a read');
  }
}

function operation(input: ReadInput, path: string): OperationOf<'file.read'> {
  const pages = input.pages === undefined ? null : parsePages(input.pages);
  return {
    op: 'file.read',
    path,
    firstLine: Math.max(1, input.offset ?? 1),
    maxLines: input.limit ?? defaultLines,
    ...(input.column === undefined ? {} : { columns: { first: input.column, max: pageColumns } }),
    maxBytes: maxTextBytes,
    shown: { image: imageLimits, ...(pages === null ? {} : { pages }), unasked: unaskedPages, notebookImages },
  };
}

type Answer<K extends OperationAnswers['file.read']['kind']> = Extract<OperationAnswers['file.read'], { kind: K }>;

interface ReadPlace {
  readonly path: string;
  readonly named: string;
  readonly fileStates: FileStates;
}

function imageOf(answer: Answer<'image'>, { path, fileStates }: ReadPlace): ReadOutput {
  const { kind, mediaType, base64, width = 0, height = 0, original, ...facts } = answer;
  fileStates.set({ path, ...facts, whole: true });
  const { size } = facts;
  return { kind, mediaType, base64, width, height, size, ...(original === undefined ? {} : { original }) };
}

function pdfOf(answer: Answer<'pdf'>, place: ReadPlace & { readonly asked: boolean }): ReadOutput {
  const { path, named, fileStates, asked } = place;
  const { totalPages, pages: read, hash, mtimeMs, size } = answer;
  const [first] = read;
  const last = shownPages(answer).at(-1);
  if (first === undefined || last === undefined) {
    const length = counted(totalPages, 'page');
    const next = asked
      ? 'The pages asked for are after its end.'
      : `Say which to read with \`pages\`, for example "1-${mostPages}" (at most ${mostPages} a call).`;
    throw new ToolFailure('tool', `${named} is a PDF of ${length}. ${next}`, { note: length });
  }
  const range = { first: first.page, last: last.cut ? last.page - 1 : last.page };
  fileStates.addPage({ path, hash, mtimeMs, size, range, totalLines: totalPages, unit: 'pages' });
  return { kind: 'pdf', totalPages, pages: read };
}

function notebookOf(answer: Answer<'notebook'>, { path, named, fileStates }: ReadPlace): ReadOutput {
  const { kind, language, totalCells, firstCell, cells, hash, mtimeMs, size } = answer;
  if (totalCells > 0 && cells.length === 0) {
    const length = counted(totalCells, 'cell');
    throw new ToolFailure(
      'tool',
      `${named} has only ${length}; cell ${grouped(firstCell)} is after its end. Use a smaller offset.`,
      { note: `only ${length}` },
    );
  }
  // A cell that was cut does not count as seen.
  const cut = cells.findIndex((cell) => cell.sourceCut > 0);
  const range = { first: firstCell, last: firstCell + (cut < 0 ? cells.length : cut) - 1 };
  fileStates.addPage({ path, hash, mtimeMs, size, range, totalLines: totalCells, unit: 'cells' });
  return { kind, language, totalCells, firstCell, cells };
}

/** A part of a line does not count as seen: nothing is remembered. */
function columnsOf(
  answer: Answer<'text'>,
  { named, column }: { readonly named: string; readonly column: number },
): ReadOutput {
  const { text, firstLine: line, lines, lineChars = 0, totalLines } = answer;
  if (lines === 0) throw afterTheEnd({ named, line, totalLines });
  if (column > Math.max(1, lineChars)) {
    const length = counted(lineChars, 'character');
    throw new ToolFailure(
      'tool',
      `Line ${grouped(line)} of ${named} has only ${length}; character ${grouped(column)} is after its end. Use a smaller column.`,
      { note: `only ${length}` },
    );
  }
  return { kind: 'columns', text, line, column, lineChars, totalLines };
}

function afterTheEnd(about: {
  readonly named: string;
  readonly line: number;
  readonly totalLines: number;
}): ToolFailure {
  const { named, line, totalLines } = about;
  const length = counted(totalLines, 'line');
  return new ToolFailure(
    'tool',
    `${named} has only ${length}; line ${grouped(line)} is after its end. Use a smaller offset.`,
    { note: `only ${length}` },
  );
}

function textOf(answer: Answer<'text'>, place: ReadPlace & { readonly limit: number | undefined }): ReadOutput {
  const { path, named, fileStates, limit } = place;
  const { hash, mtimeMs, size, totalLines, firstLine, noNotebook } = answer;
  const got = answer.lines === 0 ? [] : answer.text.split('\n', answer.lines);
  if (totalLines > 0 && got.length === 0) {
    throw afterTheEnd({ named, line: firstLine, totalLines });
  }
  // Where the page was cut for its size, the last line may be half; the next page starts with it.
  const halfLine = answer.truncated && got.length === 1;
  const lines = answer.truncated && !halfLine ? got.slice(0, -1) : got;
  if (limit !== undefined && answer.truncated && !halfLine) {
    const most = counted(lines.length, 'line');
    throw new ToolFailure(
      'tool',
      `These ${grouped(limit)} lines of ${named} are more than the 256 KB that one call gives. Ask for at most ${most} from line ${grouped(firstLine)}.`,
      { note: 'more than a page' },
    );
  }
  const range = { first: firstLine, last: firstLine + lines.length - 1 };
  fileStates.addPage({ path, hash, mtimeMs, size, range, totalLines });
  if (lines.length === 0) return { kind: 'empty' };
  const notice = noNotebook === undefined ? {} : { notice: noNotebook };
  return { kind: 'text', lines, firstLine, totalLines, halfLine, ...notice };
}

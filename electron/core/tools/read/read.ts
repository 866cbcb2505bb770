import { z } from 'zod';
import type { OperationAnswers } from '#shared/api/executor';
import { assertNever } from '#shared/util/assertNever';
import { buildTool } from '../buildTool';
import type { FileStates } from '../fileStates';
import { languageOf } from '../languages';
import { neighboursOf } from '../neighbours';
import { failureText, operationFailed } from '../operationFailure';
import { absolutePath, pathField, shortPath } from '../paths';
import { semanticInteger } from '../semanticInput';
import { type CallContext, ToolFailure } from '../tool';
import { counted, grouped, headOf } from '../wording';
import { columnPage, numberedPage } from './numberedPage';
import prompt from './read.prompt.md';

const defaultLines = 2_000;
/** One page of text, in bytes. */
const maxTextBytes = 262_144;
/** One page of a line that is longer than a page of lines, in characters. */
const pageColumns = 20_000;
/** The API takes images up to 5 MB as base64, which is a third larger than the bytes. */
const maxImageBytes = 3_750_000;
const apiImageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
/** The card shows at most this much of a page; the model has the whole page. */
const maxShownChars = 50_000;

const inputSchema = () =>
  z.strictObject({
    file_path: pathField().describe('The file, absolute or relative to the working folder.'),
    offset: semanticInteger(0)
      .optional()
      .describe('First line to read, counted from 1. Only for files that do not fit into one call.'),
    limit: semanticInteger(1).optional().describe(`How many lines to read; ${defaultLines} when left out.`),
    column: semanticInteger(1)
      .optional()
      .describe(
        `Only for a line that was cut for its length: the character of line \`offset\` to start from, counted from 1. Returns ${pageColumns} characters of that line.`,
      ),
  });

export type ReadInput = z.infer<ReturnType<typeof inputSchema>>;

export type ReadOutput =
  | {
      readonly kind: 'text';
      readonly lines: readonly string[];
      readonly firstLine: number;
      readonly totalLines: number;
      /** The page is the start of one line that is longer than a page. */
      readonly halfLine: boolean;
    }
  | {
      /** Part of one long line. */
      readonly kind: 'columns';
      readonly text: string;
      readonly line: number;
      readonly column: number;
      readonly lineChars: number;
      readonly totalLines: number;
    }
  | { readonly kind: 'empty' }
  | { readonly kind: 'image'; readonly mediaType: string; readonly base64: string; readonly size: number };

/** Reads text page by page, and images. */
export const readTool = buildTool<ReadInput, ReadOutput>({
  name: 'Read',
  searchHint: 'read files and images',
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
  mapResult(output, input) {
    if (output.kind === 'image') return [{ type: 'image', mediaType: output.mediaType, base64: output.base64 }];
    if (output.kind === 'empty') return [{ type: 'text', text: `${input.file_path} exists but is empty.` }];
    if (output.kind === 'columns') return [{ type: 'text', text: columnPage(output) }];
    return [{ type: 'text', text: numberedPage(output) }];
  },
  getToolUseSummary(input, place) {
    const path = shortPath(absolutePath(input.file_path, place), place.folder);
    const { offset, limit, column } = input;
    if (column !== undefined) return `${path}, line ${Math.max(1, offset ?? 1)} from character ${grouped(column)}`;
    if (offset === undefined && limit === undefined) return path;
    const first = Math.max(1, offset ?? 1);
    return limit === undefined ? `${path}, from line ${first}` : `${path}, lines ${first}–${first + limit - 1}`;
  },
  getActivityDescription: (input, place) => `Reading ${shortPath(absolutePath(input.file_path, place), place.folder)}`,
  getPath: (input, place) => absolutePath(input.file_path, place),
  extractSearchText: (output) =>
    output.kind === 'text' ? output.lines.join('\n') : output.kind === 'columns' ? output.text : '',
  toAutoClassifierInput: (input) => input.file_path,
  renderUse: (input, place) => {
    const path = absolutePath(input.file_path, place);
    return { kind: 'files', files: [{ path: shortPath(path, place.folder) }], truncated: false };
  },
  renderResult(output, input, place) {
    if (output.kind === 'image') {
      const alt = shortPath(absolutePath(input.file_path, place), place.folder);
      const { mediaType, base64, size } = output;
      return { view: { kind: 'image', mediaType, base64, alt }, note: `${mediaType} · ${counted(size, 'byte')}` };
    }
    if (output.kind === 'empty') return { view: { kind: 'text', text: '' }, note: 'empty file' };
    if (output.kind === 'columns') {
      const { text, line, column, lineChars } = output;
      const range = `${grouped(column)}–${grouped(column + text.length - 1)} of ${grouped(lineChars)}`;
      return { view: { kind: 'text', text, firstLine: line }, note: `line ${grouped(line)}, characters ${range}` };
    }
    const { lines, firstLine, totalLines } = output;
    const text = lines.join('\n');
    const shown = headOf(text, maxShownChars);
    const language = languageOf(input.file_path);
    const range = `lines ${grouped(firstLine)}–${grouped(firstLine + lines.length - 1)} of ${grouped(totalLines)}`;
    const all = firstLine === 1 && lines.length === totalLines ? counted(totalLines, 'line') : range;
    return {
      view: { kind: 'text', text: shown, firstLine, ...(language === undefined ? {} : { language }) },
      note: shown === text ? all : `${all} · start shown here`,
    };
  },
});

async function readFile(input: ReadInput, context: CallContext): Promise<ReadOutput> {
  const path = absolutePath(input.file_path, context);
  const named = shortPath(path, context.cwd);
  const page = { path, firstLine: Math.max(1, input.offset ?? 1), maxLines: input.limit ?? defaultLines };
  const columns = input.column === undefined ? {} : { columns: { first: input.column, max: pageColumns } };
  let answer = await context.executor.run({ op: 'file.read', ...page, ...columns, maxBytes: maxTextBytes });
  // Only an image is too large for a page: text is cut.
  if (answer.kind === 'failure' && answer.reason === 'tooLarge') {
    answer = await context.executor.run({ op: 'file.read', ...page, maxBytes: maxImageBytes });
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
      return imageOf(answer, { path, named, fileStates: context.fileStates });
    case 'text':
      if (input.column !== undefined) return columnsOf(answer, { named, column: input.column });
      return textOf(answer, { path, named, fileStates: context.fileStates });
    default:
      return assertNever(answer, 'answer to a read');
  }
}

type Answer<K extends OperationAnswers['file.read']['kind']> = Extract<OperationAnswers['file.read'], { kind: K }>;

interface ReadPlace {
  readonly path: string;
  readonly named: string;
  readonly fileStates: FileStates;
}

function imageOf(answer: Answer<'image'>, { path, named, fileStates }: ReadPlace): ReadOutput {
  const { hash, mtimeMs, size, mediaType, base64 } = answer;
  if (!apiImageTypes.has(mediaType)) {
    throw new ToolFailure(
      'tool',
      `${named} is an image of a kind that cannot be shown to you (${mediaType}). Convert it to PNG with Bash if you need to see it.`,
      { note: mediaType },
    );
  }
  fileStates.set({ path, hash, mtimeMs, size, whole: true });
  return { kind: 'image', mediaType, base64, size };
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

function textOf(answer: Answer<'text'>, { path, named, fileStates }: ReadPlace): ReadOutput {
  const { hash, mtimeMs, size, totalLines, firstLine } = answer;
  const got = answer.lines === 0 ? [] : answer.text.split('\n', answer.lines);
  if (totalLines > 0 && got.length === 0) {
    throw afterTheEnd({ named, line: firstLine, totalLines });
  }
  // Where the page was cut for its size, the last line may be half; the next page starts with it.
  const halfLine = answer.truncated && got.length === 1;
  const lines = answer.truncated && !halfLine ? got.slice(0, -1) : got;
  const range = { first: firstLine, last: firstLine + lines.length - 1 };
  fileStates.addPage({ path, hash, mtimeMs, size, range, totalLines });
  return lines.length === 0 ? { kind: 'empty' } : { kind: 'text', lines, firstLine, totalLines, halfLine };
}

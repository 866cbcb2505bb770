import { basename, dirname } from 'node:path';
import { z } from 'zod';
import type { OperationOf } from '#shared/api/executor';
import { buildTool } from '../buildTool';
import { operationFailed } from '../operationFailure';
import { absolutePath, pathField, shortPath } from '../paths';
import { semanticBoolean, semanticInteger } from '../semanticInput';
import type { CallContext, CallPlace } from '../tool';
import { counted, grouped, headOf, oneLine } from '../wording';
import prompt from './grep.prompt.md';
import { type GrepOutput, grepOutput, grepText } from './grepOutput';

const defaultLimit = 250;
/** What the executor gives at most, and what `head_limit: 0` stands for. */
const maxLimit = 100_000;
const maxContextLines = 1_000;
/** The card shows at most this much; more is for the model and for searching further. */
const maxShownFiles = 1_000;
const maxShownChars = 50_000;

const contextLines = (what: string) =>
  semanticInteger(0).optional().describe(`Lines to show ${what} each match; only with output_mode "content".`);

const inputSchema = () =>
  z.strictObject({
    pattern: z
      .string()
      .min(1)
      .refine((pattern) => pattern.length <= 10_000, 'expected at most 10,000 characters')
      .describe('Regular expression to search for.'),
    path: pathField().optional().describe('File or folder to search; the working folder when left out.'),
    glob: z.string().optional().describe('Only files whose path matches, such as "*.{ts,tsx}" or "!**/dist/**".'),
    type: z.string().optional().describe('Only files of this kind, as ripgrep calls it: js, ts, py, rust, go, java, …'),
    output_mode: z
      .enum(['content', 'files_with_matches', 'count'])
      .default('files_with_matches')
      .describe('What to return: matching lines, files, or number of matches per file.'),
    '-A': contextLines('after'),
    '-B': contextLines('before'),
    '-C': contextLines('before and after'),
    '-i': semanticBoolean().default(false).describe('Ignore case; false when left out.'),
    '-n': semanticBoolean()
      .default(true)
      .describe('Show line numbers; true when left out. Only with output_mode "content".'),
    multiline: semanticBoolean()
      .default(false)
      .describe('Let the pattern span lines, and . match line breaks; false when left out.'),
    head_limit: semanticInteger(0)
      .default(defaultLimit)
      .describe('At most this many lines of output, 250 when left out; 0 for as many as there are.'),
    offset: semanticInteger(0).default(0).describe('Skip this many lines of output first; 0 when left out.'),
  });

export type GrepInput = z.infer<ReturnType<typeof inputSchema>>;

const rootOf = (input: GrepInput, place: CallPlace) => absolutePath(input.path ?? '.', place);

/** Searches inside files. */
export const grepTool = buildTool<GrepInput, GrepOutput>({
  name: 'Grep',
  searchHint: 'search in files, regular expression, ripgrep',
  prompt,
  icon: 'search',
  inputSchema,
  isConcurrencySafe: () => true,
  isReadOnly: () => true,
  canBeReadOnly: () => true,
  isSearchOrReadCommand: () => true,
  facts: (input, place) => [{ kind: 'path', access: 'read', path: rootOf(input, place) }],
  observableInput: (input, place) => ({ ...input, path: rootOf(input, place) }),
  async call(input, context) {
    const root = rootOf(input, context);
    const answer = await context.executor.run(operation(input, root));
    if (answer.kind === 'failure') throw operationFailed(answer);
    const base = await baseOf(root, answer.lines, context);
    return grepOutput({ answer, mode: input.output_mode, offset: input.offset, base, cwd: context.cwd });
  },
  mapResult: (output) => [{ type: 'text', text: grepText(output) }],
  getToolUseSummary(input, place) {
    const folder = shortPath(rootOf(input, place), place.folder);
    const filters = [input.glob, input.type].filter((filter) => filter !== undefined);
    const where = [...(folder === '.' ? [] : [folder]), ...filters].join(', ');
    return where === '' ? oneLine(input.pattern) : `${oneLine(input.pattern)} in ${where}`;
  },
  getActivityDescription: (input) => `Searching for ${oneLine(input.pattern, 80)}`,
  getPath: (input, place) => rootOf(input, place),
  extractSearchText: (output) => output.lines.join('\n'),
  toAutoClassifierInput: (input) => `${input.pattern} ${input.path ?? ''}`.trim(),
  renderUse(input, place) {
    const rows = Object.entries({ ...input, path: rootOf(input, place) });
    return {
      kind: 'table',
      columns: ['Field', 'Value'],
      rows: rows.filter(([, value]) => value !== undefined).map(([field, value]) => [field, String(value)]),
    };
  },
  renderResult(output) {
    const { mode, lines, total, truncated } = output;
    const noun = mode === 'content' ? 'line' : 'file';
    const note = truncated ? `${grouped(lines.length)} of ${counted(total, noun)}` : counted(lines.length, noun);
    if (mode === 'files_with_matches') {
      const files = lines.slice(0, maxShownFiles).map((path) => ({ path }));
      return { view: { kind: 'files', files, truncated: truncated || files.length < lines.length }, note };
    }
    return { view: { kind: 'text', text: headOf(lines.join('\n'), maxShownChars) }, note };
  },
});

/** Paths in the lines start from the searched folder, or from the folder of the searched file. */
async function baseOf(root: string, lines: readonly string[], context: CallContext): Promise<string> {
  // A look is needed only where the lines name something like the root itself.
  if (!lines.some((line) => line.startsWith(basename(root)))) return root;
  const found = await context.executor.run({ op: 'file.stat', path: root });
  return found.kind === 'stat' && found.type === 'file' ? dirname(root) : root;
}

function operation(input: GrepInput, root: string): OperationOf<'search.grep'> {
  const around = input['-C'] ?? 0;
  const within = (lines: number | undefined) => Math.min(lines ?? around, maxContextLines);
  const content = input.output_mode === 'content';
  return {
    op: 'search.grep',
    root,
    pattern: input.pattern,
    ...(input.glob === undefined ? {} : { glob: input.glob }),
    ...(input.type === undefined ? {} : { fileType: input.type }),
    ignoreCase: input['-i'],
    multiline: input.multiline,
    mode: input.output_mode,
    before: content ? within(input['-B']) : 0,
    after: content ? within(input['-A']) : 0,
    lineNumbers: content && input['-n'],
    offset: input.offset,
    limit: input.head_limit === 0 ? maxLimit : Math.min(input.head_limit, maxLimit),
  };
}

import { resolve } from 'node:path';
import { z } from 'zod';
import { buildTool } from '../buildTool';
import { rejection } from '../changeTarget';
import { operationFailed } from '../operationFailure';
import { pathField, shortPath } from '../paths';
import { climbsOut, searchRoot } from '../searchRoot';
import type { CallPlace } from '../tool';
import { counted, oneLine } from '../wording';
import prompt from './glob.prompt.md';

const maxResults = 100;

const inputSchema = () =>
  z.strictObject({
    pattern: z
      .string()
      .refine((pattern) => pattern.trim() !== '', 'expected a pattern')
      .refine((pattern) => pattern.length <= 2_000, 'expected at most 2,000 characters')
      .describe('Pattern for file names, such as "**/*.ts" or "src/**/index.*".'),
    path: pathField().optional().describe('Folder to search; the working folder when left out.'),
  });

export type GlobInput = z.infer<ReturnType<typeof inputSchema>>;

export interface GlobOutput {
  /** Relative to the current folder where inside, else absolute; newest first. */
  readonly files: readonly string[];
  readonly truncated: boolean;
}

const rootOf = (input: GlobInput, place: CallPlace) => searchRoot({ pattern: input.pattern, path: input.path }, place);

/** Finds files by name. */
export const globTool = buildTool<GlobInput, GlobOutput>({
  name: 'Glob',
  searchHint: 'find files by name pattern, list folders',
  prompt,
  icon: 'folderSearch',
  inputSchema,
  isConcurrencySafe: () => true,
  isReadOnly: () => true,
  canBeReadOnly: () => true,
  isSearchOrReadCommand: () => true,
  validateInput: (input, context) =>
    Promise.resolve(
      climbsOut(rootOf(input, context).pattern)
        ? rejection('climbsOut', 'A pattern may not contain ".." after a wildcard. Give the folder in `path` instead.')
        : { verdict: 'ok' },
    ),
  facts: (input, place) => [{ kind: 'path', access: 'read', path: rootOf(input, place).root }],
  observableInput: (input, place) => ({ ...input, path: rootOf(input, place).root }),
  async call(input, context) {
    const { root, pattern } = rootOf(input, context);
    const answer = await context.executor.run({ op: 'search.glob', root, pattern, limit: maxResults });
    if (answer.kind === 'failure') throw operationFailed(answer);
    const files = answer.files.map((file) => shortPath(resolve(root, file), context.cwd));
    return { files, truncated: answer.truncated };
  },
  mapResult({ files, truncated }) {
    if (files.length === 0) return [{ type: 'text', text: 'No files match.' }];
    const rest = truncated ? ['', `[The first ${files.length} only. Narrow the pattern or the folder.]`] : [];
    return [{ type: 'text', text: [...files, ...rest].join('\n') }];
  },
  getToolUseSummary(input, place) {
    const folder = shortPath(rootOf({ ...input, pattern: '*' }, place).root, place.folder);
    return folder === '.' ? oneLine(input.pattern) : `${oneLine(input.pattern)} in ${folder}`;
  },
  getActivityDescription: (input) => `Finding ${oneLine(input.pattern, 80)}`,
  getPath: (input, place) => rootOf(input, place).root,
  extractSearchText: (output) => output.files.join('\n'),
  toAutoClassifierInput: (input) => `${input.pattern} ${input.path ?? ''}`.trim(),
  renderUse: (input, place) => ({
    kind: 'table',
    columns: ['Pattern', 'Folder'],
    rows: [[rootOf(input, place).pattern, rootOf(input, place).root]],
  }),
  renderResult: ({ files, truncated }) => ({
    view: { kind: 'files', files: files.map((path) => ({ path })), truncated },
    note: truncated ? `first ${counted(files.length, 'file')}` : counted(files.length, 'file'),
  }),
});

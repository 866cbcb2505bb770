import { z } from 'zod';
import type { OperationAnswers } from '#shared/api/executor';
import { buildTool } from '../buildTool';
import { operationFailed } from '../operationFailure';
import { absolutePath, pathField, shortPath } from '../paths';
import { semanticInteger } from '../semanticInput';
import type { CallPlace } from '../tool';
import { visibleText } from '../visibleText';
import { counted, grouped } from '../wording';
import prompt from './listDirectory.prompt.md';

const defaultLimit = 300;
const maxLimit = 10_000;
/** The card shows at most this many rows. */
const maxShownRows = 1_000;

const inputSchema = () =>
  z.strictObject({
    path: pathField().optional().describe('The folder, absolute or relative; the working folder when left out.'),
    ignore: z
      .array(
        z
          .string()
          .min(1)
          .refine((pattern) => pattern.length <= 1_000, 'expected at most 1,000 characters')
          .refine((pattern) => !pattern.replace(/\/$/, '').includes('/'), 'expected a pattern for names, without "/"'),
      )
      .max(100)
      .default([])
      .describe('Names to leave out, with * and ? as wildcards, such as "*.log"; "dist/" means folders only.'),
    limit: semanticInteger(1)
      .refine((limit) => limit <= maxLimit, `expected at most ${grouped(maxLimit)}`)
      .default(defaultLimit)
      .describe(`Entries to show at most; ${defaultLimit} when left out.`),
  });

export type ListDirectoryInput = z.infer<ReturnType<typeof inputSchema>>;
export type ListDirectoryOutput = Extract<OperationAnswers['file.list'], { kind: 'entries' }>;

const folderOf = (input: ListDirectoryInput, place: CallPlace) => absolutePath(input.path ?? '.', place);

/** Lists one folder. */
export const listDirectoryTool = buildTool<ListDirectoryInput, ListDirectoryOutput>({
  name: 'ListDirectory',
  aliases: ['LS'],
  searchHint: 'list a folder: entries with type and size',
  prompt,
  icon: 'folderSearch',
  inputSchema,
  shouldDefer: true,
  isConcurrencySafe: () => true,
  isReadOnly: () => true,
  canBeReadOnly: () => true,
  isSearchOrReadCommand: () => true,
  facts: (input, place) => [{ kind: 'path', access: 'read', path: folderOf(input, place) }],
  observableInput: (input, place) => ({ ...input, path: folderOf(input, place) }),
  async call(input, context) {
    const { ignore, limit } = input;
    const answer = await context.executor.run({ op: 'file.list', path: folderOf(input, context), ignore, limit });
    if (answer.kind === 'failure') throw operationFailed(answer);
    return answer;
  },
  mapResult: (output) => [{ type: 'text', text: listing(output) }],
  getToolUseSummary: (input, place) => visibleText(shortPath(folderOf(input, place), place.folder)),
  getActivityDescription: (input, place) => `Listing ${visibleText(shortPath(folderOf(input, place), place.folder))}`,
  getPath: folderOf,
  extractSearchText: (output) => output.entries.map((entry) => entry.name).join('\n'),
  toAutoClassifierInput: (input) => input.path ?? '.',
  renderUse: (input, place) => ({
    kind: 'table',
    columns: ['Folder', 'Left out'],
    rows: [[folderOf(input, place), input.ignore.join(', ')]],
  }),
  renderResult(output) {
    const { entries } = output;
    const rows = entries
      .slice(0, maxShownRows)
      .map((entry) => [shownName(entry), entry.type, entry.type === 'file' ? grouped(entry.size) : '']);
    const total = `${counted(output.total, 'entry', 'entries')}${output.more ? ' and more' : ''}`;
    const note = entries.length < output.total ? `first ${grouped(entries.length)} of ${total}` : total;
    return { view: { kind: 'table', columns: ['Name', 'Type', 'Bytes'], rows }, note };
  },
});

type Entry = ListDirectoryOutput['entries'][number];

function shownName({ name, type, target }: Entry): string {
  const shown = visibleText(name);
  if (type === 'folder') return `${shown}/`;
  return target === undefined ? shown : `${shown} -> ${visibleText(target)}`;
}

/** One line for each entry, type first, name last, so that no name can pass for something else. */
function listing({ entries, total, ignored, more }: ListDirectoryOutput): string {
  const left = ignored > 0 ? `${counted(ignored, 'entry', 'entries')} left out by \`ignore\`` : '';
  if (entries.length === 0) return left === '' ? 'The folder is empty.' : `Nothing to show: ${left}.`;
  const lines = entries.map((entry) => {
    const size = entry.type === 'file' ? counted(entry.size, 'byte') : '';
    return `${entry.type.padEnd(6)}  ${size.padStart(14)}  ${shownName(entry)}`;
  });
  const whole = `${more ? 'more than ' : ''}${grouped(total)}`;
  const cut = entries.length < total || more;
  const notes = [
    ...(cut
      ? [
          `The first ${grouped(entries.length)} of ${whole} entries. Leave out more with \`ignore\`, or raise \`limit\`.`,
        ]
      : []),
    ...(left === '' ? [] : [`${left}.`]),
    ...(entries.some((entry) => entry.name !== visibleText(entry.name))
      ? ['Characters that cannot be seen are written as \\u{…}.']
      : []),
  ];
  return [...lines, ...(notes.length === 0 ? [] : ['', `[${notes.join(' ')}]`])].join('\n');
}

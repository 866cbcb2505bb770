import { z } from 'zod';
import { buildTool } from '../buildTool';
import { type Change, changeView } from '../changeView';
import { changedText, makeEdits, plannedView, validateEdits } from '../edit/textEdits';
import { absolutePath, pathField, shortPath } from '../paths';
import { semanticBoolean } from '../semanticInput';
import type { CallPlace } from '../tool';
import { changeCount, counted } from '../wording';
import prompt from './multiEdit.prompt.md';

const mostEdits = 100;

const inputSchema = () =>
  z.strictObject({
    file_path: pathField().describe('The file to change, absolute or relative to the working folder.'),
    edits: z
      .array(
        z.strictObject({
          old_string: z
            .string()
            .describe('The text to replace, exactly as it stands in the file after the edits before this one.'),
          new_string: z.string().describe('The text to put in its place; must differ from old_string.'),
          replace_all: semanticBoolean()
            .default(false)
            .describe('Replace every occurrence instead of requiring exactly one; false when left out.'),
        }),
      )
      .min(1)
      .max(mostEdits)
      .describe(`The replacements in the order in which they are made, 1 to ${mostEdits}.`),
  });

export type MultiEditInput = z.infer<ReturnType<typeof inputSchema>>;

/** Makes several replacements in one file, all or none. */
export const multiEditTool = buildTool<MultiEditInput, Change>({
  name: 'MultiEdit',
  searchHint: 'several edits in one file at once',
  governedBy: ['Edit'],
  shouldDefer: true,
  prompt,
  icon: 'fileEdit',
  inputSchema,
  validateInput: (input, context) => validateEdits(absolutePath(input.file_path, context), input.edits, context),
  facts: (input, place) => [{ kind: 'path', access: 'write', path: absolutePath(input.file_path, place) }],
  observableInput: (input, place) => ({ ...input, file_path: absolutePath(input.file_path, place) }),
  call: (input, context) => makeEdits(absolutePath(input.file_path, context), input.edits, context),
  mapResult(change, input) {
    const { replacements, added, removed } = change;
    const made = `${counted(input.edits.length, 'edit')}, ${counted(replacements, 'replacement')}`;
    return [{ type: 'text', text: `Edited ${input.file_path}: ${made}, ${changeCount(added, removed)} lines.` }];
  },
  getToolUseSummary: (input, place) => `${shownPath(input, place)}, ${counted(input.edits.length, 'edit')}`,
  getActivityDescription: (input, place) => `Editing ${shownPath(input, place)}`,
  getPath: (input, place) => absolutePath(input.file_path, place),
  extractSearchText: changedText,
  // Contents of files stay here: place and size are told.
  toAutoClassifierInput: (input) => {
    const chars = (key: 'old_string' | 'new_string') => input.edits.reduce((sum, edit) => sum + edit[key].length, 0);
    const places = input.edits.length === 1 ? '1 edit' : `${input.edits.length} edits`;
    return `change ${input.file_path}: ${places}, ${chars('old_string')} characters become ${chars('new_string')}`;
  },
  renderUse: (input, place) => plannedView(input.edits, shownPath(input, place)),
  renderResult: (change, input, place) => ({
    view: changeView(change, shownPath(input, place)),
    note: changeCount(change.added, change.removed),
  }),
});

function shownPath(input: MultiEditInput, place: CallPlace): string {
  return shortPath(absolutePath(input.file_path, place), place.folder);
}

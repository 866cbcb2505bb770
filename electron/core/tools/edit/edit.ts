import { z } from 'zod';
import { buildTool } from '../buildTool';
import { type Change, changeView } from '../changeView';
import { absolutePath, pathField, shortPath } from '../paths';
import { semanticBoolean } from '../semanticInput';
import type { CallPlace } from '../tool';
import { changeCount, counted } from '../wording';
import prompt from './edit.prompt.md';
import { changedText, makeEdits, plannedView, validateEdits } from './textEdits';

const inputSchema = () =>
  z.strictObject({
    file_path: pathField().describe('The file to change, absolute or relative to the working folder.'),
    old_string: z.string().describe('The text to replace, exactly as it stands in the file.'),
    new_string: z.string().describe('The text to put in its place; must differ from old_string.'),
    replace_all: semanticBoolean()
      .default(false)
      .describe('Replace every occurrence instead of requiring exactly one; false when left out.'),
  });

export type EditInput = z.infer<ReturnType<typeof inputSchema>>;

/** Replaces exact text in a file that was read. */
export const editTool = buildTool<EditInput, Change>({
  name: 'Edit',
  searchHint: 'change text in files, replace, rename',
  prompt,
  icon: 'fileEdit',
  inputSchema,
  validateInput: (input, context) => validateEdits(absolutePath(input.file_path, context), [input], context),
  facts: (input, place) => [{ kind: 'path', access: 'write', path: absolutePath(input.file_path, place) }],
  observableInput: (input, place) => ({ ...input, file_path: absolutePath(input.file_path, place) }),
  call: (input, context) => makeEdits(absolutePath(input.file_path, context), [input], context),
  mapResult(change, input) {
    const { replacements, added, removed } = change;
    const text = `Edited ${input.file_path}: ${counted(replacements, 'replacement')}, ${changeCount(added, removed)} lines.`;
    return [{ type: 'text', text }];
  },
  getToolUseSummary: shownPath,
  getActivityDescription: (input, place) => `Editing ${shownPath(input, place)}`,
  getPath: (input, place) => absolutePath(input.file_path, place),
  extractSearchText: changedText,
  // Contents of files stay here: place and size are told.
  toAutoClassifierInput: (input) =>
    `change ${input.file_path}: ${input.replace_all === true ? 'every' : 'one'} place, ${input.old_string.length} characters become ${input.new_string.length}`,
  renderUse: (input, place) => plannedView([input], shownPath(input, place)),
  renderResult: (change, input, place) => ({
    view: changeView(change, shownPath(input, place)),
    note: changeCount(change.added, change.removed),
  }),
});

function shownPath(input: EditInput, place: CallPlace): string {
  return shortPath(absolutePath(input.file_path, place), place.folder);
}

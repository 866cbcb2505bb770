import { z } from 'zod';
import type { View } from '#shared/tools/presentation';
import { buildTool } from '../buildTool';
import { changeTarget, rejection } from '../changeTarget';
import { type Change, changeView } from '../changeView';
import { failureText, operationFailed } from '../operationFailure';
import { absolutePath, pathField, shortPath } from '../paths';
import { semanticBoolean } from '../semanticInput';
import { type CallContext, type CallPlace, ToolFailure, type Validation, type ValidationContext } from '../tool';
import { changeCount, counted } from '../wording';
import prompt from './edit.prompt.md';

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
  validateInput: validate,
  facts: (input, place) => [{ kind: 'path', access: 'write', path: absolutePath(input.file_path, place) }],
  observableInput: (input, place) => ({ ...input, file_path: absolutePath(input.file_path, place) }),
  call: edit,
  mapResult(change, input) {
    const { replacements, added, removed } = change;
    const text = `Edited ${input.file_path}: ${counted(replacements, 'replacement')}, ${changeCount(added, removed)} lines.`;
    return [{ type: 'text', text }];
  },
  getToolUseSummary: shownPath,
  getActivityDescription: (input, place) => `Editing ${shownPath(input, place)}`,
  getPath: (input, place) => absolutePath(input.file_path, place),
  extractSearchText: (change) => changedText(change),
  // Contents of files stay here: place and size are told.
  toAutoClassifierInput: (input) =>
    `change ${input.file_path}: ${input.replace_all === true ? 'every' : 'one'} place, ${input.old_string.length} characters become ${input.new_string.length}`,
  renderUse: plannedView,
  renderResult: (change, input, place) => ({
    view: changeView(change, shownPath(input, place)),
    note: changeCount(change.added, change.removed),
  }),
});

async function validate(input: EditInput, context: ValidationContext): Promise<Validation> {
  const path = absolutePath(input.file_path, context);
  const named = shortPath(path, context.cwd);
  if (input.old_string === '') {
    const message = `old_string is empty. Give the text to replace in ${named}; to create a file or replace all of it use Write.`;
    return rejection('emptyOldString', message);
  }
  if (input.old_string === input.new_string) {
    return rejection('sameText', 'old_string and new_string are the same, so there is nothing to change.');
  }
  const target = await changeTarget(path, context);
  if (target.kind === 'rejected') return target.rejection;
  if (target.kind === 'absent') {
    return rejection('missing', `${named} does not exist. Check the path, or create the file with Write.`);
  }
  const preview = await context.inspect.preview(operation(input, { path, hash: target.state.hash, dryRun: true }));
  if (preview.kind === 'failure') return rejection(preview.reason, failureText(preview));
  return { verdict: 'ok', view: changeView(preview, shownPath(input, context)) };
}

async function edit(input: EditInput, context: CallContext): Promise<Change> {
  const path = absolutePath(input.file_path, context);
  const named = shortPath(path, context.cwd);
  const state = context.fileStates.get(path);
  if (state === undefined) {
    throw new ToolFailure(
      'tool',
      `What you read of ${named} is no longer known. Read it again, then repeat the edit.`,
      {
        note: 'not read',
      },
    );
  }
  const change = await context.executor.run(operation(input, { path, hash: state.hash, dryRun: false }));
  if (change.kind === 'failure') throw operationFailed(change);
  const { hash, mtimeMs, size } = change;
  context.fileStates.set({ path, hash, mtimeMs, size, whole: state.whole });
  return change;
}

function operation(input: EditInput, to: { readonly path: string; readonly hash: string; readonly dryRun: boolean }) {
  const { old_string: oldString, new_string: newString, replace_all: replaceAll } = input;
  return { op: 'file.edit' as const, ...to, edits: [{ oldString, newString, replaceAll }] };
}

function shownPath(input: EditInput, place: CallPlace): string {
  return shortPath(absolutePath(input.file_path, place), place.folder);
}

/** Before the file was looked at: the replacement alone, its place in the file unknown. */
function plannedView(input: EditInput, place: CallPlace): View {
  const removed = linesOf(input.old_string);
  const added = linesOf(input.new_string);
  const lines = [
    ...removed.map((text) => ({ sign: '-' as const, text })),
    ...added.map((text) => ({ sign: '+' as const, text })),
  ];
  return {
    kind: 'diff',
    path: shownPath(input, place),
    created: false,
    hunks: [{ oldStart: 0, newStart: 0, lines }],
    added: added.length,
    removed: removed.length,
    truncated: false,
  };
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}

function changedText(change: Change): string {
  return change.hunks
    .flatMap((hunk) => hunk.lines.filter((line) => line.sign !== ' ').map((line) => line.text))
    .join('\n');
}

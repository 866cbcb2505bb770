import { z } from 'zod';
import type { OperationOf } from '#shared/api/executor';
import { buildTool } from '../buildTool';
import { changeTarget, rejection } from '../changeTarget';
import { type Change, changeView } from '../changeView';
import { changedText } from '../edit/textEdits';
import { failureText, operationFailed } from '../operationFailure';
import { absolutePath, pathField, shortPath } from '../paths';
import { type CallContext, type CallPlace, ToolFailure, type Validation, type ValidationContext } from '../tool';
import { visibleText } from '../visibleText';
import { changeCount, headOf } from '../wording';
import prompt from './notebookEdit.prompt.md';

const inputSchema = () =>
  z.strictObject({
    notebook_path: pathField().describe('The notebook (.ipynb), absolute or relative to the working folder.'),
    cell_id: z
      .string()
      .min(1)
      .refine((id) => id.length <= 1_000, 'expected at most 1,000 characters')
      .optional()
      .describe('Id of the cell as Read shows it. With insert the new cell goes behind it; left out, it goes first.'),
    new_source: z.string().optional().describe('The whole new text of the cell. Not with delete.'),
    cell_type: z
      .enum(['code', 'markdown', 'raw'])
      .optional()
      .describe(
        'Kind of a new cell, code when left out; with replace the kind that the cell becomes, as before when left out.',
      ),
    edit_mode: z
      .enum(['replace', 'insert', 'delete'])
      .default('replace')
      .describe('What to do; replace when left out.'),
  });

export type NotebookEditInput = z.infer<ReturnType<typeof inputSchema>>;

/** Replaces, inserts or deletes one cell of a notebook that was read. */
export const notebookEditTool = buildTool<NotebookEditInput, Change>({
  name: 'NotebookEdit',
  searchHint: 'change, insert or delete a cell of a Jupyter notebook (.ipynb)',
  governedBy: ['Edit'],
  shouldDefer: true,
  prompt,
  icon: 'fileEdit',
  inputSchema,
  validateInput: validate,
  facts: (input, place) => [{ kind: 'path', access: 'write', path: absolutePath(input.notebook_path, place) }],
  observableInput: (input, place) => ({ ...input, notebook_path: absolutePath(input.notebook_path, place) }),
  call: edit,
  mapResult: (change, input) => [
    {
      type: 'text',
      text: `${doneTo(input)} ${input.notebook_path}: ${changeCount(change.added, change.removed)} lines of the file.${aboutOutputs(input)}`,
    },
  ],
  getToolUseSummary: (input, place) => `${shownPath(input, place)}, ${plannedFor(input)}`,
  getActivityDescription: (input, place) => `Editing ${shownPath(input, place)}`,
  getPath: (input, place) => absolutePath(input.notebook_path, place),
  extractSearchText: changedText,
  // Contents of files stay here: place and size are told.
  toAutoClassifierInput: (input) =>
    `change ${input.notebook_path}: ${input.edit_mode} a cell, ${(input.new_source ?? '').length} characters`,
  renderUse: (input) => ({ kind: 'text', text: input.new_source ?? '', firstLine: 1 }),
  renderResult: (change, input, place) => ({
    view: changeView(change, shownPath(input, place)),
    note: changeCount(change.added, change.removed),
  }),
});

async function validate(input: NotebookEditInput, context: ValidationContext): Promise<Validation> {
  const path = absolutePath(input.notebook_path, context);
  const named = shortPath(path, context.cwd);
  if (!path.toLowerCase().endsWith('.ipynb')) {
    return rejection('notNotebook', `${named} is not named as a notebook (.ipynb). Use Edit for other files.`);
  }
  if (input.edit_mode !== 'delete' && input.new_source === undefined) {
    return rejection('noSource', `new_source is missing: it is the text of the cell to ${input.edit_mode}.`);
  }
  if (input.edit_mode !== 'insert' && input.cell_id === undefined) {
    return rejection('noCell', `cell_id is missing: it says which cell to ${input.edit_mode}. Read shows the ids.`);
  }
  const target = await changeTarget(path, context);
  if (target.kind === 'rejected') return target.rejection;
  if (target.kind === 'absent') {
    return rejection('missing', `${named} does not exist. Check the path, or create the notebook with Write.`);
  }
  const preview = await context.inspect.preview(operation(input, { path, hash: target.state.hash, dryRun: true }));
  if (preview.kind === 'failure') return rejection(preview.reason, messageOf(preview));
  return { verdict: 'ok', view: changeView(preview, shownPath(input, context)) };
}

/** The advice for text that was not found is about Edit. */
function messageOf(failed: Parameters<typeof failureText>[0]): string {
  return failed.reason === 'noMatch' ? failed.message : failureText(failed);
}

async function edit(input: NotebookEditInput, context: CallContext): Promise<Change> {
  const path = absolutePath(input.notebook_path, context);
  const state = context.fileStates.get(path);
  if (state === undefined) {
    throw new ToolFailure(
      'tool',
      `What you read of ${shortPath(path, context.cwd)} is no longer known. Read it again, then repeat the edit.`,
      { note: 'not read' },
    );
  }
  const change = await context.executor.run(operation(input, { path, hash: state.hash, dryRun: false }));
  if (change.kind === 'failure') throw operationFailed(change);
  const { hash, mtimeMs, size } = change;
  context.fileStates.set({ ...state, hash, mtimeMs, size });
  return change;
}

function operation(
  input: NotebookEditInput,
  to: { readonly path: string; readonly hash: string; readonly dryRun: boolean },
): OperationOf<'file.editCell'> {
  const { edit_mode: mode, cell_id: cellId, cell_type: cellType, new_source: source = '' } = input;
  return {
    op: 'file.editCell',
    ...to,
    mode,
    ...(cellId === undefined ? {} : { cellId }),
    ...(cellType === undefined ? {} : { cellType }),
    source,
  };
}

function doneTo(input: NotebookEditInput): string {
  const cell = shownCell(input);
  switch (input.edit_mode) {
    case 'replace':
      return `Replaced cell ${cell} in`;
    case 'delete':
      return `Deleted cell ${cell} from`;
    case 'insert':
      return cell === '' ? 'Inserted a first cell into' : `Inserted a cell behind ${cell} in`;
  }
}

function plannedFor(input: NotebookEditInput): string {
  const cell = shownCell(input);
  if (input.edit_mode !== 'insert') return `${input.edit_mode} cell ${cell}`;
  return cell === '' ? 'insert a first cell' : `insert a cell behind ${cell}`;
}

const shownCell = (input: NotebookEditInput) => visibleText(headOf(input.cell_id ?? '', 100));

/** Ids by place move with the cells. */
function aboutOutputs({ edit_mode: mode, cell_id: id = '' }: NotebookEditInput): string {
  if (mode === 'replace') return ' What the cell had printed was removed with its old text.';
  return /^cell-\d+$/.test(id) ? ' Cells without an id of their own are counted anew: read the notebook again.' : '';
}

function shownPath(input: NotebookEditInput, place: CallPlace): string {
  return shortPath(absolutePath(input.notebook_path, place), place.folder);
}

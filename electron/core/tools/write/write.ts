import { z } from 'zod';
import { buildTool } from '../buildTool';
import { changeTarget, rejection } from '../changeTarget';
import { type Change, changeView } from '../changeView';
import { languageOf } from '../languages';
import { failureText, operationFailed } from '../operationFailure';
import { absolutePath, pathField, shortPath } from '../paths';
import type { CallContext, CallPlace, Validation, ValidationContext } from '../tool';
import { changeCount, counted } from '../wording';
import prompt from './write.prompt.md';

const inputSchema = () =>
  z.strictObject({
    file_path: pathField().describe('The file to write, absolute or relative to the working folder.'),
    content: z.string().describe('The whole content of the file.'),
  });

export type WriteInput = z.infer<ReturnType<typeof inputSchema>>;

/** Creates a file or replaces all of it. */
export const writeTool = buildTool<WriteInput, Change>({
  name: 'Write',
  searchHint: 'create files, write whole files',
  governedBy: ['Edit'],
  prompt,
  icon: 'filePlus',
  inputSchema,
  validateInput: validate,
  facts: (input, place) => [{ kind: 'path', access: 'write', path: absolutePath(input.file_path, place) }],
  observableInput: (input, place) => ({ ...input, file_path: absolutePath(input.file_path, place) }),
  call: write,
  mapResult(change, input) {
    const text = change.created
      ? `Created ${input.file_path} with ${counted(change.added, 'line')}.`
      : `Replaced the content of ${input.file_path}: ${changeCount(change.added, change.removed)} lines.`;
    return [{ type: 'text', text }];
  },
  getToolUseSummary: shownPath,
  getActivityDescription: (input, place) => `Writing ${shownPath(input, place)}`,
  getPath: (input, place) => absolutePath(input.file_path, place),
  // Contents of files stay here: place and size are told.
  toAutoClassifierInput: (input) => `write ${input.file_path}: ${input.content.length} characters`,
  renderUse(input) {
    const language = languageOf(input.file_path);
    return { kind: 'text', text: input.content, firstLine: 1, ...(language === undefined ? {} : { language }) };
  },
  renderResult: (change, input, place) => ({
    view: changeView(change, shownPath(input, place)),
    note: change.created ? `new file · ${counted(change.added, 'line')}` : changeCount(change.added, change.removed),
  }),
});

type Expectation = 'absent' | { readonly hash: string };

async function validate(input: WriteInput, context: ValidationContext): Promise<Validation> {
  const path = absolutePath(input.file_path, context);
  const target = await changeTarget(path, context);
  if (target.kind === 'rejected') return target.rejection;
  const expect = target.kind === 'absent' ? 'absent' : { hash: target.state.hash };
  const preview = await context.inspect.preview(operation(input, { path, expect, dryRun: true }));
  if (preview.kind === 'failure') return rejection(preview.reason, failureText(preview));
  return { verdict: 'ok', view: changeView(preview, shownPath(input, context)) };
}

async function write(input: WriteInput, context: CallContext): Promise<Change> {
  const path = absolutePath(input.file_path, context);
  const state = context.fileStates.get(path);
  const expect = state === undefined ? 'absent' : { hash: state.hash };
  const change = await context.executor.run(operation(input, { path, expect, dryRun: false }));
  if (change.kind === 'failure') throw operationFailed(change);
  const { hash, mtimeMs, size } = change;
  context.fileStates.set({ path, hash, mtimeMs, size, whole: true });
  return change;
}

function operation(
  input: WriteInput,
  to: { readonly path: string; readonly expect: Expectation; readonly dryRun: boolean },
) {
  return { op: 'file.write' as const, ...to, content: input.content };
}

function shownPath(input: WriteInput, place: CallPlace): string {
  return shortPath(absolutePath(input.file_path, place), place.folder);
}

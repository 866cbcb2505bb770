// What Edit and MultiEdit have in common: exact replacements in one file that was read.
import type { OperationOf } from '#shared/api/executor';
import type { View } from '#shared/tools/presentation';
import { changeTarget, rejection } from '../changeTarget';
import { type Change, changeView } from '../changeView';
import { failureText, operationFailed } from '../operationFailure';
import { shortPath } from '../paths';
import { type CallContext, ToolFailure, type Validation, type ValidationContext } from '../tool';

export interface TextEdit {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all: boolean;
}

/** Tries the edits without writing. `path` is absolute. */
export async function validateEdits(
  path: string,
  edits: readonly TextEdit[],
  context: ValidationContext,
): Promise<Validation> {
  const named = shortPath(path, context.cwd);
  for (const [index, edit] of edits.entries()) {
    const which = edits.length > 1 ? `Edit ${index + 1} of ${edits.length}: ` : '';
    if (edit.old_string === '') {
      const message = `${which}old_string is empty. Give the text to replace in ${named}; to create a file or replace all of it use Write.`;
      return rejection('emptyOldString', message);
    }
    if (edit.old_string === edit.new_string) {
      const message = `${which}old_string and new_string are the same, so there is nothing to change.`;
      return rejection('sameText', message);
    }
  }
  const target = await changeTarget(path, context);
  if (target.kind === 'rejected') return target.rejection;
  if (target.kind === 'absent') {
    return rejection('missing', `${named} does not exist. Check the path, or create the file with Write.`);
  }
  if (target.state.unit === 'cells') {
    return rejection('isNotebook', `${named} is a notebook, which you saw by cells. Change it with NotebookEdit.`);
  }
  if (target.state.unit === 'pages') {
    return rejection('notText', `${named} is a PDF, which is not edited as text.`);
  }
  const preview = await context.inspect.preview(operation(edits, { path, hash: target.state.hash, dryRun: true }));
  if (preview.kind === 'failure') return rejection(preview.reason, failureText(preview));
  return { verdict: 'ok', view: changeView(preview, shortPath(path, context.folder)) };
}

/** Makes the edits, all or none, and remembers what the file is now. */
export async function makeEdits(path: string, edits: readonly TextEdit[], context: CallContext): Promise<Change> {
  const state = context.fileStates.get(path);
  if (state === undefined) {
    throw new ToolFailure(
      'tool',
      `What you read of ${shortPath(path, context.cwd)} is no longer known. Read it again, then repeat the edit.`,
      { note: 'not read' },
    );
  }
  const change = await context.executor.run(operation(edits, { path, hash: state.hash, dryRun: false }));
  if (change.kind === 'failure') throw operationFailed(change);
  const { hash, mtimeMs, size } = change;
  context.fileStates.set({ path, hash, mtimeMs, size, whole: state.whole });
  return change;
}

function operation(
  edits: readonly TextEdit[],
  to: { readonly path: string; readonly hash: string; readonly dryRun: boolean },
): OperationOf<'file.edit'> {
  return {
    op: 'file.edit',
    ...to,
    edits: edits.map((edit) => ({
      oldString: edit.old_string,
      newString: edit.new_string,
      replaceAll: edit.replace_all,
    })),
  };
}

/** Before the file was looked at: the replacements alone, their places in the file unknown. */
export function plannedView(edits: readonly TextEdit[], path: string): View {
  const hunks = edits.map((edit) => ({
    removed: linesOf(edit.old_string),
    added: linesOf(edit.new_string),
  }));
  return {
    kind: 'diff',
    path,
    created: false,
    hunks: hunks.map(({ removed, added }) => ({
      oldStart: 0,
      newStart: 0,
      lines: [
        ...removed.map((text) => ({ sign: '-' as const, text })),
        ...added.map((text) => ({ sign: '+' as const, text })),
      ],
    })),
    added: hunks.reduce((sum, hunk) => sum + hunk.added.length, 0),
    removed: hunks.reduce((sum, hunk) => sum + hunk.removed.length, 0),
    truncated: false,
  };
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}

/** The lines that changed, for searching. */
export function changedText(change: Change): string {
  return change.hunks
    .flatMap((hunk) => hunk.lines.filter((line) => line.sign !== ' ').map((line) => line.text))
    .join('\n');
}

import type { OperationAnswers } from '#shared/api/executor';
import type { View } from '#shared/tools/presentation';

export type Change = Extract<OperationAnswers['file.edit'], { kind: 'changed' }>;

/** A change to a file as a diff. `path` is shown as given. */
export function changeView(change: Change, path: string): Extract<View, { kind: 'diff' }> {
  const { created, hunks, added, removed, hunksTruncated } = change;
  return { kind: 'diff', path, created, hunks, added, removed, truncated: hunksTruncated };
}

// What a target means for each path, from what was recorded.
import type { RestoreTarget } from '#shared/api/changes';
import type { RecordedChange } from './changeLog';
import { joinPieces, type Wish } from './plan';
import { sameContent } from './side';

/** One wish for each path that the target is about, by path. A target that names nothing recorded gives none. */
export function wishesFor(recorded: readonly RecordedChange[], target: RestoreTarget): Wish[] {
  const chosen = recorded.filter(chooser(target));
  const paths = [...new Set(chosen.map(({ change }) => change.path))].sort();
  return paths.map((path) => {
    const own = chosen.filter(({ change }) => change.path === path).map(({ change }) => change);
    const last = recorded.findLast(({ change }) => change.path === path)?.change.after ?? null;
    const of = own.map(({ changeId }) => changeId);
    const pieces = joinPieces(own);
    const [first] = own;
    if (target.kind !== 'before' || first === undefined) return { path, pieces, last, of, remark: '' };
    // As it was then, whatever came in between.
    const gap = own.some((change, index) => index > 0 && !sameContent(own[index - 1]?.after ?? null, change.before));
    const remark = gap ? 'What was changed by hand or by a command between these steps goes back as well.' : '';
    return { path, pieces: [{ before: first.before, after: last }], last, of, remark };
  });
}

function chooser(target: RestoreTarget): (one: RecordedChange) => boolean {
  switch (target.kind) {
    case 'before':
      return ({ seq }) => seq >= target.seq;
    case 'undo': {
      const ids = new Set(target.changeIds);
      return ({ change }) => ids.has(change.changeId);
    }
    case 'redo':
      return ({ change }) => change.by.kind === 'restore' && change.by.step === target.step;
  }
}

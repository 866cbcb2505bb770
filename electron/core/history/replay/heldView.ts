// The disk as it was when it was first asked: one replay over many calls sees one state, and asks once for each name.
import type { FileView } from '../../permissions/fileView';

/** More names than this are asked for anew. */
const maxNames = 200_000;

function held<T>(ask: (path: string) => T): (path: string) => T {
  const known = new Map<string, T>();
  return (path) => {
    const found = known.get(path);
    if (found !== undefined || known.has(path)) return found as T;
    if (known.size >= maxNames) known.clear();
    const answer = ask(path);
    known.set(path, answer);
    return answer;
  };
}

/** A view that keeps what it was told. */
export function heldView(view: FileView): FileView {
  return {
    kind: held((path) => view.kind(path)),
    linkTarget: held((path) => view.linkTarget(path)),
    names: held((folder) => view.names(folder)),
  };
}

// Changed settings files whose former content stays in force: while somebody may object to the change, and once they did.
import type { LoadedFile } from './ruleFile';

export class HeldBack {
  /** By path: the file as it was before it was read last. */
  private readonly former = new Map<string, LoadedFile>();
  /** By path: what is on disk meanwhile. */
  private readonly newer = new Map<string, LoadedFile>();

  /** What is in force of a file that was read anew: `before` if it says what is held back, for then it did not change again. */
  inForce(before: LoadedFile, loaded: LoadedFile): LoadedFile {
    const { path, signature } = loaded;
    const newer = this.newer.get(path);
    if (newer !== undefined && saysTheSame(newer, loaded)) {
      this.newer.set(path, loaded);
      return { ...before, signature };
    }
    if (!saysTheSame(before, loaded)) this.former.set(path, before);
    this.newer.delete(path);
    return loaded;
  }

  /** The files with the former content of one of them in force; null: it has no former content. */
  hold(files: readonly LoadedFile[], path: string): readonly LoadedFile[] | null {
    const former = this.former.get(path);
    const newer = files.find((file) => file.path === path);
    if (former === undefined || newer === undefined) return null;
    this.newer.set(path, newer);
    // With the new one's signature it counts as read.
    return files.map((file) => (file === newer ? { ...former, signature: newer.signature } : file));
  }

  /** The files with the new content of one of them in force; null: it is not held back. */
  release(files: readonly LoadedFile[], path: string): readonly LoadedFile[] | null {
    const newer = this.newer.get(path);
    if (newer === undefined) return null;
    this.newer.delete(path);
    return files.map((file) => (file.path === path ? newer : file));
  }
}

function saysTheSame(one: LoadedFile, other: LoadedFile): boolean {
  return one.unknown === other.unknown && JSON.stringify(one.content) === JSON.stringify(other.content);
}

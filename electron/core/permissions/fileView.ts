// The only look that the permission engine takes at the disk: names and links, never contents.
import { lstatSync, readdirSync, readlinkSync } from 'node:fs';

/** Names on a disk, with `/` between them. Unreadable counts as absent. */
export interface FileView {
  kind(path: string): 'file' | 'folder' | 'link' | null;
  /** Where a link points, as written in it. */
  linkTarget(path: string): string;
  names(folder: string): readonly string[];
}

/** `/c/proj` → `C:\proj` for the system's own calls on Windows. */
export function toSystemPath(path: string, platform: string): string {
  const drive = platform === 'win32' ? /^\/([a-z])(\/|$)/i.exec(path)?.[1] : undefined;
  return drive === undefined ? path : `${drive.toUpperCase()}:\\${path.slice(3).replaceAll('/', '\\')}`;
}

/** The real disk. */
export function diskView(platform: string): FileView {
  const system = (path: string) => toSystemPath(path, platform);
  return {
    kind(path) {
      try {
        // Without an error for what is absent: making one costs more than the look.
        const found = lstatSync(system(path), { throwIfNoEntry: false });
        if (found === undefined) return null;
        if (found.isSymbolicLink()) return 'link';
        return found.isDirectory() ? 'folder' : 'file';
      } catch {
        return null;
      }
    },
    linkTarget(path) {
      try {
        return readlinkSync(system(path));
      } catch {
        return '';
      }
    },
    names(folder) {
      try {
        return readdirSync(system(folder));
      } catch {
        return [];
      }
    },
  };
}

/** The same disk, asked once for each name: one decision sees one state. */
export function rememberingView(view: FileView): FileView {
  const kinds = new Map<string, ReturnType<FileView['kind']>>();
  return {
    ...view,
    kind(path) {
      const known = kinds.get(path);
      if (known !== undefined) return known;
      const found = view.kind(path);
      kinds.set(path, found);
      return found;
    },
  };
}

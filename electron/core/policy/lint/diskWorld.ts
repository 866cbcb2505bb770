// The world that remarks are made from, on the real disk.
import { readFileSync, statSync } from 'node:fs';
import type { Drafted } from '../../permissions/drafted';
import { diskView, rememberingView } from '../../permissions/fileView';
import { isTracked } from '../../permissions/tracked';
import type { LintUsage, LintWorld } from './world';

/** Longer files are no settings and no lists of ignored files, in bytes. */
const maxBytes = 10_000_000;

function readText(path: string): string | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || !found.isFile() || found.size > maxBytes) return null;
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** `drafted`: what would be in force; its files count as they would be written. */
export function diskWorld(options: {
  readonly drafted: Drafted;
  readonly paths: { readonly home: string; readonly claudeConfig: string };
  readonly platform: LintWorld['platform'];
  readonly usage: LintUsage | null;
  readonly servers: readonly string[] | null;
}): LintWorld {
  const { drafted, paths, platform, usage, servers } = options;
  const changed = new Map(drafted.view.files.map((file) => [file.path, file.after]));
  return {
    sources: drafted.sources,
    standing: drafted.view.rules.map((one) => one.rule),
    home: paths.home,
    claudeConfig: paths.claudeConfig,
    platform,
    // Many rules name the same folders.
    view: rememberingView(diskView(platform)),
    readText: (path) => changed.get(path) ?? readText(path),
    isTracked: (path) => isTracked(path, { ignoreCase: platform === 'darwin' || platform === 'win32' }),
    usage,
    servers,
  };
}

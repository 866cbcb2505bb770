// Files of a git revision, read with git itself. Nothing is checked out, and no program of the repository is started:
// a file's object is asked for by its hash, past all filters and drivers that the repository may name.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fail, ok, type Result } from '#shared/util/result';

const run = promisify(execFile);

/** Settings are never this long, in bytes. */
const maxBytes = 10_000_000;
const timeoutMs = 20_000;

export interface GitPlace {
  readonly folder: string;
  /** Where git itself is found. */
  readonly path: string | undefined;
  readonly home: string;
}

async function git(place: GitPlace, args: readonly string[]): Promise<Result<string>> {
  try {
    const { stdout } = await run('git', ['--no-pager', '-C', place.folder, ...args], {
      encoding: 'utf8',
      maxBuffer: maxBytes,
      timeout: timeoutMs,
      windowsHide: true,
      env: {
        ...(place.path === undefined ? {} : { PATH: place.path }),
        HOME: place.home,
        LC_ALL: 'C',
        GIT_TERMINAL_PROMPT: '0',
        GIT_OPTIONAL_LOCKS: '0',
        // Objects that a partial clone lacks would be fetched by a program of the repository's choice.
        GIT_NO_LAZY_FETCH: '1',
      },
    });
    return ok(stdout);
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    const cause = said === '' && error instanceof Error ? error.message : said;
    return fail(cause.split('\n')[0] ?? 'git failed');
  }
}

/** The commit that a revision names: `main`, `HEAD~1`, `v1.2`. */
export async function commitOf(place: GitPlace, revision: string): Promise<Result<string>> {
  const found = await git(place, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]);
  const hash = found.ok ? found.value.trim() : '';
  if (/^[0-9a-f]{40,64}$/.test(hash)) return ok(hash);
  const why = found.ok || found.error.startsWith('Command failed') ? 'git knows no such commit' : found.error;
  return fail(`${revision}: ${why}. Name a commit, branch or tag of the repository.`);
}

/** A file's text in a commit; null when it has none. `path` is relative to the folder. */
export async function fileAt(place: GitPlace, commit: string, path: string): Promise<Result<string | null>> {
  const listed = await git(place, ['ls-tree', '-z', commit, '--', path]);
  if (!listed.ok) return fail(`${path}: ${listed.error}`);
  const [mode, type, hash] = listed.value.split('\0', 1)[0]?.split(/[ \t]/) ?? [];
  if (type !== 'blob' || hash === undefined || mode === '120000') return ok(null);
  const text = await git(place, ['cat-file', 'blob', hash]);
  return text.ok ? ok(text.value) : fail(`${path}: ${text.error}`);
}

// Which files below a folder changed since the last look: servers that ask for it are told before the next question.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CancelSignal } from '#shared/rpc/contract';
import { commonArgs, notGit, ripgrep } from '../search/ripgrep';

/** Files beyond this many are not looked at. */
const mostFiles = 20_000;
const looksAtOnce = 64;
/** A look that is so quick is taken each time; after others as much time goes by as one took. */
const quickMs = 100;

export interface FileChange {
  readonly path: string;
  readonly kind: 'created' | 'changed' | 'deleted';
}

const never: CancelSignal = { cancelled: false, onCancel: () => () => undefined };

export class FileChanges {
  private known: ReadonlyMap<string, string> | undefined;
  /** On the clock of `performance.now()`. */
  private nextLookAt = 0;

  constructor(private readonly root: string) {}

  /** What changed since the last call; nothing the first time. Ignored files (.gitignore) do not count. */
  async since(): Promise<readonly FileChange[]> {
    const startedAt = performance.now();
    if (this.known !== undefined && startedAt < this.nextLookAt) return [];
    const before = this.known;
    const now = await this.look();
    this.known = now;
    const endedAt = performance.now();
    const tookMs = endedAt - startedAt;
    this.nextLookAt = tookMs < quickMs ? 0 : endedAt + tookMs;
    if (before === undefined) return [];
    const changes: FileChange[] = [];
    // Of a larger folder each look sees another part.
    const whole = before.size < mostFiles && now.size < mostFiles;
    for (const [path, state] of now) {
      const old = before.get(path);
      if (old === undefined && whole) changes.push({ path, kind: 'created' });
      if (old !== undefined && old !== state) changes.push({ path, kind: 'changed' });
    }
    if (whole) for (const path of before.keys()) if (!now.has(path)) changes.push({ path, kind: 'deleted' });
    return changes;
  }

  private async look(): Promise<ReadonlyMap<string, string>> {
    const names: string[] = [];
    await ripgrep({
      args: ['--files', ...commonArgs, ...notGit, '--glob', '!**/node_modules'],
      cwd: this.root,
      signal: never,
      onLine: (line) => {
        names.push(line);
        return names.length < mostFiles ? 'more' : 'stop';
      },
    });
    const states = new Map<string, string>();
    const next = names.values();
    const worker = async (): Promise<void> => {
      for (const name of next) {
        const path = join(this.root, name);
        const facts = await stat(path).catch(() => undefined);
        if (facts !== undefined) states.set(path, `${facts.mtimeMs}:${facts.size}`);
      }
    };
    await Promise.all(Array.from({ length: looksAtOnce }, worker));
    return states;
  }
}

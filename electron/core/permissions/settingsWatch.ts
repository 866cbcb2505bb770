// Watches the settings files of folders, each folder once.
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';

/** Lets a writer that is at work finish before its file is looked at again. */
const settleMs = 1_000;

export class SettingsWatch {
  private readonly watchers = new Map<string, FSWatcher>();

  constructor(
    private readonly options: {
      readonly onChange: (folder: string) => void;
      readonly onError: (error: unknown) => void;
    },
  ) {}

  /**
   * Watches files for a folder, the folders that they would appear in, and every JSON file of `wholeFolders`. Idempotent
   * for a folder.
   */
  add(options: {
    readonly folder: string;
    readonly files: readonly string[];
    readonly wholeFolders: readonly string[];
  }): void {
    const { folder, wholeFolders } = options;
    if (this.watchers.has(folder)) return;
    const files = new Set(options.files);
    const folders = new Set([...[...files].map((path) => dirname(path)), ...wholeFolders]);
    const roots = [...new Set([...folders].map((path) => (existsSync(path) ? path : dirname(path))))].filter(
      existsSync,
    );
    if (roots.length === 0) return;
    const interesting = new Set([...files, ...folders, ...roots]);
    const watcher = watch(roots, {
      ignoreInitial: true,
      depth: 1,
      ignored: (given) => {
        const path = resolve(given);
        return !interesting.has(path) && !(path.endsWith('.json') && wholeFolders.includes(dirname(path)));
      },
    });
    watcher.on('all', () => this.options.onChange(folder));
    // What changed between the first reading and now made no event.
    watcher.on('ready', () => {
      const look = (): void => {
        if (this.watchers.get(folder) === watcher) this.options.onChange(folder);
      };
      setTimeout(look, settleMs).unref();
    });
    watcher.on('error', (error) => this.options.onError(error));
    this.watchers.set(folder, watcher);
  }

  async remove(folder: string): Promise<void> {
    const watcher = this.watchers.get(folder);
    this.watchers.delete(folder);
    await watcher?.close();
  }

  async dispose(): Promise<void> {
    const watchers = [...this.watchers.values()];
    this.watchers.clear();
    await Promise.all(watchers.map((watcher) => watcher.close()));
  }
}

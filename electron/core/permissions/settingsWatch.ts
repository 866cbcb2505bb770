// Watches the settings files of folders, each folder once.
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';

/** Lets a writer that is at work finish before its file is looked at again. */
const settleMs = 1_000;

export class SettingsWatch {
  private readonly watchers = new Map<string, FSWatcher>();
  /** Folders that are looked at again in a moment. */
  private readonly settling = new Map<string, NodeJS.Timeout>();

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
    // A writer empties the file first, and of several changes in one instant only the first makes an event.
    watcher.on('all', () => {
      this.options.onChange(folder);
      this.lookAgain(folder, watcher);
    });
    // What changed between the first reading and now made no event.
    watcher.on('ready', () => this.lookAgain(folder, watcher));
    watcher.on('error', (error) => this.options.onError(error));
    this.watchers.set(folder, watcher);
  }

  private lookAgain(folder: string, watcher: FSWatcher): void {
    if (this.watchers.get(folder) !== watcher) return;
    clearTimeout(this.settling.get(folder));
    const timer = setTimeout(() => {
      this.settling.delete(folder);
      this.options.onChange(folder);
    }, settleMs);
    this.settling.set(folder, timer.unref());
  }

  async remove(folder: string): Promise<void> {
    clearTimeout(this.settling.get(folder));
    this.settling.delete(folder);
    const watcher = this.watchers.get(folder);
    this.watchers.delete(folder);
    await watcher?.close();
  }

  async dispose(): Promise<void> {
    const watchers = [...this.watchers.values()];
    this.watchers.clear();
    for (const timer of this.settling.values()) clearTimeout(timer);
    this.settling.clear();
    await Promise.all(watchers.map((watcher) => watcher.close()));
  }
}

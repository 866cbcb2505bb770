// A mount over a file or folder is gone as soon as somebody outside puts another in its place, as editors and git do when
// they save: then the command sees, and may write, what is there now. Nobody can mount in its place from outside, so the
// command has to end.
import { type FSWatcher, lstatSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** What ends sooner is not watched: nobody replaces files in the moment in which a short command runs. */
const usualStartMs = 250;

/** Which thing lies at a path, so that another in its place can be told. */
export interface Identity {
  readonly path: string;
  readonly thing: string;
}

/** What lies at these paths now. */
export function identitiesOf(paths: readonly string[]): readonly Identity[] {
  return paths.map((path) => ({ path, thing: thingAt(path) }));
}

/** Watches places from some time after the start on; calls back once, with the first that was replaced. */
export class PlaceWatch {
  private readonly places: readonly Identity[];
  private readonly onReplaced: (path: string) => void;
  private readonly holds: (path: string) => boolean;
  private readonly watchers: FSWatcher[] = [];
  private readonly timer: NodeJS.Timeout;

  /**
   * `places` as they were when they were mounted. `holds`: asked about one that looks replaced, since on some file systems
   * things change their numbers by themselves.
   */
  constructor(options: {
    readonly places: readonly Identity[];
    readonly onReplaced: (path: string) => void;
    readonly holds: (path: string) => boolean;
    readonly startMs?: number;
  }) {
    this.places = options.places;
    this.onReplaced = options.onReplaced;
    this.holds = options.holds;
    this.timer = setTimeout(() => this.start(), options.startMs ?? usualStartMs).unref();
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const watcher of this.watchers.splice(0)) watcher.close();
  }

  private start(): void {
    for (const folder of new Set(this.places.map(({ path }) => dirname(path)))) this.watch(folder);
    this.check(this.places);
  }

  private watch(folder: string): void {
    const within = this.places.filter(({ path }) => dirname(path) === folder);
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        const changed = within.filter(({ path }) => name === null || basename(path) === name);
        if (changed.length > 0) this.check(changed);
      });
      watcher.on('error', () => undefined);
      this.watchers.push(watcher);
    } catch {
      // No more can be watched on this system, or the folder is gone, which the look at its places shows.
    }
  }

  private check(places: readonly Identity[]): void {
    const replaced = places.find(({ path, thing }) => thingAt(path) !== thing && !this.holds(path));
    if (replaced === undefined) return;
    this.dispose();
    this.onReplaced(replaced.path);
  }
}

/** Empty: nothing. */
function thingAt(path: string): string {
  try {
    const { dev, ino } = lstatSync(path);
    return `${dev}:${ino}`;
  } catch {
    return '';
  }
}

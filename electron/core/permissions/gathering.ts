// Where a call takes place, and what the disk says of that place. Each is looked up at its first use.
import type { Precious } from './critical';
import type { FileView } from './fileView';
import { fold, isInside, type Platform, resolvePath } from './paths';
import { Steering, type SteeringPlace } from './steering';

/** Where a call takes place, in engine paths. */
export interface Place {
  readonly folder: string;
  readonly cwd: string;
  readonly home: string;
  /** More working folders, absolute. */
  readonly additional: readonly string[];
  readonly privateFiles: readonly string[];
  /** Gatehouse's own data, which no tool may touch; left out: none is known. */
  readonly dataFolder?: string;
  /** In it, the results of the session, which Read may look at. */
  readonly resultFolder?: string;
  readonly platform: Platform;
  readonly ignoreCase: boolean;
  /** Files that steer the agent by where they lie; left out: none is known. */
  readonly steering?: readonly SteeringPlace[];
}

/** All spellings of a folder: as given, and with its links followed. */
export function spellingsOf(path: string, view: FileView): readonly string[] {
  return resolvePath(path, view).spellings;
}

/** What the disk says of a place itself. */
export interface PlaceOnDisk {
  roots?: readonly Root[];
  privates?: ReadonlySet<string>;
  dataFolders?: readonly string[];
  precious?: Precious;
  steering?: Steering;
}

/** What a gathering needs to know of the place. Each is looked up on the disk at its first use. */
export class Gathering implements Precious {
  constructor(
    readonly place: Place,
    readonly view: FileView,
    readonly toolName: string,
    private readonly known: PlaceOnDisk,
  ) {}

  private spellings(paths: readonly string[]): readonly string[] {
    return [...new Set(paths.flatMap((path) => spellingsOf(path, this.view)))];
  }

  /** Working folders in all spellings, the deepest first. */
  get roots(): readonly Root[] {
    const { folder, additional, ignoreCase } = this.place;
    this.known.roots ??= this.spellings([folder, ...additional])
      .map((path) => ({ path, name: fold(path, ignoreCase) }))
      .sort((a, b) => b.path.length - a.path.length);
    return this.known.roots;
  }

  get privates(): ReadonlySet<string> {
    this.known.privates ??= new Set(this.spellings(this.place.privateFiles).map((file) => fold(file, true)));
    return this.known.privates;
  }

  /** The data folder in all spellings. */
  get dataFolders(): readonly string[] {
    const { dataFolder } = this.place;
    this.known.dataFolders ??=
      dataFolder === undefined ? [] : this.spellings([dataFolder]).map((path) => fold(path, true));
    return this.known.dataFolders;
  }

  /** Whether a path and where it leads both are results of the session. */
  isOwnResult(path: string, real: string): boolean {
    const { resultFolder } = this.place;
    if (resultFolder === undefined) return false;
    const isBelow = (one: string, folder: string) => one !== folder && isInside(one, folder);
    return isBelow(path, resultFolder) && isBelow(real, resolvePath(resultFolder, this.view).real);
  }

  get steering(): Steering {
    const { steering = [], ignoreCase } = this.place;
    this.known.steering ??= new Steering(steering, { view: this.view, ignoreCase });
    return this.known.steering;
  }

  get homes(): readonly string[] {
    return this.precious.homes;
  }

  get folders(): readonly string[] {
    return this.precious.folders;
  }

  get additional(): readonly string[] {
    return this.place.additional;
  }

  private get precious(): Precious {
    const { home, folder, cwd, additional } = this.place;
    this.known.precious ??= { homes: this.spellings([home]), folders: this.spellings([folder, cwd]), additional };
    return this.known.precious;
  }
}

export type Root = Readonly<Record<'path' | 'name', string>>;

/** The working folder that a path lies in, in the spelling that fits; null outside. */
export function rootOf(path: string, gathering: Gathering): string | null {
  const { ignoreCase } = gathering.place;
  const name = fold(path, ignoreCase);
  return gathering.roots.find((root) => isInside(name, root.name))?.path ?? null;
}

// The files that steer the agent by where they lie, not by their names: a config folder that was moved, settings given at
// launch, and what links in the working folder lead to.
import { posix } from 'node:path';
import type { FileView } from './fileView';
import { type Guard, guardBelowConfig, type Steers } from './guardedNames';
import { fold, isInside, resolvePath } from './paths';

/** A file or folder that steers the agent, absolute, in the engine's form. */
export interface SteeringPlace {
  readonly path: string;
  /** How people know it. */
  readonly shown: string;
  /** `config`: it plays the part of `.claude`, so it hangs on the name below. */
  readonly steers: Steers | 'config';
}

/** What the machine and the launch have of them, in the system's own paths. */
export interface SteeringFiles {
  /** The person's own `.claude`. */
  readonly claudeConfig: string;
  readonly managedSettings: string;
  /** The file of `--settings`; null where none was given. */
  readonly flagFile: string | null;
  /** Files of `--mcp-config`. */
  readonly serverFiles: readonly string[];
}

/** Those of an engine's own options. */
export function steeringFiles(options: {
  readonly paths: Pick<SteeringFiles, 'claudeConfig' | 'managedSettings'>;
  readonly flagSettings?: { readonly file: string } | { readonly value: unknown } | null;
  readonly serverFiles?: readonly string[];
}): SteeringFiles {
  const { paths, flagSettings = null, serverFiles = [] } = options;
  const { claudeConfig, managedSettings } = paths;
  const flagFile = flagSettings !== null && 'file' in flagSettings ? flagSettings.file : null;
  return { claudeConfig, managedSettings, flagFile, serverFiles };
}

/** All of them for a folder. `engine` puts a path into the engine's form. */
export function steeringPlaces(options: {
  readonly files: SteeringFiles | null;
  readonly folders: readonly string[];
  readonly home: string;
  readonly engine: (path: string) => string;
}): readonly SteeringPlace[] {
  const { files, folders, home, engine } = options;
  const place = (path: string, shown: string, steers: SteeringPlace['steers']): SteeringPlace => ({
    path,
    shown,
    steers,
  });
  const inFolder = folders.flatMap((folder) => [
    ...['.claude/settings.json', '.claude/settings.local.json'].map((name) =>
      place(posix.join(folder, name), name, 'rules'),
    ),
    place(posix.join(folder, '.claude'), '.claude', 'config'),
    place(posix.join(folder, '.mcp.json'), '.mcp.json', 'servers'),
    ...['CLAUDE.md', 'CLAUDE.local.md'].map((name) => place(posix.join(folder, name), name, 'memory')),
  ]);
  const own = [
    place(posix.join(home, '.claude'), '~/.claude', 'config'),
    place(posix.join(home, '.claude.json'), '~/.claude.json', 'servers'),
  ];
  if (files === null) return [...inFolder, ...own];
  const managed = engine(files.managedSettings);
  const beside = posix.dirname(managed);
  return [
    ...inFolder,
    ...own,
    place(engine(files.claudeConfig), 'your Claude folder', 'config'),
    place(managed, 'settings of the administrator', 'rules'),
    place(`${managed.replace(/\.json$/, '')}.d`, 'settings of the administrator', 'rules'),
    place(posix.join(beside, 'managed-mcp.json'), 'servers of the administrator', 'servers'),
    place(posix.join(beside, 'CLAUDE.md'), 'instructions of the administrator', 'memory'),
    ...(files.flagFile === null ? [] : [place(engine(files.flagFile), '--settings', 'rules')]),
    ...files.serverFiles.map((file) => place(engine(file), '--mcp-config', 'servers')),
  ];
}

/** Finds whether a path is one of them or lies in one. Links of the places are followed once, at the first question. */
export class Steering {
  private known: readonly (SteeringPlace & { readonly name: string })[] | null = null;

  constructor(
    private readonly places: readonly SteeringPlace[],
    private readonly options: { readonly view: FileView; readonly ignoreCase: boolean },
  ) {}

  guard(spellings: readonly string[]): Guard | null {
    const { ignoreCase } = this.options;
    for (const spelling of spellings) {
      const name = fold(spelling, ignoreCase);
      const place = this.resolved().find((one) => isInside(name, one.name));
      if (place === undefined) continue;
      const { shown, steers } = place;
      const names = name.slice(place.name.length).split('/').filter(Boolean);
      return steers === 'config' ? guardBelowConfig(names, shown) : { name: shown, steers, disguised: false };
    }
    return null;
  }

  private resolved() {
    const { view, ignoreCase } = this.options;
    // The most special first: a file below a folder is known by itself.
    this.known ??= this.places.flatMap((place) =>
      [...new Set([place.path, resolvePath(place.path, view).real])].map((path) => ({
        ...place,
        name: fold(path, ignoreCase),
      })),
    );
    return this.known;
  }
}

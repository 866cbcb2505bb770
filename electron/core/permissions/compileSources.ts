// The rules of all sources made ready for one place. Shared by all that decide calls with sources that were given.
import type { PermissionMode } from '#shared/permissions/modes';
import type { Sources } from './combineSources';
import type { Place } from './facts';
import type { FileView } from './fileView';
import { type Platform, toEnginePath } from './paths';
import { buildRuleSet, type SourcedRule } from './ruleSet';
import type { RuleSet } from './rules';
import { type SteeringFiles, steeringPlaces } from './steering';
import { deniedBelow, rulesOfTwin } from './worktreeRules';

/** What a place has of the machine, in the system's own paths. */
export interface SourcesHost {
  readonly home: string;
  /** Gatehouse's own data; null where it does not matter. */
  readonly data: string | null;
  readonly privateFiles: readonly string[];
  readonly platform: Platform;
  /** Files that steer the agent, beside those of its folder; left out: only those of folder and home are known. */
  readonly steering?: SteeringFiles;
}

/** A mode that a settings file has switched off counts as the default mode. */
export function modeInForce(mode: PermissionMode, sources: Sources): PermissionMode {
  if (mode === 'bypassPermissions' && sources.bypassDisabled) return 'default';
  if (mode === 'auto' && sources.autoDisabled) return 'default';
  return mode;
}

/** Where a call in `cwd` takes place, with the working folders of the sources. */
export function placeIn(options: {
  readonly sources: Sources;
  readonly cwd: string;
  readonly host: SourcesHost;
}): Place {
  const { sources, cwd, host } = options;
  const { platform } = host;
  const engine = (path: string): string => toEnginePath(path, platform);
  return {
    folder: engine(sources.folder),
    cwd: engine(cwd),
    home: engine(host.home),
    additional: sources.additional.map(engine),
    privateFiles: host.privateFiles.map(engine),
    ...(host.data === null ? {} : { dataFolder: engine(host.data) }),
    platform,
    ignoreCase: platform === 'win32' || platform === 'darwin',
    steering: steeringPlaces({
      files: host.steering ?? null,
      folders: [...new Set([engine(sources.folder), engine(cwd)])],
      home: engine(host.home),
      engine,
    }),
  };
}

const converted = new WeakMap<readonly SourcedRule[], readonly SourcedRule[]>();

/** Rules with their folders in the engine's form. The same list gives the same list, so that it is compiled once. */
export function inEnginePaths(rules: readonly SourcedRule[], platform: Platform): readonly SourcedRule[] {
  if (platform !== 'win32') return rules;
  const known = converted.get(rules);
  if (known !== undefined) return known;
  const made = rules.map((rule) =>
    rule.sourceFolder === null ? rule : { ...rule, sourceFolder: toEnginePath(rule.sourceFolder, platform) },
  );
  converted.set(rules, made);
  return made;
}

/** Compiles the rules in force for a place. */
export function compileSources(sources: Sources, place: Place, view: FileView): RuleSet {
  const main = toEnginePath(sources.folder, place.platform);
  const twins = rulesOfTwin(sources.rules, { place, main });
  const rules = twins.length === 0 ? sources.rules : [...sources.rules, ...twins];
  const built = buildRuleSet(inEnginePaths(rules, place.platform), place, view);
  return {
    ...built,
    denyFolders: deniedBelow(built.denyFolders, { place, main }),
    judgesShell: sources.switches.classifyAllShell,
  };
}

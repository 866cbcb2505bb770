// Where the settings files of a folder lie, those of the administrator and the launch with them.
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RuleSource } from '#shared/permissions/sources';
import { localSettingsFolder } from './localSettings';

export interface SettingsLocation {
  readonly source: RuleSource;
  readonly path: string;
  /** What a leading `/` of its rules stands for; null = the session's folder. */
  readonly sourceFolder: string | null;
}

/** The folder with more parts of the administrator's settings. */
export function dropInFolder(managedSettings: string): string {
  return `${managedSettings.replace(/\.json$/, '')}.d`;
}

function dropIns(managedSettings: string): readonly string[] {
  const folder = dropInFolder(managedSettings);
  try {
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
    const names = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('.'));
    return names.sort().map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** All files of a folder, whether they are there or not, the most important first. */
export function settingsLocations(
  host: {
    readonly home: string;
    readonly claudeConfig: string;
    readonly managedSettings: string;
    readonly platform: string;
    readonly flagSettings: { readonly file: string } | { readonly value: unknown } | null;
  },
  folder: string,
): readonly SettingsLocation[] {
  const { home, claudeConfig, managedSettings, platform, flagSettings } = host;
  const local = join(localSettingsFolder({ folder, home, platform }), '.claude', 'settings.local.json');
  const managed = [managedSettings, ...dropIns(managedSettings)];
  const flag = flagSettings !== null && 'file' in flagSettings ? [flagSettings.file] : [];
  return [
    ...managed.map((path) => ({ source: 'policySettings' as const, path, sourceFolder: null })),
    ...flag.map((path) => ({ source: 'flagSettings' as const, path, sourceFolder: dirname(path) })),
    { source: 'localSettings', path: local, sourceFolder: null },
    { source: 'projectSettings', path: join(folder, '.claude', 'settings.json'), sourceFolder: null },
    { source: 'userSettings', path: join(claudeConfig, 'settings.json'), sourceFolder: claudeConfig },
  ];
}

// Which source gives each setting of the permissions, and why others that say something do not count.
import { statSync } from 'node:fs';
import type { EffectivePolicy, SettingPlace } from '#shared/api/rules';
import { PermissionScalar } from '#shared/permissions/ruleEdits';
import { ruleSources } from '#shared/permissions/sources';
import { combineSources } from './combineSources';
import type { LoadedFile } from './ruleFile';
import type { SessionParts } from './ruleStore';

const waits = 'It came with the folder and waits until you trust it.';

function scalarIn(file: LoadedFile, key: PermissionScalar): string | null {
  switch (key) {
    case 'defaultMode':
      return file.defaultMode;
    case 'disableBypassPermissionsMode':
      return file.disableBypass ? 'disable' : null;
    case 'disableAutoMode':
      return file.disableAuto ? 'disable' : null;
  }
}

function placed(file: LoadedFile, path: readonly (string | number)[], value: string): SettingPlace {
  const { source } = file;
  const line = file.content?.lineOf(path) ?? null;
  return { source, file: line === null ? null : file.path, line, value, heldBack: '' };
}

function isForeign(parts: SessionParts, file: LoadedFile): boolean {
  return !parts.combine.trusted && parts.combine.foreign.includes(file.path);
}

function rank({ source }: Pick<SettingPlace, 'source'>): number {
  return ruleSources[source].scalarRank ?? 0;
}

function scalarOf(parts: SessionParts, files: readonly LoadedFile[], key: PermissionScalar) {
  const inFiles = files.flatMap((file): SettingPlace[] => {
    const value = scalarIn(file, key);
    if (value === null) return [];
    const place = placed(file, ['permissions', key], value);
    // What restricts never waits.
    if (key !== 'defaultMode') return [place];
    const folders = file.source === 'projectSettings' || file.source === 'localSettings';
    if (folders && (value === 'auto' || value === 'bypassPermissions'))
      return [{ ...place, heldBack: 'A repository’s own files may not choose this mode.' }];
    return [isForeign(parts, file) ? { ...place, heldBack: waits } : place];
  });
  const atLaunch = parts.combine.extras.flatMap((extra): SettingPlace[] =>
    key === 'defaultMode' && extra.defaultMode !== undefined
      ? [{ source: extra.source, file: null, line: null, value: extra.defaultMode, heldBack: '' }]
      : [],
  );
  const places = [...atLaunch, ...inFiles].reverse().sort((a, b) => rank(b) - rank(a));
  const effective = places.find(({ heldBack }) => heldBack === '') ?? null;
  return { key, effective, places };
}

function directoriesOf(parts: SessionParts, files: readonly LoadedFile[]): EffectivePolicy['directories'] {
  const absolute = (path: string): string =>
    // The one place that knows how folders are written.
    combineSources({ ...parts.combine, extras: [], ownFolders: [path], files: [], own: [] }).additional[0] ?? path;
  const inFiles = files.flatMap((file) =>
    file.additionalDirectories.map((value, at) => ({
      ...placed(file, ['permissions', 'additionalDirectories', at], value),
      heldBack: isForeign(parts, file) ? waits : '',
      path: absolute(value),
    })),
  );
  const others = [
    ...parts.combine.extras.flatMap(({ source, additionalDirectories = [] }) =>
      additionalDirectories.map((value) => ({ source, value })),
    ),
    ...(parts.combine.ownFolders ?? []).map((value) => ({ source: 'session' as const, value })),
  ].map(({ source, value }) => ({ source, file: null, line: null, value, heldBack: '', path: absolute(value) }));
  return [...inFiles, ...others];
}

const lockedBecause: Readonly<Partial<Record<LoadedFile['source'], string>>> = {
  policySettings: 'The administrator manages it. Gatehouse never writes it.',
  flagSettings: 'It was given with --settings at launch. Change that file by hand.',
};

function bytesOf(path: string): number | null {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? null;
  } catch {
    return null;
  }
}

/** What is in force and where it comes from. Files are as of the last look; their sizes are looked up now. */
export function effectivePolicy(parts: SessionParts): EffectivePolicy {
  const files = parts.inline === null ? parts.files : [...parts.files, parts.inline];
  const policyFirst = parts.sources.managedOnly ? 'The administrator lets only the rules of the policy count.' : '';
  return {
    files: files.map((loaded) => ({
      ...loaded.file,
      readAt: loaded.file.state === 'absent' ? null : loaded.readAt,
      bytes: bytesOf(loaded.path),
      rules: loaded.rules.length,
      locked: lockedBecause[loaded.source] ?? policyFirst,
    })),
    scalars: PermissionScalar.options.map((key) => scalarOf(parts, files, key)),
    directories: directoriesOf(parts, files),
  };
}

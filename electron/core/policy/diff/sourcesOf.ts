// What settings texts would put in force, as if they were the files of a folder.
import type { RuleSource } from '#shared/permissions/sources';
import { readSettings } from '#shared/settings/schema';
import { fail, ok, type Result } from '#shared/util/result';
import { combineSources, type Sources } from '../../permissions/combineSources';
import type { LoadedFile } from '../../permissions/ruleFile';
import type { SourcedRule } from '../../permissions/ruleSet';
import { nodeAt, placeOf, readSettingsText } from '../../settings/settingsText';

export interface SettingsGiven {
  readonly source: RuleSource;
  /** For people, and for rules' places. */
  readonly path: string;
  /** Null: there is no such file. */
  readonly text: string | null;
}

function loaded(given: SettingsGiven): Result<LoadedFile> {
  const { source, path } = given;
  const blank = given.text === null || given.text.trim() === '';
  const read = readSettingsText(blank ? '{}' : (given.text ?? '{}'));
  if (!read.ok) return fail(`${path}, line ${read.error.line}, column ${read.error.column}: ${read.error.message}.`);
  const { root, body, value } = read.value;
  const { rules, problems: _, ...scalars } = readSettings(value);
  return ok({
    ...scalars,
    source,
    path,
    signature: '',
    readAt: 0,
    file: { source, path, state: blank ? 'absent' : 'read', problem: '' },
    rules: rules.map((rule): SourcedRule => {
      const { line } = placeOf(body, nodeAt(root, [...rule.path])?.offset ?? 0);
      return { ref: { text: rule.text, behavior: rule.behavior, source, file: path, line }, sourceFolder: null };
    }),
    content: { value, lineOf: () => null },
    unknown: false,
  });
}

/** Puts texts together as the files of a trusted folder. The error names the file and the place. */
export function sourcesOf(options: {
  readonly folder: string;
  readonly home: string;
  readonly settings: readonly SettingsGiven[];
}): Result<Sources> {
  const files: LoadedFile[] = [];
  for (const given of options.settings) {
    const file = loaded(given);
    if (!file.ok) return file;
    files.push(file.value);
  }
  return ok(
    combineSources({
      folder: options.folder,
      home: options.home,
      files,
      extras: [],
      own: [],
      foreign: [],
      trusted: true,
      hasWritten: () => true,
      version: 0,
    }),
  );
}

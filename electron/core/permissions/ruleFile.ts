// One settings file as the rule store keeps it: its rules with their lines, or the last good ones while it is broken.
import { readFileSync, statSync } from 'node:fs';
import type { RuleFile } from '#shared/api/permissions';
import type { PermissionMode } from '#shared/permissions/modes';
import type { RuleSource } from '#shared/permissions/sources';
import { readSettings, type SettingsPath } from '#shared/settings/schema';
import { nodeAt, placeOf, readSettingsText, type SettingsText } from '../settings/settingsText';
import type { SourcedRule } from './ruleSet';

export interface LoadedFile {
  readonly source: RuleSource;
  readonly path: string;
  /** Changes whenever the file does. */
  readonly signature: string;
  readonly file: RuleFile;
  readonly rules: readonly SourcedRule[];
  readonly additionalDirectories: readonly string[];
  readonly defaultMode: PermissionMode | null;
  readonly disableBypass: boolean;
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** A cheap fingerprint of a file's state on disk; links are followed. */
export function signatureOf(path: string): string {
  try {
    const found = statSync(path);
    return `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`;
  } catch (error) {
    return `none ${errorCode(error)}`;
  }
}

function placeIn(text: SettingsText, path: SettingsPath): { readonly line: number; readonly column: number } {
  const node = nodeAt(text.root, [...path]);
  return placeOf(text.body, node?.offset ?? 0);
}

const nothing = { rules: [], additionalDirectories: [], defaultMode: null, disableBypass: false };

/**
 * Loads a settings file. While it is broken or unreadable, what `previous` held stays in force; without a previous
 * state it has no rules. Never throws.
 */
export function loadRuleFile(options: {
  readonly source: RuleSource;
  readonly path: string;
  /** What a leading `/` stands for; null = the session's folder. */
  readonly sourceFolder: string | null;
  readonly previous: LoadedFile | undefined;
}): LoadedFile {
  const { source, path, sourceFolder, previous } = options;
  const signature = signatureOf(path);
  const base = { source, path, signature };
  const last = previous ?? nothing;
  const kept = {
    rules: last.rules,
    additionalDirectories: last.additionalDirectories,
    defaultMode: last.defaultMode,
    disableBypass: last.disableBypass,
  };
  const force = previous === undefined ? 'No rule of it is in force.' : 'Its last good rules stay in force.';

  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR')
      return { ...base, ...nothing, file: { source, path, state: 'absent', problem: '' } };
    const problem = `The file cannot be read (${code === '' ? 'unknown reason' : code}). ${force} Check its permissions.`;
    return { ...base, ...kept, file: { source, path, state: 'unreadable', problem } };
  }

  let decoded: string;
  try {
    decoded = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return {
      ...base,
      ...kept,
      file: { source, path, state: 'broken', line: 1, column: 1, problem: `The file is not UTF-8 text. ${force}` },
    };
  }
  if (decoded.replace('\uFEFF', '').trim() === '')
    return { ...base, ...nothing, file: { source, path, state: 'read', problem: '' } };
  const text = readSettingsText(decoded);
  if (!text.ok) {
    const { line, column, message } = text.error;
    const problem = `Line ${line}, column ${column}: ${message}. ${force} Mend the file; it is read again by itself.`;
    return { ...base, ...kept, file: { source, path, state: 'broken', line, column, problem } };
  }

  const reading = readSettings(text.value.value);
  const rules = reading.rules.map((rule): SourcedRule => {
    const { line } = placeIn(text.value, rule.path);
    return { ref: { text: rule.text, behavior: rule.behavior, source, file: path, line }, sourceFolder };
  });
  const [first, ...more] = reading.problems;
  const rest =
    more.length === 0 ? '' : ` ${more.length} more ${more.length === 1 ? 'entry is' : 'entries are'} skipped too.`;
  const file: RuleFile =
    first === undefined
      ? { source, path, state: 'read', problem: '' }
      : { source, path, state: 'read', ...placeIn(text.value, first.path), problem: `${first.message}${rest}` };
  const { additionalDirectories, defaultMode, disableBypass } = reading;
  return { ...base, rules, additionalDirectories, defaultMode, disableBypass, file };
}

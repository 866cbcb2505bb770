// One settings file as the rule store keeps it: its rules with their lines, or the last good ones while it is broken.
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { RuleFile } from '#shared/api/permissions';
import type { RuleSource } from '#shared/permissions/sources';
import { emptyReading, readSettings, type SettingsPath, type SettingsReading } from '#shared/settings/schema';
import { readRegularFile } from '../regularFile';
import { nodeAt, placesIn, readSettingsText, type SettingsText, type TextPlace } from '../settings/settingsText';
import type { SourcedRule } from './ruleSet';
import type { SettingsContent } from './settingsInForce';

/** What a file says beside its rules. */
type Scalars = Omit<SettingsReading, 'rules' | 'problems'>;

export interface LoadedFile extends Scalars {
  readonly source: RuleSource;
  readonly path: string;
  /** Changes whenever the file does. */
  readonly signature: string;
  readonly file: RuleFile;
  /** When it was read, in epoch milliseconds. */
  readonly readAt: number;
  readonly rules: readonly SourcedRule[];
  /** The last good content; null when there is none. */
  readonly content: SettingsContent | null;
  /** Nobody knows what it says: it is broken or unreadable and was so from the start. */
  readonly unknown: boolean;
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Two edits within a tick of the file system's clock leave the same times behind. */
const tickMs = 100;

/** The content of a file that was changed a moment ago, for its times do not tell yet whether it changed once more. */
function freshContent(path: string, changedMs: number): string {
  if (Math.abs(Date.now() - changedMs) > tickMs) return '';
  try {
    return ` ${createHash('sha256').update(readRegularFile(path)).digest('base64')}`;
  } catch {
    return ' unreadable';
  }
}

/** The signature of a file that is not there. */
const absent = 'none';

/** Whether a signature is that of a file which is not there. */
export function isAbsent(signature: string): boolean {
  return signature === absent;
}

/** A cheap fingerprint of a file's state on disk; links are followed. */
export function signatureOf(path: string): string {
  try {
    // Looked at with every call, and mostly not there: an exception would cost ten times as much.
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return absent;
    const fresh = found.isFile() ? freshContent(path, Math.max(found.mtimeMs, found.ctimeMs)) : '';
    return `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}${fresh}`;
  } catch (error) {
    return `none ${errorCode(error)}`;
  }
}

/** The same for a policy file, whose folder's rights count too. */
export function policySignature(path: string): string {
  const signature = signatureOf(path);
  return isAbsent(signature) ? signature : `${signature} ${rightsOf(dirname(path))}`;
}

function rightsOf(path: string): string {
  try {
    const { uid, mode } = statSync(path);
    return `${uid} ${mode}`;
  } catch {
    return 'none';
  }
}

/** Writing by the file's group and by others. */
const groupAndOthers = 0o022;

/**
 * Why a policy file cannot be the administrator's: it or its folder belongs to somebody else, or others may write there.
 * Null when all is well or the file is not there. `owner` is the user id that it must have.
 */
function notTheAdministrators(path: string, owner: number): string | null {
  for (const [at, name] of [
    [path, 'The file'],
    [dirname(path), 'Its folder'],
  ] as const) {
    try {
      const { uid, mode } = statSync(at);
      if (uid !== owner) return `${name} does not belong to ${owner === 0 ? 'root' : `user ${owner}`}.`;
      if ((mode & groupAndOthers) !== 0) return `${name} may be written by others than its owner.`;
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null;
      return `${name} cannot be looked at (${errorCode(error)}).`;
    }
  }
  return null;
}

function placer(text: SettingsText): (path: SettingsPath) => TextPlace {
  const placeOf = placesIn(text.body);
  return (path) => placeOf(nodeAt(text.root, [...path])?.offset ?? 0);
}

function scalarsOf(reading: SettingsReading): Scalars {
  const { rules: _rules, problems: _problems, ...scalars } = reading;
  return scalars;
}

const nothing = { ...scalarsOf(emptyReading), rules: [], content: null, unknown: false };

/** Entries named in full; more are counted. */
const namedProblems = 5;

function describeProblems(places: readonly { readonly line: number; readonly message: string }[]): string {
  const [first, ...more] = places;
  if (first === undefined) return '';
  const named = more.slice(0, namedProblems - 1).map(({ line, message }) => ` Line ${line}: ${message}`);
  const rest = more.length - named.length;
  const counted = rest === 0 ? '' : ` ${rest} more ${rest === 1 ? 'entry is' : 'entries are'} skipped too.`;
  return `${first.message}${named.join('')}${counted}`;
}

function saysSomething(file: LoadedFile | undefined): boolean {
  const value = file?.content?.value;
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

export interface RuleFileOptions {
  readonly source: RuleSource;
  readonly path: string;
  /** What a leading `/` stands for; null = the session's folder. */
  readonly sourceFolder: string | null;
  readonly previous: LoadedFile | undefined;
  /** User id that the file and its folder must have; null = anybody's file counts. */
  readonly owner: number | null;
}

/**
 * Loads a settings file. While it is broken or unreadable, what `previous` held stays in force; without a previous
 * state it has no rules. Never throws.
 */
export function loadRuleFile(options: RuleFileOptions): LoadedFile {
  const { source, path, sourceFolder, previous, owner } = options;
  const base = {
    source,
    path,
    signature: owner === null ? signatureOf(path) : policySignature(path),
    readAt: Date.now(),
  };
  const isFirst = previous === undefined || previous.unknown;
  const kept = { ...(previous ?? nothing), ...base, unknown: isFirst };
  const force = isFirst ? 'No rule of it is in force.' : 'Its last good rules stay in force.';

  const stranger = owner === null ? null : notTheAdministrators(path, owner);
  if (stranger !== null) {
    const problem = `${stranger} Nothing of it counts. Let an administrator own it and take the right to write from all others.`;
    return { ...base, ...nothing, file: { source, path, state: 'ignored', problem } };
  }

  let content: Buffer;
  try {
    content = readRegularFile(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR')
      return { ...base, ...nothing, file: { source, path, state: 'absent', problem: '' } };
    const problem = `The file cannot be read (${code === '' ? 'unknown reason' : code}). ${force} Check its permissions.`;
    return { ...kept, file: { source, path, state: 'unreadable', problem } };
  }

  let decoded: string;
  try {
    decoded = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    const problem = `The file is not UTF-8 text. ${force}`;
    return { ...kept, file: { source, path, state: 'broken', line: 1, column: 1, problem } };
  }
  const blank = decoded.replace('\uFEFF', '').trim() === '';
  // A writer that is at work has emptied the file before it fills it: no refusal may fall away meanwhile.
  if (blank && saysSomething(previous)) {
    const problem = `The file is empty. ${force} Write {} into it if it is to have none.`;
    return { ...kept, file: { source, path, state: 'broken', line: 1, column: 1, problem } };
  }
  if (blank) return { ...base, ...nothing, file: { source, path, state: 'read', problem: '' } };
  const text = readSettingsText(decoded);
  if (!text.ok) {
    const { line, column, message } = text.error;
    const problem = `Line ${line}, column ${column}: ${message}. ${force} Mend the file; it is read again by itself.`;
    return { ...kept, file: { source, path, state: 'broken', line, column, problem } };
  }

  return { ...base, ...contentOf({ source, path, sourceFolder, text: text.value }) };
}

/** What a text that parses says, as if it stood in the file. */
function contentOf(
  options: Pick<RuleFileOptions, 'source' | 'path' | 'sourceFolder'> & { readonly text: SettingsText },
) {
  const { source, path, sourceFolder, text } = options;
  const reading = readSettings(text.value);
  const placeIn = placer(text);
  const rules = reading.rules.map((rule): SourcedRule => {
    const { line } = placeIn(rule.path);
    return { ref: { text: rule.text, behavior: rule.behavior, source, file: path, line }, sourceFolder };
  });
  const places = reading.problems.map(({ path: at, message }) => ({ ...placeIn(at), message }));
  const [first] = places;
  const place = first === undefined ? {} : { line: first.line, column: first.column };
  const file: RuleFile = { source, path, state: 'read', ...place, problem: describeProblems(places) };
  const content: SettingsContent = { value: text.value, lineOf: (at) => placeIn(at).line };
  return { ...scalarsOf(reading), rules, content, unknown: false, file };
}

/**
 * A settings file as it would be loaded with another text; null text: without the file. A text that does not parse gives null.
 */
export function withText(
  loaded: LoadedFile,
  { text, sourceFolder }: { readonly text: string | null; readonly sourceFolder: string | null },
): LoadedFile | null {
  const { source, path, signature, readAt } = loaded;
  const base = { source, path, signature, readAt };
  if (text === null) return { ...base, ...nothing, file: { source, path, state: 'absent', problem: '' } };
  const read = readSettingsText(text);
  return read.ok ? { ...base, ...contentOf({ source, path, sourceFolder, text: read.value }) } : null;
}

/** Settings given as JSON on the command line, as if they stood in a file. */
export function loadRuleValue(value: unknown): LoadedFile {
  const source = 'flagSettings';
  const path = '--settings';
  const reading = readSettings(value);
  const rules = reading.rules.map(
    (rule): SourcedRule => ({ ref: { text: rule.text, behavior: rule.behavior, source }, sourceFolder: null }),
  );
  const messages = reading.problems.map(({ message }) => ({ line: 1, message }));
  const file: RuleFile = { source, path, state: 'read', problem: describeProblems(messages) };
  const content = { value, lineOf: () => null };
  return {
    source,
    path,
    signature: 'given at launch',
    readAt: Date.now(),
    ...scalarsOf(reading),
    rules,
    content,
    unknown: false,
    file,
  };
}

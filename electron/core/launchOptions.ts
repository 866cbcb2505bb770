// What a command line says about permissions. Read the same way by every door.
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { PermissionMode } from '#shared/permissions/modes';
import { parseRule } from '#shared/permissions/rule';
import { fail, ok, type Result } from '#shared/util/result';
import { type LaunchServers, takeServers } from './mcp/launchServers';
import type { ExtraSource } from './permissions/combineSources';
import type { FlagSettings } from './permissions/ruleStore';
import { readSettingsText } from './settings/settingsText';

export interface LaunchPermissions {
  readonly flagSettings: FlagSettings | null;
  /** Rules, folders and mode of the command line. */
  readonly cliArg: ExtraSource;
}

/** The options, for help and error texts. */
export const launchOptionNames =
  '--folder DIR, --allow-bypass, --settings FILE|JSON, --allowedTools RULES, --disallowedTools RULES, --permission-mode MODE, --add-dir DIR, --mcp-config FILE|JSON, --strict-mcp-config, --simple';

type OptionName = 'settings' | 'allowedTools' | 'disallowedTools' | 'permissionMode' | 'addDir';

const spellings: ReadonlyMap<string, OptionName> = new Map([
  ['--settings', 'settings'],
  ['--allowedTools', 'allowedTools'],
  ['--allowed-tools', 'allowedTools'],
  ['--disallowedTools', 'disallowedTools'],
  ['--disallowed-tools', 'disallowedTools'],
  ['--permission-mode', 'permissionMode'],
  ['--add-dir', 'addDir'],
]);

/** Options that take every word up to the next option. */
const lists: ReadonlySet<OptionName> = new Set(['allowedTools', 'disallowedTools', 'addDir']);

/** Splits `Bash(git log, x) Edit,Read` at commas and blanks outside brackets. */
export function splitRules(text: string): readonly string[] {
  const rules: string[] = [];
  let depth = 0;
  let rule = '';
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth <= 0 && /[,\s]/.test(character)) {
      rules.push(rule);
      rule = '';
    } else rule += character;
  }
  return [...rules, rule].filter((one) => one !== '');
}

/**
 * Takes the options about permissions out of a command line. `rest` are the other words, in order. `cwd` is where
 * relative paths start. Errors are for people.
 */
export function takePermissionOptions(
  words: readonly string[],
  options: { readonly cwd: string },
): Result<{ readonly rest: readonly string[]; readonly permissions: LaunchPermissions }> {
  const given = new Map<OptionName, string[]>();
  const rest: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const equals = word.indexOf('=');
    const spelling = equals === -1 ? word : word.slice(0, equals);
    const name = spellings.get(spelling);
    if (name === undefined) {
      rest.push(word);
      continue;
    }
    const values = equals === -1 ? [] : [word.slice(equals + 1)];
    const wanted = lists.has(name) ? Number.POSITIVE_INFINITY : 1;
    while (equals === -1 && values.length < wanted && at + 1 < words.length && !words[at + 1]?.startsWith('--'))
      values.push(words[++at] ?? '');
    if (values.length === 0 || values.some((value) => value.trim() === '')) return fail(`${spelling} needs a value.`);
    given.set(name, [...(given.get(name) ?? []), ...values]);
  }
  const permissions = interpret(given, options.cwd);
  return permissions.ok ? ok({ rest, permissions: permissions.value }) : permissions;
}

function interpret(given: ReadonlyMap<OptionName, readonly string[]>, cwd: string): Result<LaunchPermissions> {
  const settings = given.get('settings') ?? [];
  if (settings.length > 1) return fail('--settings can be given once.');
  const flagSettings = settings[0] === undefined ? ok(null) : readFlag(settings[0], cwd);
  if (!flagSettings.ok) return flagSettings;

  const rules = {
    allow: (given.get('allowedTools') ?? []).flatMap(splitRules),
    deny: (given.get('disallowedTools') ?? []).flatMap(splitRules),
  };
  for (const [option, list] of [
    ['--allowedTools', rules.allow],
    ['--disallowedTools', rules.deny],
  ] as const)
    for (const rule of list) {
      const parsed = parseRule(rule);
      if (!parsed.ok) return fail(`${option}: “${rule}” is not a rule. ${parsed.error}`);
    }

  const written = given.get('permissionMode')?.at(-1);
  const mode = PermissionMode.safeParse(written === 'manual' ? 'default' : written);
  if (written !== undefined && !mode.success)
    return fail(`--permission-mode ${written}: there is no such mode. Modes: ${PermissionMode.options.join(', ')}.`);

  const folders = (given.get('addDir') ?? []).map((folder) => resolve(cwd, folder));
  const missing = folders.find((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true);
  if (missing !== undefined) return fail(`--add-dir ${missing}: there is no such folder.`);
  return ok({
    flagSettings: flagSettings.value,
    cliArg: {
      source: 'cliArg',
      ...rules,
      additionalDirectories: folders,
      ...(mode.success ? { defaultMode: mode.data } : {}),
    },
  });
}

/** JSON is told from a path by its first character. A file must be there and be JSON now; later changes are watched. */
function readFlag(value: string, cwd: string): Result<FlagSettings> {
  if (value.trimStart().startsWith('{')) {
    const text = readSettingsText(value);
    if (text.ok) return ok({ value: text.value.value });
    return fail(`--settings: column ${text.error.column} of the JSON: ${text.error.message}.`);
  }
  const file = resolve(cwd, value);
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch {
    return fail(`--settings ${file}: the file cannot be read.`);
  }
  const text = readSettingsText(content);
  if (text.ok) return ok({ file });
  return fail(`--settings ${file}: line ${text.error.line}, column ${text.error.column}: ${text.error.message}.`);
}

/** What a start says to the core, whichever door it comes through. */
export interface Launch {
  /** Absolute. */
  readonly startFolder: string | null;
  readonly allowBypass: boolean;
  readonly permissions: LaunchPermissions;
  /** MCP servers of the command line; left out where it names none. */
  readonly mcp?: LaunchServers;
  /** `--simple`: of the built-in tools only Bash, Read and Edit. */
  readonly simple?: true;
}

/**
 * Takes what every door understands out of a command line: the options about permissions and MCP servers,
 * `--folder`, `--allow-bypass` and `--simple`. `rest` are the other words, in order.
 */
export function takeLaunch(
  words: readonly string[],
  options: { readonly cwd: string },
): Result<{ readonly rest: readonly string[]; readonly launch: Launch }> {
  const servers = takeServers(words, options);
  if (!servers.ok) return servers;
  const taken = takePermissionOptions(servers.value.rest, options);
  if (!taken.ok) return taken;
  const { permissions } = taken.value;
  const mcp = servers.value.servers === null ? {} : { mcp: servers.value.servers };
  const rest: string[] = [];
  let folder: string | null = null;
  // Starting in the mode that asks for nothing is the right to use it.
  let allowBypass = permissions.cliArg.defaultMode === 'bypassPermissions';
  let simple = false;
  const all = taken.value.rest;
  for (let at = 0; at < all.length; at += 1) {
    const word = all[at] ?? '';
    if (word === '--allow-bypass') allowBypass = true;
    else if (word === '--simple') simple = true;
    else if (word.startsWith('--folder=')) folder = word.slice('--folder='.length);
    else if (word === '--folder') folder = all[at + 1]?.startsWith('--') === true ? '' : (all[++at] ?? '');
    else rest.push(word);
  }
  if (folder === '') return fail('--folder needs a value.');
  return ok({
    rest,
    launch: {
      startFolder: folder === null ? null : resolve(options.cwd, folder),
      allowBypass,
      permissions,
      ...mcp,
      ...(simple ? { simple: true as const } : {}),
    },
  });
}

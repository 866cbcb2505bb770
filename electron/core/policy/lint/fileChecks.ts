// Remarks on settings files as a whole.
import { posix } from 'node:path';
import type { RuleFile } from '#shared/api/permissions';
import type { LintFinding } from '#shared/api/rules';
import type { RuleSource } from '#shared/permissions/sources';
import { readSettings } from '#shared/settings/schema';
import { faultsIn, nodeAt, placeOf, readSettingsText } from '../../settings/settingsText';
import { onFile } from './finding';
import { isGitIgnored } from './gitIgnored';
import type { LintWorld } from './world';

/** Whether a text is JSON but for comments and commas too many. */
function isLooseJson(text: string): boolean {
  return faultsIn(text.replace(/^\ufeff/, ''), { loose: true })?.length === 0;
}

function textFindings(file: RuleFile, text: string): readonly LintFinding[] {
  if (text.trim() === '') return [];
  const read = readSettingsText(text);
  if (!read.ok) {
    const { line, message } = read.error;
    const loose = isLooseJson(text);
    return [
      onFile({
        kind: loose ? 'notStrictJson' : 'syntax',
        severity: 'error',
        file: file.path,
        line,
        message: loose
          ? `Settings are strict JSON: ${message}. Other programs skip the whole file, and so does Gatehouse. Comments and commas before a closing bracket have to go.`
          : `The file does not parse: ${message}. None of its rules counts before it is mended.`,
      }),
    ];
  }
  return readSettings(read.value.value).problems.map(({ path, message }) => {
    const node = nodeAt(read.value.root, [...path]);
    return onFile({
      kind: 'syntax',
      severity: 'warning',
      file: file.path,
      line: placeOf(read.value.body, node?.offset ?? 0).line,
      message,
    });
  });
}

function notIgnored(file: RuleFile, world: LintWorld): readonly LintFinding[] {
  if (file.source !== 'localSettings' || world.platform === 'win32') return [];
  const tracked = world.isTracked(file.path);
  const ignored = isGitIgnored(file.path, {
    home: world.home,
    kind: (path) => world.view.kind(path),
    readText: (path) => world.readText(path),
  });
  if (ignored === null || (ignored && !tracked)) return [];
  return [
    onFile({
      kind: 'localNotIgnored',
      severity: 'warning',
      file: file.path,
      message: tracked
        ? 'Git tracks this file, so it reaches everybody who has the project, and for them it counts as the project’s. Take it out of git with: git rm --cached .claude/settings.local.json'
        : `Git does not ignore this file, so your own settings may be committed by mistake. Add ${posix.basename(posix.dirname(file.path))}/${posix.basename(file.path)} to .gitignore or .git/info/exclude.`,
    }),
  ];
}

const memorySources: ReadonlySet<RuleSource> = new Set(['cliArg', 'command', 'session']);

/** Whose rules the administrator's switch makes void. */
function voided(world: LintWorld): readonly LintFinding[] {
  if (!world.sources.managedOnly) return [];
  const places = new Map<string, { readonly file: string | null; count: number }>();
  for (const { source, file } of world.standing) {
    if (source === 'policySettings') continue;
    const key = file ?? source;
    const known = places.get(key) ?? { file: memorySources.has(source) ? null : (file ?? null), count: 0 };
    known.count += 1;
    places.set(key, known);
  }
  return [...places.values()].map(({ file, count }) =>
    onFile({
      kind: 'managedOnly',
      severity: 'warning',
      file,
      message: `The administrator lets only the rules of the policy count (allowManagedPermissionRulesOnly): ${count === 1 ? 'the rule' : `the ${count} rules`} here ${count === 1 ? 'does' : 'do'} nothing.`,
    }),
  );
}

/** Remarks on all settings files of the session. */
export function fileFindings(world: LintWorld): readonly LintFinding[] {
  const found: LintFinding[] = [];
  for (const file of world.sources.files) {
    const text = file.state === 'ignored' ? null : world.readText(file.path);
    const inText = text === null ? [] : textFindings(file, text);
    found.push(...inText);
    if (inText.length === 0 && file.state !== 'absent' && file.problem !== '' && file.state !== 'read')
      found.push(
        onFile({ kind: 'syntax', severity: 'error', file: file.path, line: file.line ?? null, message: file.problem }),
      );
    if (text !== null) found.push(...notIgnored(file, world));
  }
  return [...found, ...voided(world)];
}

// Takes a change of a settings text back although somebody else has changed the text since.
import { isDeepStrictEqual } from 'node:util';
import type { Behavior } from '#shared/permissions/decision';
import { PermissionScalar } from '#shared/permissions/ruleEdits';
import { readSettings, type SettingsReading } from '#shared/settings/schema';
import { mergeText } from './mergeText';
import { editSettings, type SettingsEdit } from './settingsEdits';
import { nodeAt, readSettingsText } from './settingsText';

interface Said {
  /** All that edits of permissions cannot change. */
  readonly rest: unknown;
  readonly reading: SettingsReading;
  readonly scalars: Readonly<Record<PermissionScalar, string | null>>;
}

const lists = new Set(['allow', 'ask', 'deny', 'alwaysAllow', 'alwaysAsk', 'alwaysDeny']);
const editable = new Set([...lists, 'additionalDirectories', ...PermissionScalar.options]);

function without(value: unknown, names: ReadonlySet<string>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));
}

function restOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const permissions = 'permissions' in value ? without(value.permissions, editable) : {};
  return [permissions, without(value, new Set([...lists, 'permissions']))];
}

function said(text: string): Said | null {
  const read = readSettingsText(text === '' ? '{}' : text);
  if (!read.ok) return null;
  const scalar = (key: PermissionScalar): string | null => {
    const value: unknown = nodeAt(read.value.root, ['permissions', key])?.value;
    return typeof value === 'string' ? value : null;
  };
  const [mode, bypass, auto] = PermissionScalar.options.map(scalar);
  return {
    rest: restOf(read.value.value),
    reading: readSettings(read.value.value),
    scalars: {
      defaultMode: mode ?? null,
      disableBypassPermissionsMode: bypass ?? null,
      disableAutoMode: auto ?? null,
    },
  };
}

/** Changes of rules, folders and scalars that lead from one text to another. */
function editsBetween(from: Said, to: Said): SettingsEdit[] {
  const rules = (one: Said, behavior: Behavior) =>
    new Set(one.reading.rules.filter((rule) => rule.behavior === behavior).map(({ text }) => text));
  const changed = (['deny', 'ask', 'allow'] as const).flatMap((behavior): SettingsEdit[] => {
    const old = rules(from, behavior);
    const fresh = rules(to, behavior);
    return [
      ...[...old].filter((rule) => !fresh.has(rule)).map((rule): SettingsEdit => ({ type: 'remove', behavior, rule })),
      ...[...fresh].filter((rule) => !old.has(rule)).map((rule): SettingsEdit => ({ type: 'add', behavior, rule })),
    ];
  });
  const { additionalDirectories: oldFolders } = from.reading;
  const { additionalDirectories: newFolders } = to.reading;
  const folders = [
    ...oldFolders
      .filter((path) => !newFolders.includes(path))
      .map((path): SettingsEdit => ({ type: 'removeDirectory', path })),
    ...newFolders
      .filter((path) => !oldFolders.includes(path))
      .map((path): SettingsEdit => ({ type: 'addDirectory', path })),
  ];
  const keys = PermissionScalar.options.filter((key) => from.scalars[key] !== to.scalars[key]);
  const scalars = keys.map((key): SettingsEdit => ({ type: 'setScalar', key, value: to.scalars[key] }));
  return [...changed, ...folders, ...scalars];
}

/**
 * The text `now` with the change from `from` to `to` made in it; null text: no file. Same lines are merged as version control
 * does; where lines collide, rules, folders and scalars are changed one by one. Undefined when neither works.
 */
export function changeAgain(texts: {
  readonly now: string | null;
  readonly from: string | null;
  readonly to: string | null;
}): string | null | undefined {
  const { now, from, to } = texts;
  if (now === from) return to;
  if (now === to) return now;
  const merged = mergeText({ base: from ?? '', mine: to ?? '', theirs: now ?? '' });
  if (merged !== null && to !== null && readSettingsText(merged).ok) return merged;
  const [before, after] = [said(from ?? ''), said(to ?? '')];
  if (now === null || before === null || after === null || said(now) === null) return undefined;
  // Half of a change is none.
  if (!isDeepStrictEqual(before.rest, after.rest)) return undefined;
  let text = now;
  for (const edit of editsBetween(before, after)) {
    const made = editSettings(text, edit);
    if (made.ok) text = made.value;
    else if (made.error.kind === 'broken') return undefined;
  }
  return text === now ? undefined : text;
}

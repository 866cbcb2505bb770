// Changes to rules and folders that hooks ask for together with an answer.
import { isAbsolute } from 'node:path';
import { ruleSources, type SavableSource } from '#shared/permissions/sources';
import { fail, ok, type Result } from '#shared/util/result';
import type { PermissionUpdate } from '../hooks/hooks';
import { addedLines, addRules, nodeAt, readSettingsText, removeRuleText } from '../settings/settingsText';
import { readIfThere, type SettingsWriter } from '../settings/settingsWriter';
import type { RulePreview, UpdateResult } from './engine';
import { savingProblems } from './ruleProblems';
import type { RuleStore } from './ruleStore';

type RulesUpdate = Extract<PermissionUpdate, { readonly destination: SavableSource }>;

/** Most rules and folders of one change; a hook that wants more is broken. */
const maxEntries = 200;

export interface ApplyOptions {
  readonly sessionId: string;
  readonly updates: readonly Exclude<PermissionUpdate, { readonly type: 'setMode' }>[];
  readonly store: RuleStore;
  readonly writer: SettingsWriter;
  /** What to say where only the policy's rules count. */
  readonly managedOnly: string;
}

/** Makes the changes one after the other. One that cannot be made leaves the others alone and says why. */
export async function applyPermissionUpdates(options: ApplyOptions): Promise<readonly UpdateResult[]> {
  const results: UpdateResult[] = [];
  for (const update of options.updates)
    results.push('directories' in update ? changeFolders(options, update) : await changeRules(options, update));
  return results;
}

const verbs = { addRules: 'add', replaceRules: 'replace all by', removeRules: 'remove' } as const;

function changeFolders(
  { sessionId, store }: ApplyOptions,
  update: Exclude<ApplyOptions['updates'][number], RulesUpdate>,
): UpdateResult {
  const { type, directories } = update;
  const what = `${type === 'addDirectories' ? 'add' : 'remove'} working folders: ${directories.slice(0, 5).join(', ')}`;
  const wrong = directories.find((folder) => !isAbsolute(folder) || folder.includes('\0'));
  if (wrong !== undefined) return { what, problem: `“${wrong}” is not an absolute path.`, added: null };
  if (directories.length > maxEntries) return { what, problem: `More than ${maxEntries} folders.`, added: null };
  const none: readonly string[] = [];
  const adds = type === 'addDirectories';
  store.changeSessionFolders(sessionId, { add: adds ? directories : none, remove: adds ? none : directories });
  return { what, problem: null, added: null };
}

async function changeRules(options: ApplyOptions, update: RulesUpdate): Promise<UpdateResult> {
  const { sessionId, store, writer } = options;
  const { type, behavior, rules, destination } = update;
  const where = ruleSources[destination].label;
  const what = `${verbs[type]} ${behavior} rules in ${where}: ${rules.slice(0, 5).join(', ')}`;
  const refused = (problem: string): UpdateResult => ({ what, problem, added: null });
  const current = store.current(sessionId);
  if (current === null) return refused('The session is not open any more.');
  if (current.managedOnly) return refused(options.managedOnly);
  if (rules.length > maxEntries) return refused(`More than ${maxEntries} rules.`);
  const [problem] = type === 'removeRules' ? [] : savingProblems(rules, behavior);
  if (problem !== undefined) return refused(problem);
  const added = type === 'removeRules' || rules.length === 0 ? null : { rules, source: destination };
  if (destination === 'session') {
    if (type !== 'addRules') store.removeSessionRulesOf(sessionId, behavior, type === 'removeRules' ? rules : null);
    if (type !== 'removeRules') store.addSessionRulesOf(sessionId, behavior, rules);
    return { what, problem: null, added: added === null ? null : { ...added, file: null } };
  }
  const path = store.pathOf(sessionId, destination);
  if (path === null) return refused('The session is not open any more.');
  const saved = await writer.change(path, (text) => changedText(text, update));
  if (!saved.ok) return refused(saved.error);
  if (behavior === 'allow' && added !== null && destination !== 'userSettings') store.noteSaved(sessionId, rules);
  store.current(sessionId);
  return { what, problem: null, added: added === null ? null : { ...added, file: path } };
}

/** What adding rules would do, without doing it. */
export async function previewAddedRules(
  options: Pick<ApplyOptions, 'sessionId' | 'store' | 'managedOnly'> & {
    readonly change: Pick<RulesUpdate, 'behavior' | 'rules' | 'destination'>;
  },
): Promise<Omit<RulePreview, 'wouldRun' | 'stillBecause'>> {
  const { sessionId, store, managedOnly, change } = options;
  const { behavior, rules, destination } = change;
  const file = destination === 'session' ? null : store.pathOf(sessionId, destination);
  const blocked = store.current(sessionId)?.managedOnly === true;
  const problems = blocked ? [managedOnly] : savingProblems(rules, behavior);
  if (file === null) return { problems, file, addedLines: [] };
  const now = await readIfThere(file);
  const changed = now.ok ? addRules(now.value, behavior, rules) : now;
  if (!changed.ok) return { problems: [...problems, changed.error], file, addedLines: [] };
  return { problems, file, addedLines: addedLines(now.ok ? now.value : null, changed.value) };
}

/** The settings text after one change; null is a file that does not exist. */
function changedText(text: string | null, { type, behavior, rules }: RulesUpdate): Result<string> {
  if (type === 'addRules') return addRules(text, behavior, rules);
  let changed = text ?? '{}';
  const gone = type === 'removeRules' ? rules : listed(changed, behavior).filter((rule) => !rules.includes(rule));
  for (const rule of gone) {
    const removed = removeRuleText(changed, { behavior, rule });
    if (removed.ok) changed = removed.value;
    else if (removed.error === 'broken') return fail('The file is not valid JSON. Mend it first.');
  }
  return type === 'replaceRules' && rules.length > 0 ? addRules(changed, behavior, rules) : ok(changed);
}

/** The rules that stand in a list, in both spellings of it. */
function listed(text: string, behavior: RulesUpdate['behavior']): readonly string[] {
  const read = readSettingsText(text);
  if (!read.ok) return [];
  const old = `always${behavior.charAt(0).toUpperCase()}${behavior.slice(1)}`;
  return [['permissions', behavior], ['permissions', old], [old]].flatMap((path) => {
    const list = nodeAt(read.value.root, path);
    if (list?.type !== 'array') return [];
    return (list.children ?? []).flatMap((child) => (typeof child.value === 'string' ? [child.value] : []));
  });
}

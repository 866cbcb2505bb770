// What an "Always allow" answer writes: the same step as one from the rule editor.
import type { RuleLifetime } from '#shared/session/ask';
import { fail, ok } from '#shared/util/result';
import type { PermissionEngine } from './engine';
import type { RuleEditor } from './ruleEditor';
import type { RuleStore } from './ruleStore';

const lifetimeWords: Readonly<Record<RuleLifetime, string>> = {
  session: 'this session',
  hour: 'this session, for one hour',
  quarterHour: 'this session, for 15 minutes',
  turn: 'this session, until this task ends',
};

/** Saves allow rules of an answer. `where` is for people: file and line. */
export async function saveAnswer(
  saving: Parameters<PermissionEngine['saveRules']>[0],
  { store, editor }: { readonly store: RuleStore; readonly editor: RuleEditor },
): ReturnType<PermissionEngine['saveRules']> {
  const { sessionId, rules, source, lifetime = 'session' } = saving;
  const saved = await editor.save(
    sessionId,
    rules.map((text) => ({ type: 'add', source, behavior: 'allow', text, lifetime })),
  );
  if (!saved.ok) return fail(`Nothing was saved. ${saved.error.message}`);
  if (source === 'session') return ok({ where: lifetimeWords[lifetime], file: null, step: saved.value.id });
  const file = store.pathOf(sessionId, source);
  const found = store.current(sessionId)?.rules.find((rule) => rule.ref.file === file && rule.ref.text === rules[0]);
  const line = found?.ref.line === undefined ? '' : `, line ${found.ref.line}`;
  return ok({ where: `${file}${line}`, file, step: saved.value.id });
}

// What can be done with chosen rows; each is one step of the draft.
import type { RuleDraft, RuleEdit } from '#shared/permissions/ruleEdits';
import type { Behavior } from '#shared/permissions/ruleRef';
import { ruleSources, type SavableSource } from '#shared/permissions/sources';
import { useRulesPage } from '../../stores/rulesPage';
import { useToasts } from '../../stores/toasts';
import { counted } from '../frame/words';
import { stage } from './actions';
import type { RuleRow } from './table/rows';
import { focusRules } from './table/rulesGrid';

/** Stages what can be done and says of how many rows it cannot. */
function stageFor(rows: readonly RuleRow[], make: (row: RuleRow) => RuleEdit | null): void {
  const present = rows.filter(({ state }) => state !== 'removed');
  const free = present.filter(({ locked }) => locked === '');
  stage(free.flatMap((row) => make(row) ?? []));
  tellLocked(present.length - free.length);
  useRulesPage.getState().show({ chosen: [], active: null, editing: false, moving: false });
  focusRules();
}

function tellLocked(count: number): void {
  if (count === 0) return;
  useToasts.getState().show({
    level: 'info',
    title: `${counted(count, 'rule is locked and stayed as it is', 'rules are locked and stayed as they are')}.`,
    text: 'Their source cannot be written here. Copy them to one that can.',
  });
}

export function removeRules(rows: readonly RuleRow[]): void {
  stageFor(rows, ({ rule }) => ({ type: 'remove', rule }));
}

export function changeVerdict(rows: readonly RuleRow[], behavior: Behavior): void {
  stageFor(rows, ({ rule }) =>
    rule.behavior === behavior ? null : { type: 'change', rule, behavior, text: rule.text },
  );
}

/** Moves or copies; locked rules can only be copied. */
export function moveRules(rows: readonly RuleRow[], to: SavableSource, how: 'move' | 'copy'): void {
  const elsewhere = rows.filter(({ rule, state }) => rule.source !== to && state !== 'removed');
  if (how === 'move') {
    stageFor(elsewhere, ({ rule }) => ({ type: 'move', rule, to }));
    return;
  }
  const edits: RuleDraft = elsewhere.map(({ rule }) => ({ type: 'copy', rule, to }));
  stage(edits);
  useRulesPage.getState().show({ chosen: [] });
  focusRules();
}

/** Sources that rules can be moved to, in words. */
export const savableSources: readonly { readonly value: SavableSource; readonly label: string }[] = (
  ['session', 'localSettings', 'projectSettings', 'userSettings'] as const
).map((value) => ({ value, label: `${ruleSources[value].label} · ${ruleSources[value].where}` }));

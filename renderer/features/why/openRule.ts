import type { RuleRef } from '#shared/permissions/decision';
import { useApp } from '../../stores/app';
import { useRulesPage } from '../../stores/rulesPage';

/** Shows a rule in the table of the Rules page, with its details beside it. */
export function openRule({ source, behavior, text }: RuleRef): void {
  const key = [source, behavior, text, 0].join('\n');
  useRulesPage.getState().show({
    view: 'table',
    search: text,
    sources: [],
    verdicts: [],
    active: key,
    chosen: [key],
    writing: null,
    tab: 'rule',
  });
  useApp.getState().go('rules');
}

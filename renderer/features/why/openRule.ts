import type { RuleRef } from '#shared/permissions/decision';
import { useApp } from '../../stores/app';
import { useRulesPage } from '../../stores/rulesPage';
import { useSession } from '../../stores/session';

/** Shows a rule in the table of the Rules page, with its details beside it. */
export function openRule({ source, behavior, text }: RuleRef): void {
  const key = [source, behavior, text, 0].join('\n');
  const { sessionId } = useSession.getState();
  // What the page knew of another session goes now; later it would take the choice along.
  if (useRulesPage.getState().sessionId !== sessionId)
    useRulesPage.setState({ sessionId, preview: null, findings: null, usage: [] });
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

// Writing the list of tests: each change starts from the list that is on the disk.
import type { RuleTest } from '#shared/api/rules';
import { host } from '../../../host/client';
import { useRulesPage } from '../../../stores/rulesPage';
import { messageOf, useToasts } from '../../../stores/toasts';

/** Adds a test to the project's; true when it is written. */
export async function addTest(test: RuleTest): Promise<boolean> {
  const { sessionId } = useRulesPage.getState();
  if (sessionId === null) return false;
  try {
    const { results, problem } = await host().call('rules.tests', { sessionId, draft: [] });
    if (problem !== '') throw new Error(problem);
    const base = results.map((result) => result.test);
    await host().call('rules.setTests', { sessionId, base, tests: [...base, test] });
  } catch (error) {
    useToasts.getState().show({ level: 'error', title: 'The test was not added.', text: textOf(error) });
    return false;
  }
  useToasts.getState().show({
    level: 'info',
    title: 'A test was added.',
    text: `${test.name} is checked with every change of the rules.`,
    action: { label: 'Show tests', run: () => useRulesPage.getState().show({ tab: 'tests' }) },
  });
  return true;
}

/** Writes the whole list in place of `base`; the problem in words, empty when it is written. */
export async function writeTests(base: readonly RuleTest[], tests: readonly RuleTest[]): Promise<string> {
  const { sessionId } = useRulesPage.getState();
  if (sessionId === null) return 'No session is open.';
  try {
    await host().call('rules.setTests', { sessionId, base: [...base], tests: [...tests] });
    return '';
  } catch (error) {
    return messageOf(error);
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : messageOf(error);
}

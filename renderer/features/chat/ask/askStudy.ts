// What is known of rules before they are saved from an ask: past calls that they would meet, remarks, places that are locked.
import type { Reach } from '#shared/api/history';
import type { StepsView } from '#shared/api/rules';
import { SavableSource } from '#shared/permissions/sources';
import { host } from '../../../host/client';

export type Locks = Readonly<Partial<Record<SavableSource, string>>>;

export interface AskStudy {
  /** Past calls of 30 days that allow rules would meet. One question after the other; equal ones are asked once. */
  reach(rules: readonly string[], source: SavableSource): Promise<Reach>;
  /** What the checks object to, in words. */
  remarks(rules: readonly string[], source: SavableSource): Promise<readonly string[]>;
  /** Why a place cannot be written, by place. */
  locks(): Promise<Locks>;
  /** What was saved last. */
  steps(): Promise<StepsView>;
  undo(step: string): Promise<StepsView>;
}

export function createAskStudy(sessionId: string): AskStudy {
  // The core ends an older question of this kind when a newer one comes.
  let last: Promise<unknown> = Promise.resolve();
  const known = new Map<string, Promise<Reach>>();
  return {
    reach(rules, source) {
      const key = JSON.stringify([source, rules]);
      const before = known.get(key);
      if (before !== undefined) return before;
      const asked = last
        .catch(() => undefined)
        .then(() =>
          host().call('history.reach', {
            scope: { sessionId, where: 'everywhere', days: 30 },
            draft: [],
            rules: [...rules],
            behavior: 'allow',
            source,
          }),
        );
      last = asked;
      known.set(key, asked);
      asked.catch(() => known.delete(key));
      return asked;
    },
    async remarks(rules, source) {
      const draft = rules.map((text) => ({ type: 'add' as const, source, behavior: 'allow' as const, text }));
      const { findings } = await host().call('rules.lint', { sessionId, draft });
      const own = findings.filter(({ rule }) => rule?.source === source && rules.includes(rule.text));
      return [...new Set(own.map(({ message }) => message))];
    },
    async locks() {
      const { files } = await host().call('rules.policy', { sessionId });
      const locked: Partial<Record<SavableSource, string>> = {};
      for (const file of files) {
        const source = SavableSource.safeParse(file.source);
        if (source.success && file.locked !== '') locked[source.data] = file.locked;
      }
      return locked;
    },
    steps: () => host().call('rules.steps', {}),
    undo: (step) => host().call('rules.undo', { step }),
  };
}

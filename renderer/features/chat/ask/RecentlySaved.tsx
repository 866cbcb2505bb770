import { useEffect, useState } from 'react';
import type { StepsView } from '#shared/api/rules';
import { reportFailure } from '../../../stores/toasts';
import { Button } from '../../../ui/Button';
import { VisibleText } from '../../../ui/VisibleText';
import { useNow } from '../../frame/useNow';
import { age } from '../../frame/words';
import type { AskStudy } from './askStudy';

const shown = 3;

/** The last changes of rules; the newest can be taken back here. */
export function RecentlySaved({ study }: { readonly study: AskStudy }) {
  const [steps, setSteps] = useState<StepsView | null>(null);
  const now = useNow(60_000);
  useEffect(() => {
    let current = true;
    study.steps().then(
      (found) => {
        if (current) setSteps(found);
      },
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [study]);
  if (steps === null || steps.recent.length === 0) return null;
  return (
    <details className="text-small">
      <summary className="cursor-pointer rounded-small text-muted">Recently saved</summary>
      <ul className="mt-1 flex flex-col gap-1">
        {steps.recent.slice(0, shown).map((step) => (
          <li key={step.id} className="flex min-w-0 items-center gap-2">
            <span className="min-w-0 flex-1 truncate" title={step.label}>
              <VisibleText text={step.label} />
            </span>
            <span className="shrink-0 text-dim">{age(step.at, now)}</span>
            {steps.undo?.id === step.id ? (
              <Button
                size="small"
                onClick={() =>
                  void study
                    .undo(step.id)
                    .then(setSteps, (error: unknown) => reportFailure('The change was not undone.', error))
                }
              >
                Undo
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </details>
  );
}

// Steps 4 and 7: the places where hooks and the speculative classifier take part. Without any they are skipped.
import type { StepEnd } from './step';

/** Step 4. */
export function preHook(): StepEnd<null> {
  return { outcome: 'skipped', note: 'no hooks', value: null };
}

/** Step 7. */
export function postHook(): StepEnd<null> {
  return { outcome: 'skipped', note: 'no hooks', value: null };
}

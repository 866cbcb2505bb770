// Steps 4 and 7: the places where hooks and the speculative classifier take part. Without any they are skipped.
import {
  absentClassifier,
  classifierTakesPart,
  type RunningClassifier,
  startClassifier,
} from '../permissions/classifier';
import { type CallToJudge, requestOf, situationOf } from './request';
import type { StepEnd } from './step';

/** What step 4 hands on to the permission step. */
export interface Opinions {
  /** The model's opinion under way; null where none was asked for. */
  readonly classifier: RunningClassifier | null;
}

/** Step 4. The classifier is launched here and awaited in step 5, so that it runs while hooks do. */
export async function preHook(call: CallToJudge, signal: AbortSignal): Promise<StepEnd<Opinions>> {
  const classifier = await launchClassifier(call, signal);
  return classifier === null
    ? { outcome: 'skipped', note: 'no hooks', value: { classifier } }
    : { outcome: 'passed', note: 'no hooks; the classifier was asked', value: { classifier } };
}

async function launchClassifier(call: CallToJudge, signal: AbortSignal): Promise<RunningClassifier | null> {
  const { services, tool, input, place } = call;
  const { classifier } = services;
  const text = tool.toAutoClassifierInput(input);
  // A tool that has nothing to say to a classifier is never judged by one.
  if (classifier === undefined || text === '') return null;
  const situation = situationOf(call, 1);
  const { effect, descriptions, mode, problem } = await services.engine.classify(
    requestOf(call, { behavior: 'passthrough' }),
    situation,
  );
  if (effect.effect === 'readOnly' || !classifierTakesPart(mode, descriptions)) return null;
  if (problem !== '') return absentClassifier(`not asked, because ${problem}`);
  return startClassifier({
    classifier,
    question: {
      toolName: tool.name,
      call: text,
      folder: place.folder,
      cwd: place.cwd,
      mode,
      descriptions,
      effect,
      model: services.sessions.state(place.sessionId).model,
    },
    signal,
    onFailure: (error) => services.log.error('the classifier failed', error),
  });
}

/** Step 7. */
export function postHook(): StepEnd<null> {
  return { outcome: 'skipped', note: 'no hooks', value: null };
}

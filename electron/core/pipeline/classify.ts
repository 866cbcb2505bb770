// The speculative classifier: started in step 4, beside the hooks, and awaited in step 5.
import {
  absentClassifier,
  classifierTakesPart,
  type RunningClassifier,
  startClassifier,
} from '../permissions/classifier';
import { type CallToJudge, requestOf, situationOf } from './request';

/** Null where no model is asked about the call. Never rejects: a classifier that fails has no opinion. */
export async function launchClassifier(call: CallToJudge, signal: AbortSignal): Promise<RunningClassifier | null> {
  try {
    return await launch(call, signal);
  } catch (error) {
    call.services.log.error('the classifier could not be started', error);
    return null;
  }
}

async function launch(call: CallToJudge, signal: AbortSignal): Promise<RunningClassifier | null> {
  const { services, tool, input, place } = call;
  const { classifier } = services;
  const text = tool.toAutoClassifierInput(input);
  // A tool that has nothing to say to a classifier is never judged by one.
  if (classifier === undefined || text === '') return null;
  const situation = situationOf(call, 1);
  const found = await services.engine.classify(requestOf(call, { behavior: 'passthrough' }), situation);
  if (found === null) return null;
  const { effect, descriptions, mode, open, problem } = found;
  if (!open || effect.effect === 'readOnly' || !classifierTakesPart(mode, descriptions)) return null;
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

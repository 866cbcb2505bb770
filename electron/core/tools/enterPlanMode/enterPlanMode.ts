import { z } from 'zod';
import { buildTool } from '../buildTool';
import { rejection } from '../changeTarget';
import type { PlanMode } from '../planMode';
import { ToolFailure } from '../tool';
import prompt from './enterPlanMode.prompt.md';

const inputSchema = () => z.strictObject({});

const entered =
  'The session is in plan mode: only reads run, and what changes anything is denied or asked for. Read what you need, then present the plan with ExitPlanMode.';

/** Lets the model hold itself back until a plan is approved. It only ever takes freedom away, so nobody is asked. */
export function createEnterPlanModeTool(plans: PlanMode) {
  const refusal = (sessionId: string) => {
    const mode = plans.mode(sessionId);
    if (mode === 'plan')
      return 'The session is in plan mode already. Go on planning; present the plan with ExitPlanMode.';
    if (mode === 'dontAsk')
      return 'Plan mode ends with a question to the person, and in the present mode nobody is asked. Write the plan as text instead.';
    return null;
  };
  return buildTool<z.infer<ReturnType<typeof inputSchema>>, string>({
    name: 'EnterPlanMode',
    searchHint: 'plan before changing anything, only reads',
    prompt,
    icon: 'checklist',
    inputSchema,
    shouldDefer: true,
    isReadOnly: () => true,
    facts: () => [],
    checkPermissions: () => ({ behavior: 'allow', detail: 'It only makes the session stricter.' }),
    validateInput(_input, { sessionId }) {
      const why = refusal(sessionId);
      return Promise.resolve(why === null ? { verdict: 'ok' } : rejection('noPlanMode', why));
    },
    async call(_input, { sessionId }) {
      // The person may have changed the mode since the check.
      const why = refusal(sessionId);
      if (why !== null) throw new ToolFailure('validation', why);
      await plans.change(sessionId, 'plan');
      return entered;
    },
    mapResult: (text) => [{ type: 'text', text }],
    getToolUseSummary: () => 'only reads until you approve a plan',
    getActivityDescription: () => 'Entering plan mode',
    renderUse: () => ({ kind: 'text', text: 'From here on only reads run, until you approve a plan.' }),
    renderResult: () => ({
      view: { kind: 'text', text: 'From here on only reads run, until you approve a plan.' },
      note: 'plan mode on',
    }),
  });
}

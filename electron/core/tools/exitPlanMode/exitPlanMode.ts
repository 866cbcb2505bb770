import { z } from 'zod';
import { permissionModes } from '#shared/permissions/modes';
import { buildTool } from '../buildTool';
import { rejection } from '../changeTarget';
import type { PlanMode } from '../planMode';
import { oneLine } from '../wording';
import prompt from './exitPlanMode.prompt.md';

/** Longest plan; a person has to read it in one go. */
const maxPlanChars = 30_000;

const inputSchema = () =>
  z.strictObject({
    plan: z
      .string()
      .max(maxPlanChars)
      .refine((text) => text.trim() !== '', 'expected the plan')
      .describe('The whole plan, in Markdown.'),
  });

type Input = z.infer<ReturnType<typeof inputSchema>>;

/** Puts a plan before the person; their approval ends plan mode. */
export function createExitPlanModeTool(plans: PlanMode) {
  return buildTool<Input, { readonly mode: ReturnType<PlanMode['mode']> }>({
    name: 'ExitPlanMode',
    searchHint: 'present a plan for approval, leave plan mode',
    prompt,
    icon: 'checklist',
    inputSchema,
    shouldDefer: true,
    requiresUserInteraction: () => true,
    approval: () => ({ title: 'Plan ready: shall the work begin?', modes: ['default', 'acceptEdits'] }),
    facts: () => [],
    checkPermissions: () => ({ behavior: 'ask', detail: 'leaving plan mode is your decision', hookMayAllow: true }),
    validateInput(_input, { sessionId }) {
      const planning = plans.mode(sessionId) === 'plan';
      return Promise.resolve(
        planning
          ? { verdict: 'ok' }
          : rejection(
              'notPlanning',
              'The session is not in plan mode, so there is nothing to leave. Go on with the work.',
            ),
      );
    },
    async call(_input, { sessionId }) {
      // The person's answer may have named the mode already; a hook's never does.
      if (plans.mode(sessionId) === 'plan') await plans.change(sessionId, 'default');
      return { mode: plans.mode(sessionId) };
    },
    mapResult: ({ mode }, { plan }) => [
      {
        type: 'text',
        text: `The plan is approved, and plan mode is over (now: ${permissionModes[mode].label}). Begin the work. The approved plan:\n\n${plan}`,
      },
    ],
    maxResultSizeChars: maxPlanChars + 1_000,
    getToolUseSummary: ({ plan }) => oneLine(firstLine(plan), 100),
    getActivityDescription: () => 'Waiting for your word on the plan',
    toAutoClassifierInput: ({ plan }) => plan,
    renderUse: ({ plan }) => ({ kind: 'markdown', text: plan }),
    renderResult: ({ mode }, { plan }) => ({
      view: { kind: 'markdown', text: plan },
      note: `approved · ${permissionModes[mode].label} mode`,
    }),
  });
}

/** The plan's first words, without the marks of a heading. */
function firstLine(plan: string): string {
  return (plan.trim().split('\n', 1)[0] ?? '').replace(/^#+\s*/, '');
}

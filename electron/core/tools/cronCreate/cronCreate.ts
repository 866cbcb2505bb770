import { z } from 'zod';
import { inWords, type Scheduler } from '../../cron/scheduler';
import type { Schedule } from '../../cron/scheduleStore';
import { buildTool } from '../buildTool';
import { rejection } from '../changeTarget';
import { ToolFailure } from '../tool';
import { oneLine } from '../wording';
import prompt from './cronCreate.prompt.md';

const inputSchema = () =>
  z.strictObject({
    prompt: z
      .string()
      .max(10_000)
      .refine((text) => text.trim() !== '', 'expected some text')
      .describe('What to do then; everything that has to be known.'),
    cron: z.string().max(200).optional().describe('Five fields, local time: "0 9 * * 1-5". For what comes again.'),
    at: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})?$/, 'expected a time like 2026-05-01T09:00')
      .optional()
      .describe('One time, local unless it names an offset: "2026-05-01T09:00".'),
  });

type Input = z.infer<ReturnType<typeof inputSchema>>;

export interface CronOptions {
  /** Null where nobody would send the prompts. */
  readonly scheduler: () => Pick<Scheduler, 'add' | 'list' | 'remove'> | null;
  /** Tells the person in the session. */
  readonly notice: (sessionId: string, text: string) => void;
}

export const noScheduler = 'Scheduled prompts need a Gatehouse that stays open; this is a single run.';

/** Schedules a prompt for the session. */
export function createCronCreateTool({ scheduler, notice }: CronOptions) {
  return buildTool<Input, Schedule>({
    name: 'CronCreate',
    searchHint: 'schedule a prompt, remind, repeat, later, every day',
    prompt,
    icon: 'checklist',
    inputSchema,
    shouldDefer: true,
    isEnabled: () => scheduler() !== null,
    unavailableReason: () => (scheduler() === null ? noScheduler : ''),
    facts: () => [],
    checkPermissions: () => ({
      behavior: 'allow',
      detail: 'It only sends a message later; its calls are judged then.',
    }),
    validateInput: ({ cron, at }) =>
      Promise.resolve(
        (cron === undefined) === (at === undefined)
          ? rejection('when', 'Give either `cron` or `at`, not both.')
          : { verdict: 'ok' },
      ),
    call(input, { sessionId }) {
      const { cron = null, at } = input;
      const added = scheduler()?.add({
        sessionId,
        prompt: input.prompt.trim(),
        cron,
        at: at === undefined ? null : new Date(at).getTime(),
      });
      if (added === undefined) throw new ToolFailure('tool', noScheduler);
      if (!added.ok) throw new ToolFailure('validation', `Nothing was scheduled. ${added.problem}`);
      const { nextAt } = added.schedule;
      const again = cron === null ? 'once' : `again and again (${oneLine(cron, 80)})`;
      notice(
        sessionId,
        `A prompt was scheduled, ${again}, first for ${inWords(nextAt)}: ${oneLine(input.prompt, 100)}`,
      );
      return Promise.resolve(added.schedule);
    },
    mapResult: ({ scheduleId, nextAt, cron }) => [
      {
        type: 'text',
        text: `Scheduled as ${scheduleId}: ${cron === null ? 'once, at' : 'next at'} ${inWords(nextAt)} local time. It runs only while Gatehouse is open.`,
      },
    ],
    getToolUseSummary: (input) => `${input.cron ?? input.at ?? ''} · ${oneLine(input.prompt, 80)}`,
    getActivityDescription: () => 'Scheduling a prompt',
    toAutoClassifierInput: (input) => `schedule for ${input.cron ?? input.at ?? ''}: ${input.prompt}`,
    renderUse: (input) => ({
      kind: 'table',
      columns: ['When', 'Prompt'],
      rows: [[input.cron ?? input.at ?? '', input.prompt]],
    }),
    renderResult: (schedule) => ({ view: scheduleTable([schedule]), note: `next ${inWords(schedule.nextAt)}` }),
  });
}

/** Schedules as people and the card see them. */
export function scheduleTable(schedules: readonly Schedule[]) {
  return {
    kind: 'table' as const,
    columns: ['Id', 'When', 'Next run', 'Prompt'],
    rows: schedules.map(({ scheduleId, cron, nextAt, prompt: text }) => [
      scheduleId,
      cron ?? 'once',
      inWords(nextAt),
      oneLine(text, 300),
    ]),
  };
}

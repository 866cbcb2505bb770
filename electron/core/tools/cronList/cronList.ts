import { z } from 'zod';
import { inWords } from '../../cron/scheduler';
import type { Schedule } from '../../cron/scheduleStore';
import { buildTool } from '../buildTool';
import { type CronOptions, noScheduler, scheduleTable } from '../cronCreate/cronCreate';
import { counted, oneLine } from '../wording';
import prompt from './cronList.prompt.md';

const inputSchema = () => z.strictObject({});

/** Lists the session's scheduled prompts. */
export function createCronListTool({ scheduler }: Pick<CronOptions, 'scheduler'>) {
  return buildTool<z.infer<ReturnType<typeof inputSchema>>, readonly Schedule[]>({
    name: 'CronList',
    searchHint: 'list scheduled prompts',
    prompt,
    icon: 'checklist',
    inputSchema,
    shouldDefer: true,
    isEnabled: () => scheduler() !== null,
    unavailableReason: () => (scheduler() === null ? noScheduler : ''),
    isReadOnly: () => true,
    canBeReadOnly: () => true,
    isConcurrencySafe: () => true,
    facts: () => [],
    checkPermissions: () => ({ behavior: 'allow', detail: 'It only lists what is scheduled in this session.' }),
    call: (_input, { sessionId }) => Promise.resolve(scheduler()?.list(sessionId) ?? []),
    mapResult: (schedules) => [
      {
        type: 'text',
        text:
          schedules.length === 0
            ? 'Nothing is scheduled in this session.'
            : schedules
                .map(
                  ({ scheduleId, cron, nextAt, prompt: text }) =>
                    `${scheduleId} · ${cron ?? 'once'} · next ${inWords(nextAt)} · ${oneLine(text, 300)}`,
                )
                .join('\n'),
      },
    ],
    getToolUseSummary: () => 'this session',
    getActivityDescription: () => 'Listing scheduled prompts',
    extractSearchText: (schedules) => schedules.map((schedule) => schedule.prompt).join('\n'),
    renderUse: () => ({ kind: 'text', text: 'Scheduled prompts of this session.' }),
    renderResult: (schedules) => ({
      view: schedules.length === 0 ? { kind: 'text', text: 'Nothing is scheduled.' } : scheduleTable(schedules),
      note: counted(schedules.length, 'scheduled prompt'),
    }),
  });
}

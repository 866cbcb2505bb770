import { z } from 'zod';
import { buildTool } from '../buildTool';
import { type CronOptions, noScheduler } from '../cronCreate/cronCreate';
import { ToolFailure } from '../tool';
import { oneLine } from '../wording';
import prompt from './cronDelete.prompt.md';

const inputSchema = () =>
  z.strictObject({ id: z.string().min(1).max(100).describe('The id, as CronCreate and CronList give it.') });

/** Takes a scheduled prompt of the session away. */
export function createCronDeleteTool({ scheduler }: Pick<CronOptions, 'scheduler'>) {
  return buildTool<z.infer<ReturnType<typeof inputSchema>>, { readonly id: string }>({
    name: 'CronDelete',
    searchHint: 'delete a scheduled prompt, cancel a schedule',
    prompt,
    icon: 'checklist',
    inputSchema,
    shouldDefer: true,
    isEnabled: () => scheduler() !== null,
    unavailableReason: () => (scheduler() === null ? noScheduler : ''),
    facts: () => [],
    checkPermissions: () => ({ behavior: 'allow', detail: 'It only takes away what was scheduled in this session.' }),
    call({ id }, { sessionId }) {
      if (scheduler()?.remove(sessionId, id) !== true) {
        const ids = (scheduler()?.list(sessionId) ?? []).map(({ scheduleId }) => scheduleId);
        const there = ids.length === 0 ? 'Nothing is scheduled.' : `There are: ${ids.join(', ')}.`;
        throw new ToolFailure('validation', `This session has no scheduled prompt ${oneLine(id, 100)}. ${there}`);
      }
      return Promise.resolve({ id });
    },
    mapResult: ({ id }) => [{ type: 'text', text: `${id} is deleted; it is not sent any more.` }],
    getToolUseSummary: ({ id }) => oneLine(id, 60),
    getActivityDescription: () => 'Deleting a scheduled prompt',
    renderUse: ({ id }) => ({ kind: 'text', text: id }),
    renderResult: ({ id }) => ({ view: { kind: 'text', text: id }, note: 'deleted' }),
  });
}

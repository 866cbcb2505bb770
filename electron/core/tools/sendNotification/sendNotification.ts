import { z } from 'zod';
import { buildTool } from '../buildTool';
import { ToolFailure } from '../tool';
import { counted, duration, oneLine } from '../wording';
import { NotificationLimit } from './notificationLimit';
import prompt from './sendNotification.prompt.md';

const words = (maxChars: number) =>
  z
    .string()
    .max(maxChars)
    .refine((text) => text.trim() !== '', 'expected some text');

const inputSchema = () =>
  z.strictObject({
    message: words(300).describe('What happened, in one sentence.'),
    title: words(60).optional().describe('A few words above it; the title of the session when left out.'),
  });

export interface NotificationOptions {
  /** Shows it on all open pages and tells hooks; returns how many pages there are. `title` null: the session's own. */
  readonly send: (notification: {
    readonly sessionId: string;
    readonly title: string | null;
    readonly message: string;
  }) => number;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Calls for the person's attention. */
export function createSendNotificationTool({ send, now }: NotificationOptions) {
  const limit = new NotificationLimit(now);
  return buildTool<z.infer<ReturnType<typeof inputSchema>>, { readonly pages: number }>({
    name: 'SendNotification',
    searchHint: 'notify the person, desktop notification, attention',
    prompt,
    icon: 'tool',
    inputSchema,
    shouldDefer: true,
    isReadOnly: () => true,
    canBeReadOnly: () => true,
    facts: () => [],
    checkPermissions: () => ({ behavior: 'allow', detail: 'It only shows you a message.' }),
    call({ message, title }, { sessionId }) {
      const taken = limit.take(sessionId);
      if (!taken.ok) {
        const wait = duration(taken.waitMs);
        const text = `Not shown: the session has sent notifications too often. The next one may come in ${wait}. Say it in your answer instead.`;
        throw new ToolFailure('validation', text, { note: 'too many' });
      }
      const pages = send({
        sessionId,
        title: title === undefined ? null : oneLine(title, 60),
        message: oneLine(message, 300),
      });
      return Promise.resolve({ pages });
    },
    mapResult: ({ pages }) => [
      {
        type: 'text',
        text:
          pages === 0
            ? 'No page of Gatehouse is open, so nobody sees it now. It stands in the conversation.'
            : `Shown on ${counted(pages, 'open page')}. Whether the person saw it is not known.`,
      },
    ],
    getToolUseSummary: ({ message }) => oneLine(message, 100),
    getActivityDescription: () => 'Notifying you',
    renderUse: ({ message, title }) => ({ kind: 'text', text: title === undefined ? message : `${title}\n${message}` }),
    renderResult: ({ pages }, { message, title }) => ({
      view: { kind: 'text', text: title === undefined ? message : `${title}\n${message}` },
      note: pages === 0 ? 'no page open' : 'shown',
    }),
  });
}

import { describe, expect, it } from 'vitest';
import { recordCall } from '../testing/recordingExecutor';
import { samplePlace } from '../testing/samplePlace';
import { createSendNotificationTool, type NotificationOptions } from './sendNotification';

type Sent = Parameters<NotificationOptions['send']>[0];

function tool(pages = 1) {
  const sent: Sent[] = [];
  const clock = { now: 1_000_000 };
  const made = createSendNotificationTool({
    send: (one) => {
      sent.push(one);
      return pages;
    },
    now: () => clock.now,
  });
  const call = async (input: { message: string; title?: string }, sessionId = 's') => {
    try {
      const output = await made.call(input, { ...recordCall().context, sessionId });
      return made.mapResult(output, input).map((block) => ('text' in block ? block.text : ''))[0];
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
  return { made, sent, clock, call };
}

describe('SendNotification', () => {
  it.each([
    [0, 'No page of Gatehouse is open, so nobody sees it now. It stands in the conversation.'],
    [1, 'Shown on 1 open page. Whether the person saw it is not known.'],
    [2, 'Shown on 2 open pages. Whether the person saw it is not known.'],
  ])('on %i pages', async (pages, text) => {
    const { call, sent } = tool(pages);
    expect(await call({ message: 'The tests\npass.', title: 'Done' })).toBe(text);
    expect(sent).toEqual([{ sessionId: 's', title: 'Done', message: 'The tests ⏎ pass.' }]);
  });

  it('shows one in ten seconds for each session', async () => {
    const { call, sent, clock } = tool();
    await call({ message: 'one' });
    clock.now += 9_000;
    expect(await call({ message: 'two' })).toBe(
      'Not shown: the session has sent notifications too often. The next one may come in 1 s. Say it in your answer instead.',
    );
    await call({ message: 'other' }, 't');
    clock.now += 1_000;
    await call({ message: 'three' });
    expect(sent.map(({ message }) => message)).toEqual(['one', 'other', 'three']);
  });

  it('shows twenty an hour', async () => {
    const { call, sent, clock } = tool();
    for (let count = 0; count < 25; count += 1) {
      await call({ message: `${count}` });
      clock.now += 60_000;
    }
    expect(sent).toHaveLength(20);
    clock.now += 36 * 60_000;
    await call({ message: 'again' });
    expect(sent.at(-1)?.message).toBe('again');
  });

  it.each([{ message: ' ' }, { message: 'x'.repeat(301) }, { message: 'x', title: '' }, { message: 'x', sound: true }])(
    'input %j is an error',
    (input) => {
      expect(tool().made.inputSchema().safeParse(input).success).toBe(false);
    },
  );

  it('needs no permission', () => {
    expect(tool().made.checkPermissions({ message: 'x' }, samplePlace).behavior).toBe('allow');
  });
});

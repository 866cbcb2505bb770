// @vitest-environment jsdom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { BackgroundTask } from '#shared/session/backgroundTask';
import type { TaskProgress } from '../../../stores/session';
import { draw, preparePage } from '../testing/draw';
import { TaskStrip } from './TaskStrip';

preparePage({ fakeTime: true });

const task = (change: Partial<BackgroundTask> = {}): BackgroundTask => ({
  taskId: 'b1',
  callId: 'c1',
  command: 'npm run dev',
  description: 'Start the dev server',
  status: 'running',
  startedAt: 1_000,
  endedAt: null,
  exitCode: null,
  outputFile: '/data/c1.txt',
  outputBytes: 0,
  note: '',
  ...change,
});

const progress = (outputChars: number, lastLine: string): TaskProgress => ({
  type: 'task.progress',
  taskId: 'b1',
  outputChars,
  lastLine,
});

function open(tasks: readonly BackgroundTask[], shown: Readonly<Record<string, TaskProgress>> = {}, stops = true) {
  const onStop = vi.fn((_taskId: string) => Promise.resolve(stops));
  draw(<TaskStrip tasks={tasks} progress={shown} onStop={onStop} />);
  return onStop;
}

const rows = () => within(screen.getByRole('region', { name: 'Background tasks' })).getAllByRole('listitem');
const button = () => screen.getByRole('button', { name: 'Stop background task b1' });

describe('TaskStrip', () => {
  test('shows nothing without running tasks', () => {
    open([task({ status: 'completed' })]);
    expect(document.body.textContent).toBe('');
  });

  test('shows what runs, for how long, how much it printed and its last line', () => {
    vi.setSystemTime(73_500);
    open(
      [
        task(),
        task({ taskId: 'b2', command: 'make\nmake test', startedAt: 70_000 }),
        task({ taskId: 'b3', status: 'stopped' }),
      ],
      {
        b1: progress(1_204, 'ready\u202e on 3000'),
      },
    );
    expect(rows().map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^b1npm run devready.*U\+202E.* on 30001 m 12 s · 1,204 charactersStop$/),
      'b2make ⏎ make testStart the dev server3 s · no output yetStop',
    ]);
    act(() => vi.advanceTimersByTime(2_000));
    expect(rows()[1]?.textContent).toContain('5 s');
  });

  test.each([
    ['stays pressed once it is being stopped', true, true],
    ['can be pressed again when it was not stopped', false, false],
  ])('Stop %s', async (_, stops, disabled) => {
    const onStop = open([task()], {}, stops);
    fireEvent.click(button());
    expect(button().textContent).toBe('Stopping');
    await act(async () => undefined);
    expect([onStop.mock.calls, button()]).toEqual([[['b1']], expect.objectContaining({ disabled })]);
  });
});

import { expect, test, vi } from 'vitest';
import { startPty } from './pty';

test('a child that is gone at the first look is told to be gone after it was told to have started', async () => {
  const told: string[] = [];
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('no such process'), { code: 'ESRCH' });
  });
  const pty = startPty({
    file: '/bin/sh',
    args: ['-c', 'true'],
    cwd: '/',
    env: {},
    columns: 80,
    onBytes: () => undefined,
    onGone: () => {
      told.push('gone');
      return Promise.resolve();
    },
  });
  told.push('started');
  kill.mockRestore();
  await pty.exit;
  expect(told).toEqual(['started', 'gone']);
});

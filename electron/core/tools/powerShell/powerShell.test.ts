import { expect, it } from 'vitest';
import type { OperationAnswers } from '#shared/api/executor';
import { captured, recordCall } from '../testing/recordingExecutor';
import { samplePlace } from '../testing/samplePlace';
import { createPowerShellTool } from './powerShell';

const tool = createPowerShellTool({ platform: 'win32' });
const ended: OperationAnswers['shell.run'] = {
  kind: 'exit',
  exitCode: 0,
  signal: null,
  timedOut: false,
  aborted: false,
  outputChars: 2,
  durationMs: 5,
  sandboxed: false,
  finalCwd: null,
};

it('asks about each command, whatever it says', () => {
  for (const command of ['Get-ChildItem', 'ls', 'cat x', 'echo hi'])
    expect([tool.checkPermissions({ command }, samplePlace).behavior, tool.isReadOnly({ command })]).toEqual([
      'ask',
      false,
    ]);
});

it('runs it by PowerShell, at most ten minutes', async () => {
  const recording = recordCall({ shell: { result: ended, capture: captured('ok') } });
  const output = await tool.call({ command: 'Get-Date', timeout: 9_999_999 }, recording.context);
  expect(recording.commands).toEqual([
    { command: 'Get-Date', cwd: '/srv/app', timeoutMs: 600_000, outputFile: null, shell: 'powershell' },
  ]);
  expect(tool.mapResult(output, { command: 'Get-Date' })).toEqual([{ type: 'text', text: 'ok' }]);
});

it.each([{ command: ' ' }, { command: 'a\0b' }, { command: 'x'.repeat(20_000) }, { command: 'x', shell: 'bash' }])(
  'refuses %o',
  (input) => {
    expect(tool.inputSchema().safeParse(input).success).toBe(false);
  },
);

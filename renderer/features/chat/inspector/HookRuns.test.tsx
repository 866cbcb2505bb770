// @vitest-environment jsdom
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { HookRun } from '#shared/session/hookRun';
import type { ToolCall } from '#shared/session/toolCall';
import { draw, preparePage } from '../testing/draw';
import { passed, sampleAsk, sampleBase, sampleHook, succeeded } from '../testing/samples';
import { HookRuns } from './HookRuns';
import { TraceTab } from './TraceTab';

preparePage({ fakeTime: false });

const runOf = (change: Partial<HookRun>) => {
  draw(<HookRuns runs={[sampleHook(change)]} />);
  return screen.getByRole('listitem');
};
const open = () => fireEvent.click(screen.getByRole('button', { name: 'What it was told and what it said' }));

describe('one run', () => {
  const cases: readonly [change: Partial<HookRun>, expected: string][] = [
    [{}, 'donePreToolUseexit 0 · 42 ms./check.sh --strictno opinioncommand of the project settings for Bash'],
    [
      { outcome: 'blocked', exitCode: 2, effect: 'blocked: not on a Friday', matcher: '' },
      'blockedPreToolUseexit 2 · 42 ms./check.sh --strictnot on a Fridaycommand of the project settings',
    ],
    [
      { outcome: 'error', exitCode: 3, effect: 'failed: exit code 3: no such file', matcher: '*' },
      'failedPreToolUseexit 3 · 42 ms./check.sh --strictexit code 3: no such filecommand of the project settings',
    ],
    [
      { outcome: 'timeout', exitCode: null, effect: 'failed: it took longer than 60 s', endedAt: 61_000 },
      'timed outPreToolUse1 m 0 s./check.sh --strictfailed: it took longer than 60 scommand of the project settings for Bash',
    ],
    [
      { outcome: 'cancelled', exitCode: null, effect: 'stopped before it had ended', handler: 'agent' },
      'stoppedPreToolUse42 ms./check.sh --strictstopped before it had endedagent of the project settings for Bash',
    ],
    [
      { event: 'PermissionRequest', handler: 'http', label: 'https://rules.example/ask', source: 'policySettings' },
      'donePermissionRequestexit 0 · 42 mshttps://rules.example/askno opinionweb address of the policy settings for Bash',
    ],
  ];
  test.each(cases)('%o', (change, expected) => {
    expect(runOf({ stdin: '', ...change }).textContent).toBe(expected);
  });

  test('in the background it says since when, and does not claim to run for ever', () => {
    const background = { outcome: 'background', endedAt: null, exitCode: null, stdin: '' } as const;
    const { rerender } = draw(
      <HookRuns
        runs={[sampleHook({ ...background, startedAt: Date.now() - 5_500, effect: 'runs in the background' })]}
      />,
    );
    expect(screen.getByRole('listitem').textContent).toContain('in the backgroundPreToolUsefor 5 s');
    expect(screen.getByRole('status').textContent).toBe('still running');
    rerender(<HookRuns runs={[sampleHook({ ...background, startedAt: 1_000 })]} />);
    expect(screen.getByRole('listitem').textContent).toContain('no end recorded');
    expect(screen.queryByRole('status')).toBeNull();
  });

  test('told and said come on demand: readable, inert, copied to the letter', () => {
    const written: string[] = [];
    vi.stubGlobal('navigator', {
      clipboard: {
        writeText: (text: string) => {
          written.push(text);
          return Promise.resolve();
        },
      },
    });
    const stdin = '{"tool_name":"Bash","tool_input":{"command":"ls"}}';
    const row = runOf({ stdin, stdout: 'fine\n', stderr: '\u001b[31m<img src=x onerror=alert(1)>\u202e' });
    expect(screen.queryByRole('region')).toBeNull();
    open();
    const texts = ['Told', 'Printed', 'Printed as errors'].map(
      (name) => within(row).getByRole('group', { name: `${name}, text` }).textContent,
    );
    expect(texts).toEqual([
      '{\n  "tool_name": "Bash",\n  "tool_input": {\n    "command": "ls"\n  }\n}',
      'fine\n',
      'U+001B escape[31m<img src=x onerror=alert(1)>U+202E right-to-left override',
    ]);
    expect(row.querySelector('img')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Copy: told' }));
    fireEvent.click(screen.getByRole('button', { name: 'Copy: printed' }));
    expect(written).toEqual([stdin, 'fine\n']);
  });

  test('JSON that was cut stands as it is, silence is said', () => {
    const row = runOf({ stdin: '{"tool_name":"Ba…' });
    open();
    expect(screen.getByRole('group', { name: 'Told, text' }).textContent).toBe('{"tool_name":"Ba…');
    expect(row.textContent).toContain('It printed nothing.');
  });
});

describe('the trace', () => {
  const rows = (call: ToolCall) => {
    draw(<TraceTab call={call} />);
    return [...(screen.getAllByRole('list')[0]?.children ?? [])].map((row) => row.textContent);
  };

  test('has each hook under its step', () => {
    const hooks = [
      sampleHook({ runId: 'a', stdin: '' }),
      sampleHook({ runId: 'b', stdin: '', event: 'PostToolUse', outcome: 'error', effect: 'failed: gone' }),
    ];
    const shown = rows(succeeded({ hooks }));
    expect(shown[3]).toContain('./check.sh --strict');
    expect(shown[4]).toBe('5Permission1 msok');
    expect(shown[6]).toContain('failedPostToolUseexit 0 · 42 ms./check.sh --strictgone');
    expect(document.body.textContent).toContain('2.1 s running2 hooks, 1 failed');
  });

  test('keeps a person’s time apart from the call’s', () => {
    const steps = [{ ...passed('permission'), endedAt: 3_050, waitedMs: 2_000 }];
    draw(<TraceTab call={succeeded({ steps })} />);
    expect(screen.getByText('running').textContent).toBe('100 ms running');
    expect(screen.getByText('waiting for you').textContent).toBe('2.0 s waiting for you');
  });

  test('counts the time of a person who is still asked', () => {
    draw(<TraceTab call={{ ...sampleBase, status: 'asking', ask: sampleAsk, askedAt: Date.now() - 12_400 }} />);
    const [times] = screen.getAllByText('waiting for you');
    expect(times?.textContent).toBe('12 s waiting for you');
  });
});

// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { emptyState } from '#shared/session/state';
import type { ToolCall } from '#shared/session/toolCall';
import { useSession } from '../../stores/session';
import { useUi } from '../../stores/ui';
import { Inspector } from './Inspector';
import { draw, preparePage } from './testing/draw';
import { passed, sampleAsk, sampleBase, succeeded } from './testing/samples';

preparePage({ fakeTime: false });
beforeEach(() => useUi.setState({ selectedCallId: null, inspectorTab: 'trace' }));

function open(calls: readonly ToolCall[], selectedCallId: string | null = null): void {
  useSession.setState({
    state: { ...emptyState(), calls: Object.fromEntries(calls.map((call) => [call.callId, call])) },
  });
  useUi.setState({ selectedCallId });
  draw(<Inspector />);
}

const go = (tab: string) => fireEvent.mouseDown(screen.getByRole('tab', { name: tab }), { button: 0 });
const panel = () => screen.getByRole('tabpanel').textContent ?? '';

describe('Inspector', () => {
  test('without a call every tab teaches what it is for', () => {
    open([]);
    for (const tab of ['Call', 'Diff', 'Trace', 'Why', 'Result']) {
      go(tab);
      expect(panel()).toContain('Choose a call');
    }
  });

  test('shows the waiting call when none was chosen', () => {
    open([succeeded(), { ...sampleBase, callId: 'w', number: 2, status: 'asking', ask: sampleAsk, askedAt: 1 }]);
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Bashcall 2 · waiting for you');
  });

  test('the trace has seven numbered steps, with a person’s time apart', () => {
    const steps = [
      passed('lookup'),
      { ...passed('permission'), endedAt: 6_250, waitedMs: 5_000, note: 'allowed once' },
    ];
    open([succeeded({ steps })], 'call-1');
    const rows = screen.getAllByRole('listitem').map((row) => row.textContent);
    expect(rows).toHaveLength(7);
    expect(rows[0]).toBe('1Lookup1 msok');
    expect(rows[4]).toBe('5Permission5.0 s for you + 250 msallowed once');
    expect(rows[6]).toBe('7Post-hooknot reached');
  });

  test('Why names rule, file and the verdict of each part', () => {
    open([{ ...sampleBase, status: 'asking', ask: sampleAsk, askedAt: 1 }], 'call-1');
    go('Why');
    expect(panel()).toContain('asksbecause ofBash(git push *)');
    expect(panel()).toContain('/p/.claude/settings.json:21');
    expect(panel()).toContain('2 parts, each with its own verdict');
    expect(panel()).toContain('by Bash(git commit:*) · user, line 9');
  });

  test('Call has the whole input, Result what the model received', () => {
    open([succeeded({ input: { command: 'npm test', unheard_of: [1] }, modelText: 'all good' })], 'call-1');
    go('Call');
    expect(panel()).toContain('"unheard_of"');
    go('Result');
    expect(panel()).toContain('What the model received, 8 characters');
    expect(panel()).toContain('all good');
  });

  test('a result kept as a file: path and size in Call, a word in Result', () => {
    const persisted = { file: '/data/tool-results/toolu_1.txt', bytes: 50_000_000, previewChars: 5_296 };
    open([succeeded({ persisted })], 'call-1');
    go('Call');
    expect(screen.getByRole('region', { name: 'Whole result' }).textContent).toBe(
      'The whole result, 50,000,000 bytes, kept as a file/data/tool-results/toolu_1.txt' +
        'The model got 5,296 characters of 50,000,000 bytes. It can read on in the file.',
    );
    go('Result');
    expect(panel()).toContain('The model got 5,296 characters of 50,000,000 bytes; the tab Call names the file.');
  });

  test('Call keeps a person’s time apart and names the agent that made it', () => {
    const steps = [{ ...passed('permission'), endedAt: 2_900, waitedMs: 1_850 }];
    open([succeeded({ steps, agentId: 'a1' })], 'call-1');
    go('Call');
    const rows = [...document.querySelectorAll('dl > div')].map((row) => row.textContent);
    expect(rows.filter((row) => /^(Ran|Waited|Made by)/.test(row ?? ''))).toEqual([
      'Ran250 ms',
      'Waited1.9 s for you',
      'Made bya1',
    ]);
  });

  test('Result shows the picture that the model received', () => {
    const view = { kind: 'image', mediaType: 'image/png', base64: 'AAAA', alt: 'chart.png' } as const;
    open([succeeded({ view, modelText: '[image image/png]' })], 'call-1');
    go('Result');
    expect(screen.getByAltText('chart.png').getAttribute('src')).toBe('data:image/png;base64,AAAA');
    expect(panel()).toBe('What the model received, a picturechart.png · image/png · 3 bytes');
  });

  test('Result before the end, Diff without a change and Why without a decision say so', () => {
    open([{ ...sampleBase, status: 'running', startedAt: 1 }], 'call-1');
    go('Result');
    expect(panel()).toContain('No result yet');
    go('Diff');
    expect(panel()).toContain('No change to a file');
    go('Why');
    expect(panel()).toContain('Nothing has been decided');
  });
});

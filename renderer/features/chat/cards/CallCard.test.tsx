// @vitest-environment jsdom
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ToolCall } from '#shared/session/toolCall';
import type { View } from '#shared/tools/presentation';
import { draw, preparePage } from '../testing/draw';
import { sampleAsk, sampleBase, sampleHook, succeeded } from '../testing/samples';
import type { OutputLink } from '../views/outputViewer';
import { CallCard } from './CallCard';
import { useOpenCards } from './openCards';

preparePage({ fakeTime: false });
beforeEach(() => useOpenCards.setState({ titles: {}, calls: {} }));

const link: OutputLink = { call: () => new Promise(() => undefined), on: () => () => undefined };

function card(call: ToolCall) {
  const onOpenTrace = vi.fn();
  const onStop = vi.fn();
  const element = (shown: ToolCall) => (
    <CallCard call={shown} sessionId="s1" selected={false} link={link} onOpenTrace={onOpenTrace} onStop={onStop} />
  );
  const view = draw(element(call));
  return { onOpenTrace, onStop, show: (next: ToolCall) => view.rerender(element(next)) };
}

const head = () => screen.getByRole('heading', { level: 3 }).querySelector('button') ?? document.body;
const body = () => screen.queryByRole('group', { name: 'Result' });
const isOpen = () => head().getAttribute('aria-expanded');

describe('the head', () => {
  test('says tool, summary and state in one name', () => {
    card(succeeded());
    expect(head().getAttribute('aria-label')).toBe('Bash, npm test, done');
  });

  test('carries seven segments that open the trace', () => {
    const { onOpenTrace } = card(succeeded());
    const track = screen.getByRole('button', { name: /^Open trace: 7 of 7 steps done/ });
    expect([...track.querySelectorAll('[data-step]')].map((segment) => segment.getAttribute('data-state'))).toEqual([
      'passed',
      'passed',
      'passed',
      'skipped',
      'passed',
      'passed',
      'skipped',
    ]);
    fireEvent.click(track);
    expect(onOpenTrace).toHaveBeenCalledWith('call-1');
  });

  test('marks the step of a hook that failed', () => {
    card(succeeded({ hooks: [sampleHook({ outcome: 'timeout' })] }));
    const track = screen.getByRole('button', { name: 'Open trace: 7 of 7 steps done, 1 hook failed' });
    const marked = [...track.querySelectorAll('[data-mark="hookFailed"]')].map(
      (mark) => mark.parentElement?.dataset.step,
    );
    expect(marked).toEqual(['preHook']);
  });

  test('leaves a person’s time out of the duration', () => {
    const steps = [
      { step: 'permission', startedAt: 1_000, endedAt: 3_050, waitedMs: 2_000, outcome: 'passed', note: '' },
    ];
    card(succeeded({ steps: steps as ToolCall['steps'] }));
    expect(screen.getByText('100 ms')).toBeTruthy();
  });

  test('shows characters that cannot be seen', () => {
    card(succeeded({ presentation: { ...sampleBase.presentation, summary: 'rm \u202ex' } }));
    expect(head().textContent).toContain('right-to-left override');
  });
});

describe('each kind of view', () => {
  const cases: readonly [view: View, expected: readonly string[]][] = [
    [
      {
        kind: 'terminal',
        command: 'npm test',
        output: '\u001b[31mFAIL\u001b[0m x\r\n',
        exitCode: 1,
        hiddenChars: 1234,
      },
      ['FAIL x', '1,234 characters between them are left out'],
    ],
    [
      {
        kind: 'diff',
        path: '/p/a.ts',
        created: true,
        hunks: [
          {
            oldStart: 7,
            newStart: 7,
            lines: [
              { sign: '-', text: 'old' },
              { sign: '+', text: 'new' },
            ],
          },
        ],
        added: 1,
        removed: 1,
        truncated: true,
      },
      ['New file, 1 line', '−', '+', 'old', 'new', '7', 'longer than this card'],
    ],
    [{ kind: 'text', text: 'alpha\nbeta\n', firstLine: 41 }, ['41alpha', '42beta']],
    [{ kind: 'markdown', text: 'some **bold** text' }, ['some bold text']],
    [{ kind: 'image', mediaType: 'image/svg+xml', base64: '', alt: 'x' }, ['not drawn here']],
    [{ kind: 'table', columns: ['Name', 'Size'], rows: [['a.ts', '12']] }, ['Name', 'a.ts', '12']],
    [{ kind: 'json', value: { name: 'harbor', list: [1, null] } }, ['name: "harbor"', '2 items', 'null']],
    [
      { kind: 'files', files: [{ path: 'src/a.ts', note: '3 matches' }], truncated: true },
      ['src/a.ts', '3 matches', 'more files'],
    ],
  ];
  test.each(cases)('$kind', (view, expected) => {
    useOpenCards.setState({ titles: { Bash: true } });
    card(succeeded({ view }));
    for (const text of expected) expect(body()?.textContent).toContain(text);
  });

  test('a picture is drawn from its data and can be enlarged', () => {
    card(succeeded({ view: { kind: 'image', mediaType: 'image/png', base64: 'AAAA', alt: 'chart.png' } }));
    expect(screen.getByAltText('chart.png').getAttribute('src')).toBe('data:image/png;base64,AAAA');
    fireEvent.click(screen.getByRole('button', { name: 'Enlarge chart.png' }));
    expect(screen.getByRole('dialog', { name: 'chart.png' })).toBeTruthy();
  });

  test('an enlarged picture has its kind, size and weight below it', () => {
    card(succeeded({ view: { kind: 'image', mediaType: 'image/png', base64: 'AAAAAA==', alt: 'chart.png' } }));
    const picture = screen.getByAltText('chart.png');
    Object.defineProperties(picture, { naturalWidth: { value: 1_280 }, naturalHeight: { value: 720 } });
    fireEvent.load(picture);
    fireEvent.click(screen.getByRole('button', { name: 'Enlarge chart.png' }));
    const figure = within(screen.getByRole('dialog')).getByRole('figure');
    expect(figure.textContent).toBe('chart.png · image/png · 1,280 × 720 · 4 bytes');
  });

  test('what is no picture says so instead of a broken one', () => {
    card(succeeded({ view: { kind: 'image', mediaType: 'image/png', base64: 'AAAA', alt: 'chart.png' } }));
    fireEvent.error(screen.getByAltText('chart.png'));
    expect(body()?.textContent).toBe('chart.png: what came as image/png (3 bytes) is no picture that can be drawn.');
  });

  test('a command that printed a picture is named above it', () => {
    const command = `cat chart.png # ${'x'.repeat(80)}`;
    card(
      succeeded({
        presentation: { ...sampleBase.presentation, summary: command, view: { kind: 'terminal', command } },
        view: { kind: 'image', mediaType: 'image/png', base64: 'AAAA', alt: 'Image printed by cat' },
      }),
    );
    expect(screen.getByRole('article').querySelector('pre')?.textContent).toBe(`$ ${command}`);
    expect(screen.getByAltText('Image printed by cat')).toBeTruthy();
  });

  test('output is text, whatever it looks like', () => {
    card(succeeded({ view: { kind: 'terminal', command: 'x', output: '<img src=x onerror=alert(1)>' } }));
    expect(body()?.querySelector('img')).toBeNull();
    expect(body()?.textContent).toContain('<img src=x onerror=alert(1)>');
  });

  test('a long output shows head and tail, and the rest on demand', () => {
    const output = Array.from({ length: 1_000 }, (_, line) => `row ${line}`).join('\n');
    card(succeeded({ view: { kind: 'terminal', command: 'x', output } }));
    expect(body()?.textContent).not.toContain('row 500');
    expect(body()?.textContent).toContain('row 999');
    fireEvent.click(screen.getByRole('button', { name: 'Show 800 more lines' }));
    expect(body()?.textContent).toContain('row 500');
  });

  test('a command that the head cuts stands whole in the body', () => {
    const command = `echo ${'x'.repeat(300)}\necho done`;
    card(
      succeeded({
        presentation: { ...sampleBase.presentation, summary: 'echo xxx…' },
        view: { kind: 'terminal', command, output: 'ok' },
      }),
    );
    expect(screen.getByRole('article').querySelector('pre')?.textContent).toBe(`$ ${command}`);
  });
});

describe('the foot', () => {
  test('says who allowed it and what came of it', () => {
    card(succeeded());
    expect(screen.getByRole('article').textContent).toContain('allowedbyBash(npm test *)·project, line 14');
    expect(screen.getByRole('article').textContent).toContain('exit 0 · 9 characters');
  });

  test('a refusal is not told twice', () => {
    const detail = 'the hook “check.sh” (user settings): not on a Friday';
    card({
      ...succeeded(),
      status: 'denied',
      decision: { behavior: 'deny', reason: { type: 'hook', detail }, parts: [] },
      endedAt: 2,
      view: null,
      modelText: '',
      note: `denied by ${detail}`,
    });
    expect(screen.getByRole('article').textContent?.split('not on a Friday')).toHaveLength(2);
  });

  test('a result kept as a file names it, open or closed', () => {
    const written: string[] = [];
    vi.stubGlobal('navigator', {
      clipboard: {
        writeText: (text: string) => {
          written.push(text);
          return Promise.resolve();
        },
      },
    });
    const file = '/home/kim/.local/share/gatehouse/results/p/s/tool-results/toolu_1.txt';
    card(succeeded({ persisted: { file, bytes: 50_000_000, previewChars: 5_296 } }));
    const said = () => screen.getByRole('article').textContent;
    expect(said()).toContain(`The model got 5,296 characters of 50,000,000 bytes${file}Copy path`);
    fireEvent.click(screen.getByRole('button', { name: 'Copy path' }));
    expect(written).toEqual([file]);
    fireEvent.click(head());
    expect(isOpen()).toBe('false');
    expect(said()).toContain('5,296 characters of 50,000,000 bytes');
  });

  test('a denied call shows it closed, with the words', () => {
    card({
      ...succeeded(),
      status: 'denied',
      decision: { behavior: 'deny', reason: { type: 'user', answer: 'deny', words: 'not now' }, parts: [] },
      endedAt: 2,
      view: null,
      modelText: '',
      note: 'not run',
    });
    expect(isOpen()).toBe('false');
    expect(screen.getByRole('article').textContent).toContain('deniedbyyou: “not now”');
  });

  test('a running call can be stopped', () => {
    const { onStop } = card({ ...sampleBase, status: 'running', startedAt: Date.now() });
    fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
    expect(onStop).toHaveBeenCalledTimes(1);
    expect(screen.getByRole('article').textContent).toContain('no output yet');
  });
});

describe('open and closed', () => {
  const failed: ToolCall = {
    ...succeeded(),
    status: 'failed',
    failure: 'tool',
    endedAt: 2,
    view: null,
    modelText: '',
    note: '',
  };

  test('what was merely read is closed at first, a command is open', () => {
    card(succeeded());
    expect(isOpen()).toBe('true');
  });

  test('a choice holds for the next card of the same title', () => {
    const { show } = card(succeeded());
    fireEvent.click(head());
    expect(isOpen()).toBe('false');
    show(succeeded({ callId: 'call-2' }));
    expect(isOpen()).toBe('false');
  });

  test('errors are open all the same, until that very card is closed', () => {
    useOpenCards.setState({ titles: { Bash: false } });
    card(failed);
    expect(isOpen()).toBe('true');
    fireEvent.click(head());
    expect(isOpen()).toBe('false');
  });

  test('an asking card is closed: the ask shows it', () => {
    card({ ...sampleBase, status: 'asking', ask: sampleAsk, askedAt: Date.now() });
    expect(isOpen()).toBe('false');
    expect(within(screen.getByRole('article')).getByText('waiting for you')).toBeTruthy();
  });
});

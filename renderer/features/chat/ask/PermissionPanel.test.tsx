// @vitest-environment jsdom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { AskAnswer, PermissionAsk } from '#shared/session/ask';
import type { RulePreview } from '../../../stores/session';
import { draw, preparePage, stubLayout } from '../testing/draw';
import { sampleAsk } from '../testing/samples';
import type { AnswerOutcome } from './answering';
import { PermissionPanel } from './PermissionPanel';

preparePage({ fakeTime: true });

test('the classifier’s word stands below the reason, and nothing where it took no part', () => {
  const { show } = open({ ask: { classifier: 'not sure whether to deny it: It pushes.' } });
  expect(panel().textContent).toContain('The classifier:not sure whether to deny it: It pushes.');
  show({});
  expect(panel().textContent).not.toContain('The classifier');
});

const armDelayMs = 600;
const fine: RulePreview = {
  problems: [],
  wouldRun: true,
  stillBecause: '',
  file: '/home/kim/code/harbor/.claude/settings.local.json',
  addedLines: [{ line: 6, text: '      "Bash(git push origin tides)"' }],
};

/** An ask on the page below a text box; `answers` collects what was sent. */
function open(options: { ask?: Partial<PermissionAsk>; outcome?: AnswerOutcome; preview?: RulePreview } = {}) {
  const answers: AskAnswer[] = [];
  const preview = vi.fn(() => Promise.resolve(options.preview ?? fine));
  const element = (ask: PermissionAsk) => (
    <>
      <textarea aria-label="Message" />
      <PermissionPanel
        key={ask.askId}
        ask={ask}
        queue={{ position: 1, total: 1, onStep: () => undefined }}
        armDelayMs={armDelayMs}
        home="/home/kim"
        onPreview={preview}
        onAnswer={(answer) => {
          answers.push(answer);
          return Promise.resolve(options.outcome ?? 'answered');
        }}
      />
    </>
  );
  const view = draw(element({ ...sampleAsk, ...options.ask }));
  return { answers, preview, show: (ask: Partial<PermissionAsk>) => view.rerender(element({ ...sampleAsk, ...ask })) };
}

const panel = () => {
  const found = document.querySelector<HTMLElement>('[data-ask]');
  if (found === null) throw new Error('There is no ask.');
  return found;
};
const button = (name: string) => within(panel()).getByRole('button', { name });
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
/** Until a preview has come and the step is armed; two waits, because arming begins when the preview is drawn. */
const settle = async () => {
  await wait(200);
  await wait(armDelayMs);
};
/** A whole mouse click, as a browser reports it. */
const click = (target: HTMLElement) => {
  fireEvent.pointerDown(target);
  fireEvent.click(target, { detail: 1 });
};
const mod = { ctrlKey: true };

describe('the arm delay', () => {
  test('nothing answers before it, by mouse, key or chord', async () => {
    const { answers } = open();
    await wait(armDelayMs - 1);
    expect(button('Allow once').getAttribute('aria-disabled')).toBe('true');
    click(button('Allow once'));
    fireEvent.click(button('Allow once'), { detail: 0 });
    fireEvent.keyDown(panel(), { key: 'Enter', ...mod });
    fireEvent.keyDown(panel(), { key: 'Escape' });
    expect(answers).toEqual([]);
  });

  test('shows itself and then allows the click', async () => {
    const { answers } = open();
    expect(button('Allow once').querySelector('[data-arming]')).not.toBeNull();
    await wait(armDelayMs);
    expect(button('Allow once').querySelector('[data-arming]')).toBeNull();
    click(button('Allow once'));
    expect(answers).toEqual([{ kind: 'allowOnce' }]);
  });

  test('a press that began before arming does not count when it ends after', async () => {
    const { answers } = open();
    fireEvent.pointerDown(button('Allow once'));
    await wait(armDelayMs);
    fireEvent.click(button('Allow once'), { detail: 1 });
    expect(answers).toEqual([]);
  });

  test('starts anew when the window comes back to the front: the activating click approves nothing', async () => {
    const { answers } = open();
    await wait(armDelayMs);
    act(() => void window.dispatchEvent(new Event('blur')));
    await wait(10_000);
    act(() => void window.dispatchEvent(new Event('focus')));
    click(button('Allow once'));
    expect(answers).toEqual([]);
    await wait(armDelayMs);
    click(button('Allow once'));
    expect(answers).toEqual([{ kind: 'allowOnce' }]);
  });

  test('starts anew when the content changes, within one ask and from one ask to the next', async () => {
    const { answers, show } = open();
    await wait(armDelayMs);
    show({ warning: 'Removes everything.' });
    click(button('Allow once'));
    await wait(armDelayMs);
    show({ askId: 'ask-2' });
    click(button('Allow once'));
    fireEvent.keyDown(panel(), { key: 'Enter', ...mod });
    expect(answers).toEqual([]);
  });
});

describe('keys', () => {
  test('typing at 15 keys a second into the message box approves nothing and keeps the focus', async () => {
    const { answers } = open();
    const box = screen.getByLabelText('Message');
    box.focus();
    for (const key of [...'yes 1 allow', 'Enter', ' ', 'Enter', 'y', 'a', 'Escape']) {
      fireEvent.keyDown(box, { key });
      fireEvent.keyUp(box, { key });
      await wait(66);
    }
    fireEvent.keyDown(box, { key: 'Enter', ...mod });
    expect(answers).toEqual([]);
    expect(document.activeElement).toBe(box);
  });

  const chords: readonly [name: string, key: object, expected: AskAnswer[]][] = [
    ['Mod+Enter allows once', { key: 'Enter', ...mod }, [{ kind: 'allowOnce' }]],
    ['Cmd+Enter allows once', { key: 'Enter', metaKey: true }, [{ kind: 'allowOnce' }]],
    ['Mod+Backspace denies', { key: 'Backspace', ...mod }, [{ kind: 'deny' }]],
    ['Esc denies', { key: 'Escape' }, [{ kind: 'deny' }]],
    ['plain Enter does nothing', { key: 'Enter' }, []],
    ['Space does nothing', { key: ' ' }, []],
    ['y does nothing', { key: 'y' }, []],
    ['a held Mod+Enter does nothing', { key: 'Enter', repeat: true, ...mod }, []],
    ['Mod+Enter while composing does nothing', { key: 'Enter', isComposing: true, ...mod }, []],
    ['Mod+Shift+Enter opens the second step and answers nothing', { key: 'Enter', shiftKey: true, ...mod }, []],
  ];
  test.each(chords)('inside the ask: %s', async (_name, key, expected) => {
    const { answers } = open();
    await wait(armDelayMs);
    panel().focus();
    fireEvent.keyDown(panel(), key);
    expect(answers).toEqual(expected);
  });

  test('a repeated Enter on a focused button is kept from clicking it', async () => {
    open();
    await wait(armDelayMs);
    const notPrevented = fireEvent.keyDown(button('Allow once'), { key: 'Enter', repeat: true });
    expect(notPrevented).toBe(false);
  });

  test('an answer on its way is not sent twice; a failed one can be repeated', async () => {
    const { answers } = open({ outcome: 'failed' });
    await wait(armDelayMs);
    fireEvent.keyDown(panel(), { key: 'Enter', ...mod });
    fireEvent.keyDown(panel(), { key: 'Enter', ...mod });
    expect(answers).toHaveLength(1);
    await wait(0);
    fireEvent.keyDown(panel(), { key: 'Enter', ...mod });
    expect(answers).toHaveLength(2);
  });
});

describe('what is shown', () => {
  test('approval waits until the end was on screen; denial does not', async () => {
    stubLayout({ scrollHeight: 1_800, clientHeight: 180 });
    const { answers } = open();
    await wait(armDelayMs);
    expect(panel().textContent).toContain('10 of 100 lines shown');
    click(button('Allow once'));
    click(button('Always allow…'));
    fireEvent.keyDown(panel(), { key: 'Enter', ...mod });
    expect(answers).toEqual([]);
    expect(within(panel()).queryByText('Save and run')).toBeNull();
    const box = within(panel()).getByRole('group', { name: 'What is asked for' });
    box.scrollTop = 1_620;
    fireEvent.scroll(box);
    expect(panel().textContent).toContain('100 of 100 lines shown');
    click(button('Allow once'));
    expect(answers).toEqual([{ kind: 'allowOnce' }]);
  });

  test('a long ask can be denied unread', async () => {
    stubLayout({ scrollHeight: 1_800, clientHeight: 180 });
    const { answers } = open();
    await wait(armDelayMs);
    fireEvent.keyDown(panel(), { key: 'Backspace', ...mod });
    expect(answers).toEqual([{ kind: 'deny' }]);
  });

  test('invisible characters are named, with a warning', () => {
    open({ ask: { view: { kind: 'terminal', command: 'ls \u200b-l' }, input: { command: 'ls \u200b-l' } } });
    expect(panel().textContent).toContain('zero-width space');
    expect(panel().textContent).toContain('cannot be seen');
  });

  test('invisible characters in a change are named too', () => {
    open({
      ask: {
        input: { new_string: 'a\u202eb' },
        view: {
          kind: 'diff',
          path: '/p/a.ts',
          created: false,
          hunks: [{ oldStart: 1, newStart: 1, lines: [{ sign: '+', text: 'a\u202eb' }] }],
          added: 1,
          removed: 0,
          truncated: false,
        },
      },
    });
    expect(within(panel()).getByRole('table').textContent).toContain('right-to-left override');
    expect(panel().textContent).toContain('cannot be seen');
  });

  test('where it runs, who asks, its parts with their verdicts, and where a path really leads', () => {
    open({
      ask: {
        agent: 'tester',
        paths: [
          { given: '/home/kim/a', real: '/srv/a', access: 'write' },
          { given: '/home/kim/b', real: '/home/kim/b', access: 'read' },
        ],
        hosts: ['example.com'],
      },
    });
    const text = panel().textContent ?? '';
    expect(text).toContain('asked by tester · in ~/code/harbor · sandbox on, network off · Default mode');
    const parts = within(within(panel()).getByRole('list', { name: 'Parts of this call' })).getAllByRole('listitem');
    expect(parts.map((part) => part.textContent)).toEqual([
      'allowgit commit -am "Fix tide offset"Bash(git commit:*) · user, line 9',
      'askgit push origin tidesBash(git push *) · project, line 21',
    ]);
    expect(within(panel()).getByRole('list', { name: 'Real paths' }).textContent).toBe(
      'writes /home/kim/a which is really /srv/a',
    );
    expect(text).toContain('Contacts example.com');
  });

  test('the order of the buttons is fixed', () => {
    open();
    const names = within(panel())
      .getAllByRole('button')
      .map((found) => found.textContent?.replace(/Ctrl.*/, ''));
    expect(names).toEqual(['Deny', 'Allow once', 'Always allow…']);
  });

  test('an alert dialog only while it has the focus', () => {
    open();
    expect(panel().getAttribute('role')).toBe('group');
    act(() => panel().focus());
    expect(panel().getAttribute('role')).toBe('alertdialog');
    expect(panel().getAttribute('aria-label')).toBe('Permission required: Bash');
  });
});

describe('deny', () => {
  test('takes words along', async () => {
    const { answers } = open();
    await wait(armDelayMs);
    click(button('Deny'));
    const field = within(panel()).getByLabelText('Words for the model');
    expect(document.activeElement).toBe(field);
    fireEvent.change(field, { target: { value: ' push to a branch ' } });
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(answers).toEqual([]);
    await wait(armDelayMs);
    fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
    fireEvent.keyDown(field, { key: 'Backspace', ...mod });
    expect(answers).toEqual([]);
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(answers).toEqual([{ kind: 'deny', words: 'push to a branch' }]);
  });

  test('Esc goes back and denies nothing', async () => {
    const { answers } = open();
    await wait(armDelayMs);
    click(button('Deny'));
    fireEvent.keyDown(within(panel()).getByLabelText('Words for the model'), { key: 'Escape' });
    expect(answers).toEqual([]);
    expect(button('Allow once')).toBeTruthy();
  });
});

describe('always allow', () => {
  const openStep = async (options: Parameters<typeof open>[0] = {}) => {
    const opened = open(options);
    await wait(armDelayMs);
    click(button('Always allow…'));
    return opened;
  };

  test('saves what was previewed, where it was chosen', async () => {
    const { answers, preview } = await openStep();
    fireEvent.click(within(panel()).getByRole('radio', { name: /Bash\(git push origin \*\)/ }));
    fireEvent.click(within(panel()).getByRole('radio', { name: 'Project, shared' }));
    await wait(200);
    expect(preview).toHaveBeenLastCalledWith({
      askId: 'ask-1',
      rules: ['Bash(git push origin *)'],
      source: 'projectSettings',
    });
    await wait(armDelayMs);
    click(button('Save and run'));
    expect(answers).toEqual([{ kind: 'allowAlways', rules: ['Bash(git push origin *)'], source: 'projectSettings' }]);
  });

  test('a rule for this session can end by itself; rules in files cannot', async () => {
    const { answers } = await openStep();
    expect(within(panel()).queryByRole('radiogroup', { name: 'How long it counts' })).toBeNull();
    fireEvent.click(within(panel()).getByRole('radio', { name: 'This session' }));
    const group = within(panel()).getByRole('radiogroup', { name: 'How long it counts' });
    expect(
      within(group)
        .getAllByRole('radio')
        .map((radio) => [radio.textContent, radio.getAttribute('aria-checked')]),
    ).toEqual([
      ['Until the session ends', 'true'],
      ['For 1 hour', 'false'],
      ['For 15 minutes', 'false'],
      ['Until this task ends', 'false'],
    ]);
    fireEvent.click(within(group).getByRole('radio', { name: 'For 15 minutes' }));
    await wait(200);
    await wait(armDelayMs);
    click(button('Save and run'));
    expect(answers).toEqual([
      { kind: 'allowAlways', rules: ['Bash(git push origin tides)'], source: 'session', lifetime: 'quarterHour' },
    ]);
  });

  test('starts with the narrowest rule for this folder alone, and shows the line it adds', async () => {
    await openStep();
    await wait(200);
    expect(within(panel()).getByLabelText('Rule, as it will be saved')).toHaveProperty(
      'value',
      'Bash(git push origin tides)',
    );
    expect(panel().textContent).toContain('"Bash(git push origin tides)"');
    expect(panel().textContent).toContain('settings.local.json:6');
  });

  test('an edited rule is previewed again before it can be saved', async () => {
    const { answers, preview } = await openStep();
    await settle();
    fireEvent.change(within(panel()).getByLabelText('Rule, as it will be saved'), {
      target: { value: 'Bash(git push origin x)' },
    });
    click(button('Save and run'));
    expect(answers).toEqual([]);
    await settle();
    expect(preview).toHaveBeenLastCalledWith({
      askId: 'ask-1',
      rules: ['Bash(git push origin x)'],
      source: 'localSettings',
    });
    click(button('Save and run'));
    expect(answers).toHaveLength(1);
  });

  test('a rule that would not let the call run is not saved, and the reason is shown', async () => {
    const { answers } = await openStep({
      preview: { ...fine, wouldRun: false, stillBecause: 'project settings, line 21, is an ask rule' },
    });
    await settle();
    expect(panel().textContent).toContain('Would still ask: project settings, line 21, is an ask rule');
    click(button('Save and run'));
    expect(answers).toEqual([]);
  });

  test('neither Mod+Enter nor an early click saves', async () => {
    const { answers } = await openStep();
    click(button('Save and run'));
    await settle();
    fireEvent.keyDown(panel(), { key: 'Enter', ...mod });
    expect(answers).toEqual([]);
  });

  test('where nothing may be saved the reason stands beside the button', async () => {
    open({ ask: { suggestions: [], noSuggestions: 'A removal is never saved as a rule.' } });
    await wait(armDelayMs);
    click(button('Always allow…'));
    expect(within(panel()).queryByText('Save and run')).toBeNull();
    expect(panel().textContent).toContain('A removal is never saved as a rule.');
  });
});

describe('a plan', () => {
  const plan: Partial<PermissionAsk> = {
    title: 'Plan ready: shall the work begin?',
    toolName: 'ExitPlanMode',
    input: { plan: '# Tides\n\n1. Read the table' },
    view: { kind: 'markdown', text: '# Tides\n\n1. Read the table' },
    parts: [],
    suggestions: [],
    modes: ['default', 'acceptEdits'],
  };
  const labels = () =>
    within(panel())
      .getAllByRole('button')
      .map((found) => found.textContent?.replace(/Ctrl.*/, ''));

  test('is drawn once, as Markdown, with a button for each mode to go on in', () => {
    open({ ask: plan });
    expect(within(panel()).getByRole('heading', { name: 'Tides' })).toBeTruthy();
    expect(panel().textContent?.split('Read the table')).toHaveLength(2);
    expect(labels()).toEqual(['Keep planning', 'Approve, ask before changes', 'Approve, accept edits']);
  });

  test.each<[string, () => void, AskAnswer]>([
    [
      'the key approves with the first mode',
      () => void fireEvent.keyDown(panel(), { key: 'Enter', ...mod }),
      { kind: 'allowOnce', mode: 'default' },
    ],
    [
      'a button approves with its own',
      () => click(button('Approve, accept edits')),
      { kind: 'allowOnce', mode: 'acceptEdits' },
    ],
    ['the key denies', () => void fireEvent.keyDown(panel(), { key: 'Escape' }), { kind: 'deny' }],
  ])('%s', async (_name, press, expected) => {
    const { answers } = open({ ask: plan });
    await wait(armDelayMs);
    press();
    expect(answers).toEqual([expected]);
  });

  test('to keep planning takes words along', async () => {
    const { answers } = open({ ask: plan });
    await wait(armDelayMs);
    click(within(panel()).getByRole('button', { name: /Keep planning/ }));
    fireEvent.change(within(panel()).getByLabelText('Words for the model'), { target: { value: 'first the tests' } });
    await wait(armDelayMs);
    click(within(panel()).getByRole('button', { name: /Keep planning/ }));
    expect(answers).toEqual([{ kind: 'deny', words: 'first the tests' }]);
  });

  test('where no mode may be chosen it can still be approved', () => {
    open({ ask: { ...plan, modes: [] } });
    expect(labels()).toEqual(['Keep planning', 'Allow once']);
  });
});

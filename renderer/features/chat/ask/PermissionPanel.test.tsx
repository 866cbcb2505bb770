// @vitest-environment jsdom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { AskAnswer, PermissionAsk } from '#shared/session/ask';
import { preparePage, stubLayout } from '../testing/draw';
import { armDelayMs, button, click, openAsk, panel, wait } from './testing/openAsk';

preparePage({ fakeTime: true });

test('the classifier’s word stands below the reason, and nothing where it took no part', () => {
  const { show } = openAsk({ ask: { classifier: 'not sure whether to deny it: It pushes.' } });
  expect(panel().textContent).toContain('The classifier:not sure whether to deny it: It pushes.');
  show({});
  expect(panel().textContent).not.toContain('The classifier');
});

const mod = { ctrlKey: true };

describe('the arm delay', () => {
  test('nothing answers before it, by mouse, key or chord', async () => {
    const { answers } = openAsk();
    await wait(armDelayMs - 1);
    expect(button('Allow once').getAttribute('aria-disabled')).toBe('true');
    click(button('Allow once'));
    fireEvent.click(button('Allow once'), { detail: 0 });
    fireEvent.keyDown(panel(), { key: 'Enter', ...mod });
    fireEvent.keyDown(panel(), { key: 'Escape' });
    expect(answers).toEqual([]);
  });

  test('shows itself and then allows the click', async () => {
    const { answers } = openAsk();
    expect(button('Allow once').querySelector('[data-arming]')).not.toBeNull();
    await wait(armDelayMs);
    expect(button('Allow once').querySelector('[data-arming]')).toBeNull();
    click(button('Allow once'));
    expect(answers).toEqual([{ kind: 'allowOnce' }]);
  });

  test('a press that began before arming does not count when it ends after', async () => {
    const { answers } = openAsk();
    fireEvent.pointerDown(button('Allow once'));
    await wait(armDelayMs);
    fireEvent.click(button('Allow once'), { detail: 1 });
    expect(answers).toEqual([]);
  });

  test('starts anew when the window comes back to the front: the activating click approves nothing', async () => {
    const { answers } = openAsk();
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
    const { answers, show } = openAsk();
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
    const { answers } = openAsk();
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
    const { answers } = openAsk();
    await wait(armDelayMs);
    panel().focus();
    fireEvent.keyDown(panel(), key);
    expect(answers).toEqual(expected);
  });

  test('a repeated Enter on a focused button is kept from clicking it', async () => {
    openAsk();
    await wait(armDelayMs);
    const notPrevented = fireEvent.keyDown(button('Allow once'), { key: 'Enter', repeat: true });
    expect(notPrevented).toBe(false);
  });

  test('an answer on its way is not sent twice; a failed one can be repeated', async () => {
    const { answers } = openAsk({ outcome: 'failed' });
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
    const { answers } = openAsk();
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
    const { answers } = openAsk();
    await wait(armDelayMs);
    fireEvent.keyDown(panel(), { key: 'Backspace', ...mod });
    expect(answers).toEqual([{ kind: 'deny' }]);
  });

  test('invisible characters are named, with a warning', () => {
    openAsk({ ask: { view: { kind: 'terminal', command: 'ls \u200b-l' }, input: { command: 'ls \u200b-l' } } });
    expect(panel().textContent).toContain('zero-width space');
    expect(panel().textContent).toContain('cannot be seen');
  });

  test('invisible characters in a change are named too', () => {
    openAsk({
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
    openAsk({
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

  test.each([
    ['wanted', 'The model wants to run this outside of the sandbox.'],
    ['excluded', 'This runs outside of the sandbox.'],
  ] as const)('says first of all that a call would run outside of the sandbox: %s', (outside, words) => {
    openAsk({
      ask: {
        sandbox: { active: false, kind: 'none', network: true, outside, reason: 'the pattern docker:* fits' },
        warning: 'It deletes something.',
      },
    });
    const text = panel().textContent ?? '';
    expect(text).toContain('outside of the sandbox · in ~/code/harbor · Default mode');
    expect(text).not.toContain('no sandbox');
    const why = outside === 'excluded' ? ' The pattern docker:* fits.' : '';
    expect(text).toContain(
      `${words} Nothing confines it there: it can read and change all that you can, and reach the network.${why}`,
    );
    expect(text.indexOf(words)).toBeLessThan(text.indexOf('It deletes something.'));
    const description = panel().getAttribute('aria-describedby') ?? '';
    expect(document.getElementById(description)?.textContent).toMatch(/^Outside of the sandbox: git commit/);
  });

  test('what asks because of the way out of the sandbox says so once', () => {
    const detail = 'The model wants to run this outside of the sandbox: with your rights.';
    openAsk({
      ask: {
        sandbox: { active: false, kind: 'none', network: true, outside: 'wanted', reason: detail },
        reason: { type: 'safety', check: 'outsideSandbox', detail },
      },
    });
    expect(panel().textContent?.split('The model wants to run this outside of the sandbox').length).toBe(2);
  });

  test('the order of the buttons is fixed', () => {
    openAsk();
    const names = within(panel())
      .getAllByRole('button')
      .map((found) => found.textContent?.replace(/Ctrl.*/, ''));
    expect(names).toEqual(['Deny', 'Allow once', 'Always allow…']);
  });

  test('an alert dialog only while it has the focus', () => {
    openAsk();
    expect(panel().getAttribute('role')).toBe('group');
    act(() => panel().focus());
    expect(panel().getAttribute('role')).toBe('alertdialog');
    expect(panel().getAttribute('aria-label')).toBe('Permission required: Bash');
  });
});

describe('deny', () => {
  test('takes words along', async () => {
    const { answers } = openAsk();
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
    const { answers } = openAsk();
    await wait(armDelayMs);
    click(button('Deny'));
    fireEvent.keyDown(within(panel()).getByLabelText('Words for the model'), { key: 'Escape' });
    expect(answers).toEqual([]);
    expect(button('Allow once')).toBeTruthy();
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
    openAsk({ ask: plan });
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
    const { answers } = openAsk({ ask: plan });
    await wait(armDelayMs);
    press();
    expect(answers).toEqual([expected]);
  });

  test('to keep planning takes words along', async () => {
    const { answers } = openAsk({ ask: plan });
    await wait(armDelayMs);
    click(within(panel()).getByRole('button', { name: /Keep planning/ }));
    fireEvent.change(within(panel()).getByLabelText('Words for the model'), { target: { value: 'first the tests' } });
    await wait(armDelayMs);
    click(within(panel()).getByRole('button', { name: /Keep planning/ }));
    expect(answers).toEqual([{ kind: 'deny', words: 'first the tests' }]);
  });

  test('where no mode may be chosen it can still be approved', () => {
    openAsk({ ask: { ...plan, modes: [] } });
    expect(labels()).toEqual(['Keep planning', 'Allow once']);
  });
});

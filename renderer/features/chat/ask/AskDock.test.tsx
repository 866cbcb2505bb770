// @vitest-environment jsdom
import { act, fireEvent, screen } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { AskAnswer } from '#shared/session/ask';
import type { NetworkAnswer } from '#shared/session/networkAsk';
import { draw, preparePage } from '../testing/draw';
import { sampleAsk, sampleNetworkAsk } from '../testing/samples';
import { AskDock } from './AskDock';
import type { WaitingAsk } from './waitingAsks';

preparePage({ fakeTime: true });

const armDelayMs = 600;
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const asking = (askId: string, askedAt: number): WaitingAsk => ({
  about: 'call',
  askId,
  ask: { ...sampleAsk, askId, title: `Ask ${askId}` },
  askedAt,
});
const reaching = (askId: string, askedAt: number): WaitingAsk => ({
  about: 'host',
  askId,
  ask: { ...sampleNetworkAsk, askId, host: `${askId}.example` },
  askedAt,
});
const question: WaitingAsk = {
  about: 'call',
  askId: 'q',
  askedAt: 1,
  ask: {
    kind: 'question',
    askId: 'q',
    questions: [
      {
        question: 'Which colour?',
        header: 'Colour',
        multiSelect: false,
        options: [
          { label: 'Blue', description: 'calm', preview: 'blue = 1' },
          { label: 'Pink', description: 'loud' },
        ],
      },
    ],
  },
};

function open(waiting: readonly WaitingAsk[]) {
  const answers: [string, AskAnswer | NetworkAnswer][] = [];
  const onEmpty = vi.fn();
  const element = (calls: readonly WaitingAsk[]) => (
    <>
      <textarea aria-label="Message" />
      <AskDock
        waiting={calls}
        armDelayMs={armDelayMs}
        home="/home/kim"
        onAnswer={(askId, answer) => {
          answers.push([askId, answer]);
          return Promise.resolve('answered');
        }}
        onAnswerHost={(askId, answer) => {
          answers.push([askId, answer]);
          return Promise.resolve('answered');
        }}
        onPreview={() => Promise.reject(new Error('not asked for'))}
        onEmpty={onEmpty}
      />
    </>
  );
  const view = draw(element(waiting));
  return { answers, onEmpty, show: (calls: readonly WaitingAsk[]) => view.rerender(element(calls)) };
}

const panel = () => document.querySelector<HTMLElement>('[data-ask]');
const title = () => panel()?.querySelector('h2')?.textContent;
const jump = { key: 'A', code: 'KeyA', ctrlKey: true, shiftKey: true };

describe('the queue', () => {
  test('shows the oldest, with its place, and steps through the others', () => {
    open([asking('a', 1), asking('b', 2)]);
    expect(title()).toBe('Ask a');
    expect(panel()?.textContent).toContain('1 of 2');
    fireEvent.click(screen.getByRole('button', { name: 'Next ask' }));
    expect(title()).toBe('Ask b');
    expect(panel()?.textContent).toContain('2 of 2');
  });

  test('answers go to the ask that was shown, by its id', async () => {
    const { answers } = open([asking('a', 1), asking('b', 2)]);
    fireEvent.click(screen.getByRole('button', { name: 'Next ask' }));
    await wait(armDelayMs);
    fireEvent.keyDown(panel() ?? document.body, { key: 'Enter', ctrlKey: true });
    expect(answers).toEqual([['b', { kind: 'allowOnce' }]]);
  });

  test('one answer never reaches the next ask', async () => {
    const { answers, show } = open([asking('a', 1), asking('b', 2)]);
    await wait(armDelayMs);
    act(() => panel()?.focus());
    fireEvent.keyDown(panel() ?? document.body, { key: 'Enter', ctrlKey: true });
    show([asking('b', 2)]);
    expect(title()).toBe('Ask b');
    fireEvent.keyDown(panel() ?? document.body, { key: 'Enter', ctrlKey: true });
    await wait(armDelayMs - 1);
    fireEvent.keyDown(panel() ?? document.body, { key: 'Enter', ctrlKey: true });
    expect(answers.map(([askId]) => askId)).toEqual(['a']);
  });

  test('has hosts among calls, and an answer to the one never reaches the other', async () => {
    const { answers, show } = open([asking('a', 1), reaching('b', 2), asking('c', 3)]);
    await wait(armDelayMs);
    act(() => panel()?.focus());
    fireEvent.keyDown(panel() ?? document.body, { key: 'Enter', ctrlKey: true });
    show([reaching('b', 2), asking('c', 3)]);
    expect(title()).toBe('A command wants to reach b.example');
    expect(document.activeElement).toBe(panel());
    fireEvent.keyDown(panel() ?? document.body, { key: 'Enter', ctrlKey: true });
    await wait(armDelayMs);
    fireEvent.keyDown(panel() ?? document.body, { key: 'Escape' });
    show([asking('c', 3)]);
    expect(title()).toBe('Ask c');
    expect(answers).toEqual([
      ['a', { kind: 'allowOnce' }],
      ['b', { kind: 'deny' }],
    ]);
  });

  test('an ask that comes later does not push the shown one away', () => {
    const { show } = open([asking('a', 1)]);
    show([asking('a', 1), asking('b', 2)]);
    expect(title()).toBe('Ask a');
  });
});

describe('the focus', () => {
  test('is not taken when an ask appears, but its coming is announced at once', () => {
    const { show } = open([]);
    const box = screen.getByLabelText('Message');
    box.focus();
    show([asking('a', 1)]);
    expect(document.activeElement).toBe(box);
    expect(screen.getByRole('alert').textContent).toContain('Permission required: Ask a.');
  });

  test('Mod+Shift+A brings it to the oldest ask', () => {
    open([asking('a', 1), asking('b', 2)]);
    fireEvent.click(screen.getByRole('button', { name: 'Next ask' }));
    const box = screen.getByLabelText('Message');
    box.focus();
    fireEvent.keyDown(box, jump);
    expect(title()).toBe('Ask a');
    expect(document.activeElement).toBe(panel());
  });

  test('follows from an answered ask to the next, then to the message box', async () => {
    const { show, onEmpty } = open([asking('a', 1), asking('b', 2)]);
    await wait(armDelayMs);
    act(() => panel()?.focus());
    fireEvent.keyDown(panel() ?? document.body, { key: 'Escape' });
    show([asking('b', 2)]);
    expect(document.activeElement).toBe(panel());
    await wait(armDelayMs);
    fireEvent.keyDown(panel() ?? document.body, { key: 'Escape' });
    show([]);
    expect(onEmpty).toHaveBeenCalledTimes(1);
  });

  test('stays in the message box when somebody else answers', () => {
    const { show, onEmpty } = open([asking('a', 1)]);
    screen.getByLabelText('Message').focus();
    show([]);
    expect(panel()).toBeNull();
    expect(onEmpty).not.toHaveBeenCalled();
  });
});

describe('questions', () => {
  test('are answered with the chosen option', async () => {
    const { answers } = open([question]);
    await wait(armDelayMs);
    fireEvent.click(screen.getByLabelText(/Blue/));
    expect(panel()?.textContent).toContain('blue = 1');
    fireEvent.keyDown(panel() ?? document.body, { key: 'Enter', ctrlKey: true });
    expect(answers).toEqual([['q', { kind: 'answers', answers: { 'Which colour?': ['Blue'] } }]]);
  });

  test('are answered in own words, where Enter alone sends nothing', async () => {
    const { answers } = open([question]);
    await wait(armDelayMs);
    const own = screen.getByLabelText('In your own words: Which colour?');
    fireEvent.change(own, { target: { value: 'green' } });
    fireEvent.keyDown(own, { key: 'Enter' });
    expect(answers).toEqual([]);
    fireEvent.keyDown(own, { key: 'Enter', ctrlKey: true });
    expect(answers).toEqual([['q', { kind: 'answers', answers: { 'Which colour?': ['green'] } }]]);
  });

  test('cannot be sent unanswered, and can be declined', async () => {
    const { answers } = open([question]);
    await wait(armDelayMs);
    fireEvent.keyDown(panel() ?? document.body, { key: 'Enter', ctrlKey: true });
    expect(answers).toEqual([]);
    fireEvent.keyDown(panel() ?? document.body, { key: 'Escape' });
    expect(answers).toEqual([['q', { kind: 'deny' }]]);
  });
});

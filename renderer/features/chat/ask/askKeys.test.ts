import { describe, expect, test } from 'vitest';
import { type AskChord, type AskKey, askChord } from './askKeys';

const plain: AskKey = {
  key: 'Enter',
  code: 'Enter',
  keyCode: 13,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  repeat: false,
  isComposing: false,
};

describe('askChord', () => {
  const cases: readonly [name: string, key: Partial<AskKey>, expected: AskChord][] = [
    ['plain Enter does nothing', {}, null],
    ['Space does nothing', { key: ' ', code: 'Space', keyCode: 32 }, null],
    ['y does nothing', { key: 'y', code: 'KeyY', keyCode: 89 }, null],
    ['1 does nothing', { key: '1', code: 'Digit1', keyCode: 49 }, null],
    ['Shift+Enter does nothing', { shiftKey: true }, null],
    ['Ctrl+Enter', { ctrlKey: true }, 'allowOnce'],
    ['Cmd+Enter', { metaKey: true }, 'allowOnce'],
    ['Ctrl+Shift+Enter', { ctrlKey: true, shiftKey: true }, 'always'],
    ['Ctrl+Backspace', { key: 'Backspace', ctrlKey: true }, 'deny'],
    ['plain Backspace', { key: 'Backspace' }, null],
    ['Escape', { key: 'Escape' }, 'denyOnce'],
    ['Ctrl+Alt+Enter', { ctrlKey: true, altKey: true }, null],
    ['held chord', { ctrlKey: true, repeat: true }, null],
    ['chord while composing', { ctrlKey: true, isComposing: true }, null],
    ['chord taken by an input method', { ctrlKey: true, keyCode: 229 }, null],
    ['held Escape', { key: 'Escape', repeat: true }, null],
  ];
  test.each(cases)('%s', (_name, key, expected) => {
    expect(askChord({ ...plain, ...key })).toBe(expected);
  });
});

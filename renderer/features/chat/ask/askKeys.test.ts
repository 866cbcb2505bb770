import { describe, expect, test } from 'vitest';
import { type AskChord, type AskKey, askChord, isJumpToAsk } from './askKeys';

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

describe('isJumpToAsk', () => {
  const jump = { key: 'A', code: 'KeyA', keyCode: 65, ctrlKey: true, shiftKey: true };
  const cases: readonly [name: string, key: Partial<AskKey>, expected: boolean][] = [
    ['Ctrl+Shift+A', jump, true],
    ['the same place on a Cyrillic layout', { ...jump, key: 'Ф' }, true],
    ['without Shift', { ...jump, shiftKey: false }, false],
    ['held', { ...jump, repeat: true }, false],
  ];
  test.each(cases)('%s', (_name, key, expected) => {
    expect(isJumpToAsk({ ...plain, ...key })).toBe(expected);
  });
});

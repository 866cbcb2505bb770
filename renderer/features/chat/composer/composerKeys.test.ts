import { describe, expect, test } from 'vitest';
import { type ComposerAction, type ComposerKey, composerAction } from './composerKeys';

const plain: ComposerKey = {
  key: 'Enter',
  keyCode: 13,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  repeat: false,
  isComposing: false,
};
const enter = { sendWith: 'enter', empty: false, running: false } as const;
const modEnter = { sendWith: 'modEnter', empty: false, running: false } as const;

describe('composerAction', () => {
  const cases: readonly [
    name: string,
    key: Partial<ComposerKey>,
    situation: Parameters<typeof composerAction>[1],
    expected: ComposerAction,
  ][] = [
    ['Enter sends', {}, enter, 'send'],
    ['Shift+Enter breaks the line', { shiftKey: true }, enter, 'none'],
    ['Ctrl+Enter sends too', { ctrlKey: true }, enter, 'send'],
    ['Enter breaks the line when Mod+Enter sends', {}, modEnter, 'none'],
    ['Ctrl+Enter sends by preference', { ctrlKey: true }, modEnter, 'send'],
    ['Cmd+Enter sends by preference', { metaKey: true }, modEnter, 'send'],
    ['Alt+Enter is left alone', { altKey: true }, enter, 'none'],
    ['Enter that confirms a composition', { isComposing: true }, enter, 'none'],
    ['Enter that an input method took', { keyCode: 229 }, enter, 'none'],
    ['Ctrl+Enter while composing', { isComposing: true, ctrlKey: true }, modEnter, 'none'],
    ['a held Enter sends once only', { repeat: true }, enter, 'none'],
    ['Esc stops when empty and running', { key: 'Escape' }, { ...enter, empty: true, running: true }, 'stop'],
    ['Esc with text keeps the run', { key: 'Escape' }, { ...enter, empty: false, running: true }, 'none'],
    ['Esc when idle', { key: 'Escape' }, { ...enter, empty: true }, 'none'],
    [
      'Esc closes a composition',
      { key: 'Escape', isComposing: true },
      { ...enter, empty: true, running: true },
      'none',
    ],
    ['a letter', { key: 'a', keyCode: 65 }, enter, 'none'],
  ];
  test.each(cases)('%s', (_name, key, situation, expected) => {
    expect(composerAction({ ...plain, ...key }, situation)).toBe(expected);
  });
});

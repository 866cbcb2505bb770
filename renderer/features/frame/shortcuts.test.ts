import { expect, it } from 'vitest';
import { actionFor, type KeyPress } from './shortcuts';

const plain: KeyPress = {
  code: '',
  key: '',
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  isComposing: false,
  keyCode: 0,
  repeat: false,
};
const ctrl = { ...plain, ctrlKey: true };
const pc = { apple: false, typing: false };
const typing = { apple: false, typing: true };
const mac = { apple: true, typing: false };

it.each([
  ['Ctrl+N', { ...ctrl, code: 'KeyN', key: 'n' }, pc, 'newSession'],
  ['Ctrl+Shift+O', { ...ctrl, shiftKey: true, code: 'KeyO', key: 'O' }, pc, 'newSession'],
  ['Ctrl+B while typing', { ...ctrl, code: 'KeyB', key: 'b' }, typing, 'toggleSidebar'],
  ['Ctrl+B on a Russian layout', { ...ctrl, code: 'KeyB', key: 'и' }, pc, 'toggleSidebar'],
  ['Ctrl+B on a Mac belongs to the text field', { ...ctrl, code: 'KeyB', key: 'b' }, mac, null],
  ['Cmd+B on a Mac', { ...plain, metaKey: true, code: 'KeyB', key: 'b' }, mac, 'toggleSidebar'],
  ['Ctrl+Cmd+B', { ...ctrl, metaKey: true, code: 'KeyB', key: 'b' }, mac, null],
  ['Ctrl+Shift+B', { ...ctrl, shiftKey: true, code: 'KeyB', key: 'B' }, pc, null],
  ['AltGr, which comes as Ctrl+Alt', { ...ctrl, altKey: true, code: 'KeyB', key: '“' }, pc, null],
  ['held down', { ...ctrl, repeat: true, code: 'KeyB', key: 'b' }, pc, null],
  ['within an input method', { ...ctrl, isComposing: true, code: 'KeyB', key: 'b' }, pc, null],
  ['within an input method, old way', { ...ctrl, keyCode: 229, code: 'KeyB', key: 'b' }, pc, null],
  ['?', { ...plain, shiftKey: true, code: 'Slash', key: '?' }, pc, 'shortcutSheet'],
  ['? on a German layout', { ...plain, shiftKey: true, code: 'Minus', key: '?' }, pc, 'shortcutSheet'],
  ['? while typing', { ...plain, shiftKey: true, code: 'Slash', key: '?' }, typing, null],
  ['Ctrl+/ while typing', { ...ctrl, code: 'Slash', key: '/' }, typing, 'shortcutSheet'],
  ['F6', { ...plain, code: 'F6', key: 'F6' }, typing, 'nextPane'],
  ['Shift+F6', { ...plain, shiftKey: true, code: 'F6', key: 'F6' }, pc, 'previousPane'],
  ['a letter', { ...plain, code: 'KeyN', key: 'n' }, pc, null],
] as const)('%s', (_name, press, context, expected) => {
  expect(actionFor(press, context)).toBe(expected);
});

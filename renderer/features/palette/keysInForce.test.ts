import { expect, it } from 'vitest';
import type { KeyPress } from '../frame/shortcuts';
import { keysOf, whyNot } from '../frame/shortcuts';
import { actions } from './actions';
import { actionFor, conflictsOf, keysInForce } from './keysInForce';

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
  ['Ctrl+K', { ...ctrl, code: 'KeyK', key: 'k' }, typing, 'palette'],
  ['Ctrl+Shift+P', { ...ctrl, shiftKey: true, code: 'KeyP', key: 'P' }, pc, 'palette'],
  ['Ctrl+P', { ...ctrl, code: 'KeyP', key: 'p' }, pc, 'goToSession'],
  ['Ctrl+O', { ...ctrl, code: 'KeyO', key: 'o' }, pc, 'density'],
  ['Ctrl+O on a Mac', { ...ctrl, code: 'KeyO', key: 'o' }, mac, 'density'],
  ['F7 belongs to the diff', { ...plain, code: 'F7', key: 'F7' }, pc, null],
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
  expect(actionFor(press, { ...context, own: {} })?.id ?? null).toBe(expected);
});

it('goes by the keys that the person chose', () => {
  const own = { density: 'Mod+Shift+X', rules: '', hooks: 'K' };
  const of = (press: KeyPress) => actionFor(press, { ...pc, own })?.id ?? null;
  const press = (code: string, shiftKey: boolean) => ({ ...ctrl, code, key: code.slice(-1), shiftKey });
  expect([of(press('KeyO', false)), of(press('KeyX', true)), of(press('KeyL', true)), of(press('KeyH', true))]).toEqual(
    [
      null,
      'density',
      null,
      // A letter alone is no shortcut, so the usual keys stay.
      'hooks',
    ],
  );
});

it('gives no two actions the same keys by itself, and none that may not be', () => {
  expect(actions.flatMap((action) => conflictsOf(action.id, {}).map(({ keys }) => keys))).toEqual([]);
  expect(actions.flatMap((action) => action.keys.filter((keys) => whyNot(keys) !== ''))).toEqual([]);
  expect(new Set(actions.map(({ id }) => id)).size).toBe(actions.length);
});

it('names both sides of a conflict', () => {
  const own = { trace: 'Mod+Shift+L' };
  const named = (id: string) => conflictsOf(id, own).map((conflict) => [conflict.keys, conflict.with.id]);
  expect([named('trace'), named('rules')]).toEqual([[['Mod+Shift+L', 'rules']], [['Mod+Shift+L', 'trace']]]);
  const rules = actions.find(({ id }) => id === 'rules');
  expect(rules === undefined ? null : keysInForce(rules, {})).toEqual(['Mod+Shift+L']);
});

it.each([
  [{ ...ctrl, code: 'KeyL', key: 'д', shiftKey: true }, 'Mod+Shift+L'],
  [{ ...ctrl, code: 'Comma', key: ',' }, 'Mod+,'],
  [{ ...plain, altKey: true, code: 'ArrowUp', key: 'ArrowUp' }, 'Alt+↑'],
  [{ ...ctrl, code: 'ControlLeft', key: 'Control' }, null],
] as const)('reads pressed keys %#', (press, expected) => {
  expect(keysOf(press, pc)).toBe(expected);
});

it.each([
  ['Mod+Shift+L', true],
  ['F9', true],
  ['Alt+1', true],
  ['K', false],
  ['Shift+K', false],
  ['Mod+C', false],
  ['Tab', false],
  ['Mod+Ü', false],
])('may %s be a shortcut: %s', (keys, expected) => {
  expect(whyNot(keys) === '').toBe(expected);
});

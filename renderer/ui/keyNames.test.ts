import { expect, it } from 'vitest';
import { keyNames } from './keyNames';

it.each([
  ['Mod+Shift+O', 'Linux x86_64', ['Ctrl', 'Shift', 'O']],
  ['Mod+Shift+O', 'MacIntel', ['⌘', '⇧', 'O']],
  ['Mod+Enter', 'Win32', ['Ctrl', '↵']],
  ['F6', 'MacIntel', ['F6']],
])('%s on %s', (keys, platform, expected) => {
  expect(keyNames(keys, platform)).toEqual(expected);
});

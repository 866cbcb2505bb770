import { expect, test } from 'vitest';
import { Preferences } from '#shared/api/settings';
import { PreferenceStore } from './preferences';

const defaults = Preferences.parse({});

test.each([
  ['nothing stored', undefined, defaults],
  ['no object', 'text', defaults],
  ['one bad value falls back alone', { theme: 'pink', armDelayMs: 900 }, { ...defaults, armDelayMs: 900 }],
  [
    'unknown and inherited names are ignored',
    JSON.parse('{"__proto__":{"theme":"dark"},"x":1,"toString":2}'),
    defaults,
  ],
])('%s', (_name, stored, expected) => {
  const store = new PreferenceStore({ preference: () => stored, setPreference: () => undefined });
  expect(store.get()).toEqual(expected);
});

test('a change is stored whole and a bad one changes nothing', () => {
  const written: unknown[] = [];
  const store = new PreferenceStore({
    preference: () => undefined,
    setPreference: (_key, value) => written.push(value),
  });
  store.set({ theme: 'dark' });
  expect(written).toEqual([{ ...defaults, theme: 'dark' }]);
  expect(() => store.set({ armDelayMs: 1 })).toThrow();
  expect(store.get()).toEqual({ ...defaults, theme: 'dark' });
});

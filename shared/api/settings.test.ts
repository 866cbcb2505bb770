import { describe, expect, it } from 'vitest';
import { Preferences, settingsCalls } from './settings';

describe('preferences', () => {
  it('have defaults for all that is missing', () => {
    expect(Preferences.parse({ theme: 'dark' })).toEqual({
      theme: 'dark',
      baseUrl: '',
      model: '',
      armDelayMs: 600,
      sendWith: 'enter',
      density: 'normal',
      notify: { waiting: true, ended: true, failed: true },
      shortcuts: {},
      prices: {},
      toolDeferral: 'auto',
      toolSet: 'all',
      features: {},
      lspServers: {},
    });
  });

  it('change only where they are named', () => {
    expect(settingsCalls['settings.setPreferences'].params.parse({ armDelayMs: 900 })).toEqual({ armDelayMs: 900 });
  });
});

describe('language servers', () => {
  const gopls = { command: 'gopls', args: ['serve'] };
  it.each([
    [{ go: gopls }, true],
    [{ 'c++': gopls }, true],
    [{ go: 'gopls' }, false],
    [{ go: { command: '', args: [] } }, false],
    [{ go: { command: 'a\0b', args: [] } }, false],
    [{ '../x': gopls }, false],
    [{ go: { ...gopls, env: {} } }, false],
  ])('%o: %s', (lspServers, valid) => {
    expect(Preferences.safeParse({ lspServers }).success).toBe(valid);
  });
});

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
    });
  });

  it('change only where they are named', () => {
    expect(settingsCalls['settings.setPreferences'].params.parse({ armDelayMs: 900 })).toEqual({ armDelayMs: 900 });
  });
});

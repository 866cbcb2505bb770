// Which of Gatehouse's own preferences the model may see, and which it may wish to change.
import { Preferences } from '#shared/api/settings';

/** Preferences as the two tools use them. */
export interface OwnPreferences {
  get(): Preferences;
  /** Stores a change and tells all pages. */
  set(change: Partial<Preferences>): void;
}

/**
 * Those that only concern comfort. How long an ask arms, which tools there are, which programs start and where the key is
 * sent are for people alone.
 */
export const settableNames = ['theme', 'model', 'sendWith', 'toolDeferral'] as const;
export type SettableName = (typeof settableNames)[number];

/** Shown as well. Addresses and programs may hold secrets and are not. */
export const shownNames = [...settableNames, 'armDelayMs', 'toolSet', 'features'] as const;
export type ShownName = (typeof shownNames)[number];

/** What a preference means, and its values. */
export const settingMeanings: Readonly<Record<ShownName, string>> = {
  theme: 'colours of the page: system, light or dark',
  model: 'model id for new sessions; empty: the first one offered',
  sendWith: 'the key that sends a message: enter or modEnter',
  toolDeferral: 'when tools have to be searched for: auto, always or never',
  armDelayMs: 'milliseconds before an ask can be answered; set by people only',
  toolSet: 'which tools there are; set by people only',
  features: 'parts of the catalogue switched on or off; set by people only',
};

/** A value in words. */
export function settingText(value: Preferences[ShownName]): string {
  if (value === '') return '(empty)';
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value).map(([name, on]) => `${name} ${on ? 'on' : 'off'}`);
  return entries.length === 0 ? '(as usual)' : entries.join(', ');
}

/** The change as the preferences take it; null where the value is none of those that the setting can have. */
export function settingChange(name: SettableName, value: string): Partial<Preferences> | null {
  const tried = Preferences.shape[name].safeParse(value);
  return tried.success ? { [name]: tried.data } : null;
}

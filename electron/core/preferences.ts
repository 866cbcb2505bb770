// Gatehouse's own preferences, kept in the database. Unreadable ones fall back to the defaults, one by one.
import { Preferences } from '#shared/api/settings';
import type { SessionStore } from './sessions/store';

const key = 'app';

export class PreferenceStore {
  private current: Preferences;

  constructor(private readonly store: Pick<SessionStore, 'preference' | 'setPreference'>) {
    this.current = lenient(store.preference(key));
  }

  get(): Preferences {
    return this.current;
  }

  /** Stores a change and returns the whole. */
  set(change: Partial<Preferences>): Preferences {
    const next = Preferences.parse({ ...this.current, ...change });
    this.store.setPreference(key, next);
    this.current = next;
    return next;
  }
}

function lenient(stored: unknown): Preferences {
  const defaults = Preferences.parse({});
  if (typeof stored !== 'object' || stored === null) return defaults;
  let preferences = defaults;
  for (const [name, value] of Object.entries(stored)) {
    if (!Object.hasOwn(defaults, name)) continue;
    const tried = Preferences.safeParse({ ...preferences, [name]: value });
    if (tried.success) preferences = tried.data;
  }
  return preferences;
}

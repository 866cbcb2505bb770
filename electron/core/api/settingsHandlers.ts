import type { AppContract } from '#shared/api/app';
import type { settingsCalls } from '#shared/api/settings';
import type { Handlers } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import type { Connection } from './connection';
import type { ApiServices } from './services';

type SettingsHandlers = Pick<Handlers<AppContract, { readonly connection: Connection }>, keyof typeof settingsCalls>;

/** `announce` tells all pages that settings have changed. */
export function settingsHandlers({ preferences, ports, models }: ApiServices, announce: () => void): SettingsHandlers {
  return {
    'settings.get': () => ({ preferences: preferences.get(), key: ports.secrets.state() }),
    'settings.setPreferences'(change) {
      const changed = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      const stored = preferences.set(changed);
      announce();
      return { preferences: stored };
    },
    'settings.setApiKey'({ key, remember }) {
      try {
        ports.secrets.setApiKey(key, remember);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new RpcError('refused', `The key was not saved: ${why}`);
      }
      announce();
      return { key: ports.secrets.state() };
    },
    'settings.testConnection': () => models.test(),
    async 'models.list'() {
      const listed = await models.list();
      return { ...listed, windows: Object.fromEntries(models.windowsNow()) };
    },
  };
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSettingsText } from '../settings/settingsText';

/** What counts where nothing else was said. */
const defaultDays = 30;

/** Days for which results are kept: `cleanupPeriodDays` of the user's settings, else 30. A broken file says nothing. */
export async function cleanupPeriodDays(claudeConfig: string): Promise<number> {
  try {
    const read = readSettingsText(await readFile(join(claudeConfig, 'settings.json'), 'utf8'));
    return read.ok ? daysIn(read.value.value) : defaultDays;
  } catch {
    return defaultDays;
  }
}

function daysIn(settings: unknown): number {
  if (typeof settings !== 'object' || settings === null || !Object.hasOwn(settings, 'cleanupPeriodDays')) {
    return defaultDays;
  }
  const days: unknown = Reflect.get(settings, 'cleanupPeriodDays');
  return typeof days === 'number' && Number.isFinite(days) && days >= 1 ? days : defaultDays;
}

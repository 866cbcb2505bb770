// When Claude Code's own clean-up takes a transcript.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSettingsText } from '../settings/settingsText';

const dayMs = 86_400_000;
/** What counts where the settings say nothing. */
const defaultDays = 30;

/** For how long transcripts are kept after their last change, in milliseconds; null: the settings cannot be understood. */
export async function keptForMs(claudeConfig: string): Promise<number | null> {
  let text: string;
  try {
    text = await readFile(join(claudeConfig, 'settings.json'), 'utf8');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isMissing ? defaultDays * dayMs : null;
  }
  const read = readSettingsText(text);
  if (!read.ok) return null;
  const { value } = read.value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'cleanupPeriodDays'))
    return defaultDays * dayMs;
  const days: unknown = Reflect.get(value, 'cleanupPeriodDays');
  return typeof days === 'number' && Number.isFinite(days) && days >= 1 ? days * dayMs : null;
}

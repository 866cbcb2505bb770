import { join } from 'node:path';
import type { CorePorts } from '../ports';
import { KeptFiles } from './browser/keptFiles';
import { cleanUpResults } from './cleanUp';
import { cleanupPeriodDays } from './cleanupPeriod';

/** Throws away what has been kept long enough and is not to be kept for good. Never rejects. */
export async function keepResultsTidy(
  about: Pick<CorePorts, 'log'> & { readonly paths: Pick<CorePorts['paths'], 'data' | 'claudeConfig'> },
): Promise<void> {
  const { log, paths } = about;
  try {
    const kept = new Set((await new KeptFiles(paths.data).all()).map(({ file }) => file));
    const days = await cleanupPeriodDays(paths.claudeConfig);
    const folders = { folder: join(paths.data, 'projects'), trash: join(paths.data, 'trash') };
    const done = await cleanUpResults({ ...folders, days, kept, now: Date.now() });
    if (done.trashed + done.deleted + done.failed > 0) log.info('old results cleaned up', { ...done });
  } catch (error) {
    log.error('old results could not be cleaned up', error);
  }
}

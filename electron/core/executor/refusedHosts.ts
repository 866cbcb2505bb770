import type { RefusedHost } from '#shared/api/executor';
import { counted } from '../tools/wording';

/** What the model is told of hosts that a command was not let to. */
export function refusedHostNotices(refused: readonly RefusedHost[] = []): string[] {
  if (refused.length === 0) return [];
  const lines = refused.map(({ host, port, why }) => `- ${host}:${port}: ${why}`);
  return [`The sandbox did not let it reach ${counted(refused.length, 'host')}:\n${lines.join('\n')}`];
}

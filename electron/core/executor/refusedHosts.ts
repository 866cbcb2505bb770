import type { RefusedHost } from '#shared/api/executor';
import { counted } from '../tools/wording';

/** What the model is told of hosts that a command was not let to; empty when there were none. */
export function refusedHostsText(refused: readonly RefusedHost[] | undefined): string {
  if (refused === undefined || refused.length === 0) return '';
  const lines = refused.map(({ host, port, why }) => `- ${host}:${port}: ${why}`);
  return `The sandbox did not let this command reach ${counted(refused.length, 'host')}:\n${lines.join('\n')}`;
}

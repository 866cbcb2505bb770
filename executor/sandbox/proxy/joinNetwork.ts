import type { OperationFailure, SandboxPolicy, ShellResult } from '#shared/api/executor';
import { failure } from '../../failure';
import type { ListedNetworks, NetworkPass } from './listedNetworks';

/** A command's way into the network that its policy wants; undefined where that needs none. */
export async function joinNetwork(
  networks: Pick<ListedNetworks, 'join'>,
  policy: SandboxPolicy,
  streamId: () => string | null,
): Promise<NetworkPass | OperationFailure | undefined> {
  if (!policy.enabled || policy.network !== 'listed') return undefined;
  try {
    return await networks.join(policy, streamId);
  } catch (error) {
    return failure('io', error instanceof Error ? error.message : String(error));
  }
}

/** What a result tells of the hosts that were refused since the last look. */
export function refusedField(pass: NetworkPass | undefined): Pick<ShellResult, 'refusedHosts'> {
  const refusedHosts = pass?.takeRefused() ?? [];
  return refusedHosts.length === 0 ? {} : { refusedHosts };
}

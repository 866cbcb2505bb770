import type { AppContract } from '#shared/api/app';
import type { networkCalls } from '#shared/api/network';
import type { Handlers } from '#shared/rpc/contract';
import type { NetworkAsks } from '../network/networkAsks';
import type { Connection } from './connection';

type NetworkHandlers = Pick<Handlers<AppContract, { readonly connection: Connection }>, keyof typeof networkCalls>;

export function networkHandlers({ networkAsks }: { readonly networkAsks: NetworkAsks }): NetworkHandlers {
  return {
    'network.answer': (wanted) => networkAsks.answer(wanted),
  };
}

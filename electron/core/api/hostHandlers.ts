import { dirname, resolve } from 'node:path';
import type { AppContract } from '#shared/api/app';
import { type hostCalls, protocolVersion } from '#shared/api/host';
import type { Handlers } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import { listFolders } from '../folders';
import type { Connection } from './connection';
import type { ApiServices } from './services';

type HostHandlers = Pick<Handlers<AppContract, { readonly connection: Connection }>, keyof typeof hostCalls>;

export function hostHandlers({ ports, supervisor, sandboxState }: ApiServices): HostHandlers {
  return {
    hello({ protocol }) {
      if (protocol !== protocolVersion) {
        throw new RpcError('refused', 'This page belongs to another version of Gatehouse. Reload it.');
      }
      return {
        protocol: protocolVersion,
        version: ports.host.version,
        hostLabel: ports.host.label,
        platform: ports.host.platform,
        capabilities: [...ports.host.capabilities],
        home: ports.paths.home,
        startFolder: ports.host.startFolder,
        sandbox: sandboxState(false),
        executor: supervisor.state,
      };
    },
    async 'host.browse'({ path, showHidden }) {
      const folder = resolve(ports.paths.home, path.replace(/^~(?=\/|$)/, ports.paths.home));
      const listed = await listFolders(folder, { showHidden });
      if (!listed.ok) throw new RpcError(listed.error.code, listed.error.message);
      const parent = dirname(folder);
      return { path: folder, parent: parent === folder ? null : parent, ...listed.value };
    },
    async 'host.pickFolder'() {
      if (ports.desktop === undefined) throw new RpcError('refused', 'This host has no folder dialog of its own.');
      return { path: await ports.desktop.pickFolder() };
    },
    async 'host.openExternal'({ url }) {
      if (ports.desktop === undefined) throw new RpcError('refused', 'This host cannot open a browser.');
      await ports.desktop.openExternal(url);
      return {};
    },
  };
}

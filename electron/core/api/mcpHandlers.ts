import { isAbsolute } from 'node:path';
import type { AppContract } from '#shared/api/app';
import type { mcpCalls } from '#shared/api/mcp';
import type { Handlers } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import type { Result } from '#shared/util/result';
import type { McpServers } from '../mcp/mcpServers';
import type { Connection } from './connection';

type McpHandlers = Pick<Handlers<AppContract, { readonly connection: Connection }>, keyof typeof mcpCalls>;

function granted<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new RpcError('refused', result.error);
  return result.value;
}

export function mcpHandlers({ mcp }: { readonly mcp: McpServers }): McpHandlers {
  /** The list after a change. */
  const after = async (folder: string, change: Promise<Result<null>>) => {
    granted(await change);
    return { view: await mcp.view(folder) };
  };
  return {
    async 'mcp.list'({ folder }) {
      if (!isAbsolute(folder)) throw new RpcError('invalid', 'The folder must be an absolute path.');
      return { view: await mcp.view(folder) };
    },
    async 'mcp.settled'({ sessionId, waitMs }, { signal }) {
      const left = new AbortController();
      const stop = signal.onCancel(() => left.abort());
      try {
        return { servers: [...(await mcp.settled({ sessionId, names: [], waitMs, signal: left.signal }))] };
      } finally {
        stop();
      }
    },
    'mcp.approve': (server) => after(server.folder, mcp.approve(server)),
    'mcp.reject': (server) => after(server.folder, mcp.reject(server)),
    'mcp.restart': (server) => after(server.folder, mcp.restart(server)),
    'mcp.enable': (server) => after(server.folder, mcp.setEnabled(server, 'on')),
    'mcp.disable': (server) => after(server.folder, mcp.setEnabled(server, 'off')),
    'mcp.confirmTools': ({ tools, hash, ...server }) => after(server.folder, mcp.confirmTools(server, tools, hash)),
    'mcp.definition': async ({ tool, ...server }) => granted(mcp.definition(server, tool)),
    'mcp.add': (entry) => after(entry.folder, mcp.add(entry)),
    'mcp.edit': ({ config, ...server }) => after(server.folder, mcp.edit(server, config)),
    'mcp.remove': (server) => after(server.folder, mcp.remove(server)),
    'mcp.test': (about) => mcp.test(about),
    'mcp.authorize': async (server) => granted(await mcp.authorize(server)),
    'mcp.signOut': (server) => after(server.folder, mcp.signOut(server)),
    'mcp.stderr': (server) => granted(mcp.stderr(server)),
    'mcp.resources': async ({ folder }) => ({ resources: [...(await mcp.folderResources(folder))] }),
    'mcp.prompts': async ({ folder }) => ({ prompts: [...(await mcp.folderPrompts(folder))] }),
    'mcp.prompt': async ({ name, arguments: given, ...server }) => ({
      text: granted(await mcp.prompt(server, { name, arguments: given })),
    }),
  };
}

// The executor's answers to the calls of its contract.
import type { executorContract, GrantToken, Operation } from '#shared/api/executor';
import type { Handlers } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import { type FetchParts, fetchPage } from './fetch/fetchPage';
import { editFile } from './files/edit';
import { editCell } from './files/editCell';
import { listFolder } from './files/list';
import { readFileWindow } from './files/read';
import { statFile } from './files/stat';
import { writeFile } from './files/write';
import type { Grants } from './grants';
import type { LanguageServers } from './lsp/languageServers';
import type { ReplRunner } from './repl/replRunner';
import type { SandboxState } from './sandbox/probe';
import type { ListedNetworks } from './sandbox/proxy/listedNetworks';
import { globFiles } from './search/glob';
import { grepFiles } from './search/grep';
import type { ShellRunner } from './shell';

export interface HandlerParts {
  readonly grants: Grants;
  readonly shell: ShellRunner;
  readonly repl: ReplRunner;
  readonly languages: LanguageServers;
  readonly web: FetchParts;
  /** Runs the probe once; later commands use what it found. */
  readonly probe: () => Promise<SandboxState>;
  readonly networks: Pick<ListedNetworks, 'problem' | 'answer'>;
}

/** One handler for each call. Everything but start and ping uses up a grant first. */
export function createHandlers(parts: HandlerParts): Handlers<typeof executorContract, object> {
  const { grants, shell } = parts;

  function redeemed<O extends Operation>(request: { readonly grant: GrantToken; readonly operation: O }): O {
    grants.redeem(request.grant, request.operation);
    return request.operation;
  }

  return {
    async 'executor.start'({ grantKey }) {
      grants.start(grantKey);
      const { available, kind, reason } = await parts.probe();
      return { pid: process.pid, sandbox: { available, kind, reason, noListed: parts.networks.problem } };
    },
    'executor.ping': () => ({}),
    'shell.run': (request, { signal }) => shell.run(redeemed(request), signal),
    'shell.ack'({ streamId, chars }) {
      shell.acknowledge(streamId, chars);
      parts.repl.acknowledge(streamId, chars);
      return {};
    },
    'shell.detach'({ streamId }) {
      shell.detach(streamId);
      return {};
    },
    'file.stat': (request) => statFile(redeemed(request)),
    'file.read': (request, { signal }) => stoppable(signal, readFileWindow(redeemed(request), signal)),
    'file.write': (request) => writeFile(redeemed(request)),
    'file.edit': (request) => editFile(redeemed(request)),
    'file.editCell': (request) => editCell(redeemed(request)),
    'file.list': (request, { signal }) => stoppable(signal, listFolder(redeemed(request), signal)),
    'search.glob': (request, { signal }) => stoppable(signal, globFiles(redeemed(request), signal)),
    'search.grep': (request, { signal }) => stoppable(signal, grepFiles(redeemed(request), signal)),
    'repl.run': (request, { signal }) => parts.repl.run(redeemed(request), signal),
    async 'repl.end'({ session }) {
      await parts.repl.end(session);
      return {};
    },
    'network.answer'(verdict) {
      parts.networks.answer(verdict);
      return {};
    },
    'lsp.query': (request, { signal }) => stoppable(signal, parts.languages.ask(redeemed(request), signal)),
    'web.fetch': async (request, { signal }) => {
      const operation = redeemed(request);
      const stopping = new AbortController();
      signal.onCancel(() => stopping.abort(new RpcError('cancelled', 'Cancelled.')));
      return await fetchPage(operation, parts.web, stopping.signal);
    },
  };
}

/** A cancelled search ends early with what it has; that is no answer. */
async function stoppable<T>(signal: { readonly cancelled: boolean }, work: Promise<T>): Promise<T> {
  const answer = await work;
  if (signal.cancelled) throw new RpcError('cancelled', 'Cancelled.');
  return answer;
}

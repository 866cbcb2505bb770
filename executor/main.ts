// The executor process: the only one that runs commands and touches files for tools, and only with a grant.
import { executorContract } from '#shared/api/executor';
import { type Served, serve } from '#shared/rpc/peer';
import { systemDial } from './fetch/connect';
import { createPageReader, fileBeside } from './fetch/readInWorker';
import { systemResolve } from './fetch/resolve';
import { Grants } from './grants';
import { createHandlers } from './handlers';
import { LanguageServers } from './lsp/languageServers';
import { openParentTransport } from './parentTransport';
import { reapOrphans } from './processTree';
import { ReplRunner } from './repl/replRunner';
import { placeholders } from './sandbox/bubblewrap';
import { probeSandbox, type SandboxState } from './sandbox/probe';
import { ListedNetworks } from './sandbox/proxy/listedNetworks';
import { ShellRunner } from './shell';

const environment = process.env;
let sandbox: SandboxState = { available: false, kind: 'none', reason: 'The probe has not run yet.' };
let served: Served<typeof executorContract> | undefined;

const reaped = reapOrphans();
const networks = new ListedNetworks({
  own: environment,
  resolve: systemResolve,
  dial: systemDial,
  onAsk: (ask) => served?.emit('network.ask', ask),
  onGone: (askId) => served?.emit('network.gone', { askId }),
});
const shell = new ShellRunner({
  own: environment,
  sandbox: () => sandbox,
  networks,
  emit: (piece) => served?.emit('shell.data', piece),
});

const repl = new ReplRunner({
  own: environment,
  sandbox: () => sandbox,
  networks,
  emit: (piece) => served?.emit('shell.data', piece),
});
const languages = new LanguageServers({ own: environment, sandbox: () => sandbox });

let ending = false;
async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  await Promise.all([shell.dispose(), repl.dispose(), languages.dispose()]);
  networks.dispose();
  placeholders.dispose();
  process.exit(0);
}

const transport = openParentTransport(process);
transport.onClose(() => void end());
process.on('SIGTERM', () => void end());
process.on('SIGINT', () => void end());
process.on('SIGHUP', () => void end());

served = serve({
  contract: executorContract,
  transport,
  context: {},
  handlers: createHandlers({
    grants: new Grants(),
    shell,
    repl,
    languages,
    web: {
      resolve: systemResolve,
      dial: systemDial,
      readPage: createPageReader(fileBeside('pageWorker.mjs', import.meta.url)),
    },
    networks,
    probe: async () => {
      await reaped;
      placeholders.sweep();
      sandbox = await probeSandbox({ own: environment });
      await networks.probe(sandbox);
      return sandbox;
    },
  }),
  onBug: (method, error) => {
    process.stderr.write(
      `executor: ${method}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
  },
});

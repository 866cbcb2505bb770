// The loopback door: the same core and page as on the desktop, served to a browser on this machine.
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type Core, createCore } from '../core/createCore';
import { platformOf } from '../core/hostPaths';
import { readPage } from '../core/servedPage';
import { DatabaseRefused } from '../core/sessions/database';
import { textLog } from '../core/textLog';
import { nodePorts } from '../node/nodePorts';
import { Access } from './access';
import { listen } from './http';
import { readOptions, type ServerOptions } from './options';

const usageError = 2;

function inDist(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function open(options: ServerOptions): Promise<Core> {
  const surroundings = {
    dist: inDist('.'),
    env: process.env,
    home: homedir(),
    platform: platformOf(process.platform),
    runsAsRoot: process.getuid?.() === 0,
  };
  const log = textLog((line) => process.stderr.write(line), { verbose: process.env.GATEHOUSE_LOG === 'info' });
  const { launch } = options;
  const label = 'loopback server';
  return await createCore(nodePorts({ label, surroundings, launch, log }));
}

async function run(options: ServerOptions): Promise<void> {
  const access = new Access();
  const core = await open(options);
  const server = await listen({
    port: options.port,
    access,
    files: readPage(inDist('renderer')),
    accept: (transport) => core.accept(transport),
    onNewLink: () => say(`To open Gatehouse in another browser: ${access.link()}`),
  }).catch(async (error: unknown) => {
    await core.dispose();
    throw error;
  });
  access.bindPort(server.port);
  say(`READY ${access.link()}`);

  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    void server
      .close()
      .then(() => core.dispose())
      .then(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
}

/** Words for what may go wrong at the start; anything else is a bug and keeps its stack. */
function explain(error: unknown, options: ServerOptions): string {
  if (error instanceof DatabaseRefused) return error.message;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return `Port ${options.port} is in use by another program. Give another one with --port, or leave it out for a free one.`;
  }
  if (code === 'EACCES' && options.port > 0 && options.port < 1_024) {
    return `Port ${options.port} is reserved for administrators. Give one above 1023 with --port.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const options = readOptions(process.argv.slice(2), process.cwd());
if (options.ok) {
  run(options.value).catch((error: unknown) => {
    process.stderr.write(`Gatehouse cannot start: ${explain(error, options.value)}\n`);
    process.exit(1);
  });
} else {
  process.stderr.write(`${options.error}\n`);
  process.exit(usageError);
}

// `gatehouse run`: one turn in a folder, without a page.
import { setImmediate as afterOthers } from 'node:timers/promises';
import { type AppContract, appContract } from '#shared/api/app';
import { protocolVersion } from '#shared/api/host';
import type { RulesView } from '#shared/api/permissions';
import type { SessionSummary } from '#shared/api/sessions';
import { RpcError } from '#shared/rpc/errors';
import { createLinkedPair } from '#shared/rpc/linkedPair';
import { type Connected, connect } from '#shared/rpc/peer';
import type { SessionState } from '#shared/session/state';
import { fail, ok, type Result } from '#shared/util/result';
import { type Core, createCore } from '../core/createCore';
import { rehearsalModel } from '../core/model/models';
import { DatabaseRefused } from '../core/sessions/database';
import { textLog } from '../core/textLog';
import { nodePorts } from '../node/nodePorts';
import { type CliHost, exitCodes, type StopSignal } from './host';
import { type RunOptions, readRunOptions, runUsage } from './runOptions';
import { createRunOutput, type RunOutput } from './runOutput';
import { addToRecord, isDone, type RunRecord, recordFor } from './runRecord';
import { waitingServers } from './waitingServers';

/** How long a pipe may stay silent before a run with a prompt goes on without it. */
const pipePatienceMs = 3_000;
/** Longest message that a session takes, in characters. */
const longestPrompt = 200_000;
/** How a shell reports a program that a signal ended. */
const stopCodes: Readonly<Record<StopSignal, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

type Client = Connected<AppContract>;

/** Runs `run` with the words behind it. The value is the exit code. */
export async function run(args: readonly string[], host: CliHost): Promise<number> {
  const options = readRunOptions(args, host.cwd);
  if (!options.ok) {
    host.err(`${options.error}\n\n${runUsage}`);
    return exitCodes.badUsage;
  }
  if (options.value === 'help') {
    host.out(runUsage);
    return 0;
  }
  const prompt = await readPrompt(options.value, host);
  if (!prompt.ok) {
    host.err(prompt.error);
    return exitCodes.badUsage;
  }
  return await runInCore({ options: options.value, prompt: prompt.value, host });
}

/** Empty where a session goes on: a call that was put off needs no prompt. */
async function readPrompt({ prompt, session }: RunOptions, host: CliHost): Promise<Result<string>> {
  const mayBeEmpty = session.kind !== 'new';
  const piped = await host.input({ patienceMs: prompt === '' && !mayBeEmpty ? null : pipePatienceMs });
  const whole = [prompt.trim(), piped?.trim() ?? ''].filter((part) => part !== '').join('\n\n');
  if (whole === '' && !mayBeEmpty) return fail('There is no prompt. Give one with -p "…", or pipe it in.');
  if (whole.length > longestPrompt)
    return fail(
      `The prompt has ${whole.length} characters, at most ${longestPrompt} are taken. Put the text into a file of the folder and name it in the prompt.`,
    );
  return ok(whole);
}

/** Longest wait for MCP servers before a run begins without those that are late, in milliseconds. */
const serversWaitMs = 10_000;

interface Run {
  readonly options: RunOptions;
  readonly prompt: string;
  readonly host: CliHost;
}

/** Opens a core, runs the turn as its client, and ends all that was started. */
async function runInCore(given: Run): Promise<number> {
  const { options, host } = given;
  const { surroundings } = host;
  const { env } = surroundings;
  const changes = {
    ...(options.data === null ? {} : { GATEHOUSE_DATA_DIR: options.data }),
    ...(options.model === null ? {} : { ANTHROPIC_MODEL: options.model }),
  };
  let core: Core;
  try {
    core = await createCore(
      nodePorts({
        label: 'command line',
        surroundings: { ...surroundings, env: { ...env, ...changes } },
        launch: options.launch,
        log: textLog((line) => host.err(line.trimEnd()), { verbose: env.GATEHOUSE_LOG === 'info' }),
        headless: { maxMessages: options.maxMessages },
      }),
    );
  } catch (error) {
    if (!(error instanceof DatabaseRefused)) throw error;
    host.err(`${error.message} Or name another data folder with --data.`);
    return exitCodes.failed;
  }
  try {
    const [near, far] = createLinkedPair();
    core.accept(far);
    return await runAsClient(given, connect(appContract, near, { sameProgram: true }));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    host.err(error.message);
    return exitCodes.failed;
  } finally {
    await core.dispose();
  }
}

async function runAsClient({ options, prompt, host }: Run, client: Client): Promise<number> {
  const startedAt = performance.now();
  const output = createRunOutput(options.output, host);
  await client.call('hello', { protocol: protocolVersion });
  const found = await findSession(options, client);
  if (!found.ok) {
    host.err(found.error);
    return exitCodes.badUsage;
  }
  const sessionId = found.value;
  const { scripted, state } = await prepare({ options, client, sessionId, output });

  const turn = watchTurn({ client, sessionId, output, before: recordFor(state) });
  let stoppedBy: StopSignal | null = null;
  const stopListening = host.onStop((signal) => {
    stoppedBy = signal;
    client.call('sessions.stop', { sessionId }).catch(() => turn.giveUp());
  });
  try {
    // A run has one turn: what its servers offer must be there from its first request.
    await client.call('mcp.settled', { sessionId, waitMs: serversWaitMs });
    if (prompt !== '') await client.call('sessions.send', { sessionId, text: prompt });
    else if (!(await client.call('sessions.takeUp', { sessionId })).taken) {
      host.err(
        'There is no prompt, and no call of this session was put off. Give a prompt with -p "…", or pipe it in.',
      );
      return exitCodes.badUsage;
    }
    // A signal that came before there was a turn to stop.
    if (stoppedBy !== null) await client.call('sessions.stop', { sessionId });
    const { folder } = state;
    await tellWhatIsUnusual({ client, sessionId, folder, host, withoutKey: scripted && options.model === null });
    const record = await turn.ended;
    output.ended({
      record,
      durationMs: performance.now() - startedAt,
      problem: stoppedBy === null ? '' : `Stopped by ${stoppedBy}.`,
    });
    if (stoppedBy !== null) return stopCodes[stoppedBy];
    return isDone(record) ? 0 : exitCodes.failed;
  } finally {
    stopListening();
  }
}

/** The session to work in; an error names what there is. */
async function findSession({ session, folder }: RunOptions, client: Client): Promise<Result<string>> {
  if (session.kind === 'new') return ok((await client.call('sessions.create', { folder })).sessionId);
  const { sessions } = await client.call('sessions.list', {});
  const fits = (one: SessionSummary): boolean =>
    session.kind === 'last' ? one.folder === folder : one.sessionId.startsWith(session.name);
  const [first, second] = sessions.filter(fits);
  if (first === undefined)
    return fail(
      session.kind === 'last'
        ? `There is no session in ${folder} to continue. Leave out --continue to begin one.`
        : `There is no session ${session.name}. gatehouse trace lists them.`,
    );
  if (session.kind === 'named' && second !== undefined && first.sessionId !== session.name)
    return fail(`More than one session begins with ${session.name}. Give more of its name.`);
  return ok(first.sessionId);
}

/** Model and mode as the command line wants them; then the state is known from which the turn starts. */
async function prepare(about: {
  readonly options: RunOptions;
  readonly client: Client;
  readonly sessionId: string;
  readonly output: RunOutput;
}): Promise<{ readonly scripted: boolean; readonly state: SessionState }> {
  const { options, client, sessionId, output } = about;
  const { model } = options;
  const mode = options.launch.permissions.cliArg.defaultMode;
  const detail = options.output === 'stream-json' ? 'all' : 'outcome';
  const subscribed = await client.call('sessions.subscribe', { sessionId, detail });
  if (subscribed.kind !== 'snapshot') throw new RpcError('internal', 'The session could not be read.');
  const { state } = subscribed;
  if (mode !== undefined && state.mode !== mode) await client.call('sessions.setMode', { sessionId, mode });
  const wished =
    model === rehearsalModel.id ? rehearsalModel : { id: model ?? '', label: model ?? '', scripted: false };
  const choice = model === null ? state.model : wished;
  if (choice.id !== state.model.id) await client.call('sessions.setModel', { sessionId, model: choice });
  output.started({ sessionId, folder: state.folder, model: choice.id, mode: mode ?? state.mode });
  return { scripted: choice.scripted, state };
}

/** Follows the session's events until its next turn has ended. */
function watchTurn(about: {
  readonly client: Client;
  readonly sessionId: string;
  readonly output: RunOutput;
  readonly before: RunRecord;
}): {
  readonly ended: Promise<RunRecord>;
  giveUp(): void;
} {
  const { client, sessionId, output } = about;
  let record = about.before;
  let finish: (record: RunRecord) => void = () => undefined;
  const ended = new Promise<RunRecord>((resolve) => {
    finish = resolve;
  });
  client.on('session.event', ({ sessionId: of, event }) => {
    if (of !== sessionId || record.outcome !== null) return;
    output.event(event);
    record = addToRecord(record, event.body);
    if (record.outcome !== null) finish(record);
  });
  client.onClose(() => finish(record));
  return { ended, giveUp: () => finish(record) };
}

/** What a person would see on the page, in one line each on standard error. */
async function tellWhatIsUnusual(about: {
  readonly client: Client;
  readonly sessionId: string;
  readonly folder: string;
  readonly host: CliHost;
  /** The rehearsal model answers because there is nothing to ask another one with. */
  readonly withoutKey: boolean;
}): Promise<void> {
  const { client, sessionId, folder, host, withoutKey } = about;
  // The request to the model goes first.
  await afterOthers();
  const { trust, files } = await client.call('permissions.rules', { sessionId });
  for (const line of trustLines(trust)) host.err(line);
  if (!trust.trusted) {
    const { waiting } = await client.call('commands.list', { sessionId });
    if (waiting.length > 0) host.err(unreadLine(trust.folder, waiting));
  }
  const { view } = await client.call('mcp.list', { folder });
  for (const line of waitingServers(view)) host.err(line);
  for (const { path, line, problem } of files)
    if (problem !== '') host.err(`${path}${line === undefined ? '' : `:${line}`}: ${problem}`);
  if (withoutKey)
    host.err(
      'There is no API key, so the rehearsal model answers: a script, not an intelligence. Set ANTHROPIC_API_KEY, or put a key into the workspace’s Settings.',
    );
}

function trustLines(trust: RulesView['trust']): readonly string[] {
  const { trusted, changed, folder, waitingRules, waitingDirectories, waitingMore } = trust;
  const more = waitingMore.filter(({ kind }) => kind !== 'unused').map(({ text }) => text);
  const waiting = [...waitingRules.map((rule) => rule.text), ...waitingDirectories, ...more];
  if (trusted || waiting.length === 0) return [];
  const shown = waiting.slice(0, 5).join(', ');
  const left = waiting.length > 5 ? ` and ${waiting.length - 5} more` : '';
  const why = changed
    ? `What ${folder} brings has changed since it was trusted, so nothing of it counts`
    : `Nobody has trusted ${folder} yet, so what came with it allows nothing`;
  return [
    `${why}: ${shown}${left} ${waiting.length === 1 ? 'does' : 'do'} not count. Trust the folder in the workspace, or give rules with --allowedTools.`,
  ];
}

function unreadLine(folder: string, waiting: readonly string[]): string {
  const names = waiting
    .slice(0, 5)
    .map((file) => (file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file));
  const more = waiting.length > 5 ? ` and ${waiting.length - 5} more` : '';
  return `What ${folder} says to agents is not read until you trust the folder in the workspace: ${names.join(', ')}${more}.`;
}

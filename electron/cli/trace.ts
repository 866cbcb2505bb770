// `gatehouse trace`: what became of a call, from the stored log. Nothing is changed, whoever works there meanwhile.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { reduce } from '#shared/session/reduce';
import { emptyState, type SessionState } from '#shared/session/state';
import type { ToolCall } from '#shared/session/toolCall';
import { fail, ok, type Result } from '#shared/util/result';
import { DatabaseRefused, openDatabaseToRead } from '../core/sessions/database';
import { SessionStore } from '../core/sessions/store';
import { findSession } from './findSession';
import { type CliHost, exitCodes } from './host';
import { callLine, callText, sessionLine } from './traceText';

export const traceUsage = `gatehouse trace                         the sessions, last changed first
gatehouse trace SESSION                 its calls
gatehouse trace SESSION CALL [--json]   what became of a call: the seven steps, the decision, hooks, the result
gatehouse trace export SESSION          all of it as a file for other programs; see gatehouse trace export --help

  SESSION       its name or the start of it, or "last"
  CALL          its name or the start of it, its number in the list, or "last"
  --json        the whole as one line of JSON
  --data DIR    Gatehouse's data folder`;

const shownSessions = 50;

interface TraceOptions {
  readonly session: string | null;
  readonly call: string | null;
  readonly json: boolean;
  readonly data: string;
}

/** Runs `trace` with the words behind it. The value is the exit code. */
export async function trace(args: readonly string[], host: CliHost): Promise<number> {
  if (args[0] === 'export') return await (await import('./traceExport')).traceExport(args.slice(1), host);
  const options = readOptions(args, host);
  if (!options.ok || options.value === 'help') {
    if (options.ok) host.out(traceUsage);
    else host.err(`${options.error}\n\n${traceUsage}`);
    return options.ok ? 0 : exitCodes.badUsage;
  }
  try {
    const database = openDatabaseToRead({ folder: options.value.data, nativeBinding: undefined });
    try {
      const store = new SessionStore(database, (sessionId, seq) =>
        host.err(`An entry of ${sessionId} is damaged and left out (${seq}).`),
      );
      const shown = show(options.value, store, host);
      if (shown.ok) return 0;
      host.err(shown.error);
      return exitCodes.badUsage;
    } finally {
      database.close();
    }
  } catch (error) {
    if (!(error instanceof DatabaseRefused)) throw error;
    host.err(error.message);
    return exitCodes.failed;
  }
}

function readOptions(args: readonly string[], host: CliHost): Result<TraceOptions | 'help'> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        data: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help === true) return ok('help');
    const [session = null, call = null, extra] = positionals;
    if (extra !== undefined) return fail(`${extra} is one word too many.`);
    const data = values.data === undefined ? host.paths.data : resolve(host.cwd, values.data);
    return ok({ session, call, json: values.json === true, data });
  } catch (error) {
    if (error instanceof TypeError) return fail(error.message);
    throw error;
  }
}

function show(options: TraceOptions, store: SessionStore, host: CliHost): Result<null> {
  const sessions = store.list();
  if (options.session === null) {
    if (options.json) host.out(JSON.stringify(sessions));
    else for (const session of sessions.slice(0, shownSessions)) host.out(sessionLine(session));
    return ok(null);
  }
  const session = findSession(sessions, options.session);
  if (!session.ok) return session;
  const state = stateOf(store, session.value.sessionId);
  const calls = Object.values(state.calls);
  if (options.call === null) {
    if (options.json) host.out(JSON.stringify(calls.map(({ callId, name, status }) => ({ callId, name, status }))));
    else for (const [index, call] of calls.entries()) host.out(callLine(call, index + 1));
    return ok(null);
  }
  const call = findCall(calls, options.call);
  if (!call.ok) return call;
  const { sessionId, folder } = session.value;
  host.out(
    options.json ? JSON.stringify({ sessionId, folder, call: call.value }) : callText(call.value, session.value),
  );
  return ok(null);
}

function stateOf(store: SessionStore, sessionId: string): SessionState {
  return store.events(sessionId, 0).reduce(reduce, emptyState());
}

function findCall(calls: readonly ToolCall[], name: string): Result<ToolCall> {
  const numbered = /^\d+$/.test(name) ? calls[Number(name) - 1] : undefined;
  const [first, second] =
    name === 'last'
      ? calls.slice(-1)
      : numbered === undefined
        ? calls.filter((call) => call.callId.startsWith(name))
        : [numbered];
  if (first === undefined)
    return fail(
      calls.length === 0
        ? 'This session has no calls.'
        : `There is no call ${name} in this session. gatehouse trace with the session alone lists its ${calls.length}.`,
    );
  if (second !== undefined && first.callId !== name)
    return fail(`More than one call begins with ${name}. Give more of its name.`);
  return ok(first);
}

// One handler, whatever its type: its input made ready, its surroundings, its time.

import { eventRules } from './eventRules';
import { type Handler, runsInBackground } from './handler';
import { scrubbed } from './hookEnvironment';
import type { HttpLimits } from './hookSettings';
import type { HookEvent, HookPlace } from './hooks';
import { runHttp } from './httpHandler';
import { type CallMcpTool, runMcpTool } from './mcpHandler';
import { type AskModel, type RunHookAgent, runModelHandler } from './modelHandler';
import { runCommand } from './runCommand';
import { timeoutOf } from './timeouts';
import type { Ended } from './verdict';

/** What handlers find around them. */
export interface Surroundings {
  /** The host's environment, without the keys of the model. */
  readonly variables: Readonly<Record<string, string>>;
  readonly platform: 'linux' | 'darwin' | 'win32' | 'other';
  /** A file whose lines set variables of the session's later commands; null: none can be made. */
  envFile(sessionId: string): Promise<string | null>;
}

export interface HandlerRun {
  readonly event: HookEvent;
  readonly place: HookPlace;
  readonly handler: Handler;
  readonly input: Readonly<Record<string, unknown>>;
  /** The input as one line of JSON. */
  readonly stdin: string;
  readonly limits: HttpLimits;
  readonly signal: AbortSignal;
  /** Milliseconds that all handlers of the event share; null: each has its own. */
  readonly budgetMs: number | null;
}

interface Services extends Surroundings {
  readonly askModel?: AskModel;
  readonly runAgent?: RunHookAgent;
  readonly callMcpTool?: CallMcpTool;
}

/** Runs a handler to its end. */
export async function runHandler(run: HandlerRun, services: Services): Promise<Ended> {
  const { event, place, handler, stdin, signal } = run;
  const { action } = handler;
  const timeoutMs = timeoutOf(event.name, action, run.budgetMs);
  switch (action.type) {
    case 'command': {
      const { platform } = services;
      const environment = await environmentOf(run, services);
      return await runCommand({
        action,
        stdin,
        cwd: place.cwd,
        projectFolder: place.folder,
        environment,
        platform,
        timeoutMs: runsInBackground(action) ? null : timeoutMs,
        signal,
      });
    }
    case 'http':
      return await runHttp({
        action,
        body: stdin,
        variables: services.variables,
        limits: run.limits,
        timeoutMs,
        signal,
      });
    case 'prompt':
    case 'agent':
      return await runModelHandler({
        action,
        input: stdin,
        place,
        askModel: services.askModel,
        runAgent: services.runAgent,
        timeoutMs,
        signal,
      });
    case 'mcp_tool':
      return await runMcpTool({
        action,
        event: run.input,
        place,
        callMcpTool: services.callMcpTool,
        timeoutMs,
        signal,
      });
  }
}

async function environmentOf(run: HandlerRun, services: Surroundings): Promise<Record<string, string>> {
  const { event, place } = run;
  const envFile = eventRules[event.name].hasEnvFile ? await services.envFile(place.sessionId) : null;
  return {
    ...scrubbed(services.variables),
    CLAUDE_PROJECT_DIR: place.folder,
    ...(envFile === null ? {} : { CLAUDE_ENV_FILE: envFile }),
  };
}

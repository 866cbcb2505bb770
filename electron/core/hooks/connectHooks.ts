// Hooks put together with the services of a core.
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { newId } from '../ids';
import type { ModelClient } from '../model/client';
import type { Models } from '../model/models';
import type { PermissionEngine } from '../permissions/engine';
import type { CorePorts, Log } from '../ports';
import type { ResultStore } from '../results/resultStore';
import type { SessionService } from '../sessions/service';
import type { ToolRegistry } from '../tools/registry';
import { createHooks, type HooksOptions } from './createHooks';
import { HookAnnouncer } from './hookAnnouncer';
import type { Hooks } from './hooks';
import { HookTranscript } from './hookTranscript';
import { tryHook } from './hookTrial';
import { hookEnvFile } from './hookVariables';
import type { KeepText } from './longText';
import type { AskModel } from './modelHandler';

export interface HookServices extends Pick<HooksOptions, 'commandHooks' | 'runAgent' | 'callMcpTool'> {
  readonly ports: {
    readonly paths: Pick<CorePorts['paths'], 'data' | 'home'>;
    readonly host: Pick<CorePorts['host'], 'platform'>;
    readonly environment: Pick<CorePorts['environment'], 'variables'>;
    readonly log: Log;
  };
  readonly sessions: SessionService;
  readonly engine: PermissionEngine;
  readonly results: Pick<ResultStore, 'process' | 'sessionFolder'>;
  readonly models: Pick<Models, 'clientFor'>;
  registry(sessionId: string): ToolRegistry;
  now(): number;
}

/** Characters of a hook's text up to which it is never kept in a file. */
const keptFrom = 10_000;

/** Output tokens of a model that judges for a hook. */
const judgementTokens = 1_024;

export interface ConnectedHooks extends Hooks {
  /** Runs one handler alone, and tells what it would do. */
  tryOut(trial: Parameters<typeof tryHook>[0]): ReturnType<typeof tryHook>;
}

/** The hooks of a core. Parts that the core has not are left out; handlers that need one fail and say so. */
export function connectHooks(services: HookServices): ConnectedHooks {
  const { ports, sessions, engine, results, models, registry, now, commandHooks, runAgent, callMcpTool } = services;
  const { paths, log } = ports;

  const keepText: KeepText = async (text, { sessionId }) => {
    const kept = await results.process({
      sessionId,
      toolUseId: newId('h'),
      content: [{ type: 'text', text }],
      maxChars: keptFrom,
    });
    return kept.persisted?.file ?? null;
  };

  const askModel: AskModel = async ({ system, prompt, model, place, signal }) => {
    const { model: own } = sessions.state(place.sessionId);
    return await answerOf(models.clientFor(own), {
      model: own.scripted ? own.id : (model ?? own.id),
      system,
      tools: [],
      messages: [{ role: 'user', content: prompt }],
      maxTokens: judgementTokens,
      signal,
    });
  };

  const transcripts = new HookTranscript(sessions);
  const options: HooksOptions = {
    settings: (session) => engine.settings(session),
    folderOf: (sessionId) => (sessions.exists(sessionId) ? sessions.state(sessionId).folder : null),
    async speaksOf(rule, call, place) {
      const { sessionId, folder, cwd, mode, callId = '' } = place;
      const found = registry(sessionId).find(call.toolName);
      const input = call.toolInput;
      // A tool that is gone: what it would touch is not known.
      if (!found.found || !isFields(input)) return true;
      const { tool } = found;
      const at = { sessionId, callId, folder, cwd, home: paths.home };
      const request = {
        toolName: tool.ruleName ?? tool.name,
        isMcp: tool.isMcp,
        isReadOnly: tool.isReadOnly(input),
        input,
        facts: tool.facts(input, at),
        own: { behavior: 'passthrough' as const },
      };
      return await engine.speaksOf(rule, request, { sessionId, folder, cwd, mode });
    },
    append: (sessionId, body) => void sessions.append(sessionId, body),
    keepText,
    // The model hears of it with its next request.
    tellModel: ({ sessionId, text, hook }) =>
      void sessions.append(sessionId, { type: 'context.added', from: `the hook ${hook}`, text }),
    askModel,
    ...(commandHooks === undefined ? {} : { commandHooks }),
    ...(runAgent === undefined ? {} : { runAgent }),
    ...(callMcpTool === undefined ? {} : { callMcpTool }),
    now,
    log,
    variables: ports.environment.variables,
    platform: ports.host.platform,
    async transcript(sessionId) {
      const kept = results.sessionFolder(sessionId);
      if (kept === null) return '';
      const file = join(dirname(kept), 'transcript.jsonl');
      try {
        await transcripts.bringUp(sessionId, file);
        return file;
      } catch (error) {
        log.error('the transcript for hooks could not be written', error);
        return '';
      }
    },
    promptId: (sessionId) =>
      sessions.state(sessionId).items.findLast((item) => item.kind === 'user')?.messageId ?? null,
    envFile: (sessionId) => makeEnvFile(hookEnvFile(paths.data, sessionId), log),
  };
  const hooks = createHooks(options);
  const announcer = new HookAnnouncer({ hooks, sessions, engine, log });
  return {
    listens: (sessionId, name, matched) => hooks.listens(sessionId, name, matched),
    fire: (event, place, signal) => hooks.fire(event, place, signal),
    tryOut: (trial) => tryHook(trial, options),
    async dispose() {
      await announcer.dispose();
      await hooks.dispose();
    },
  };
}

async function makeEnvFile(path: string, log: CorePorts['log']): Promise<string | null> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await (await open(path, 'a', 0o600)).close();
    return path;
  } catch (error) {
    log.error('making the file for variables of hooks failed', error);
    return null;
  }
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function answerOf(client: ModelClient, request: Parameters<ModelClient['stream']>[0]): Promise<string> {
  const texts: string[] = [];
  for await (const event of client.stream(request))
    if (event.type === 'block' && event.block.type === 'text') texts.push(event.block.text);
  return texts.join('');
}

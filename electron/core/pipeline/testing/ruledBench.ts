// A bench whose decisions are those of the real engine over rules of the test, with a shell that runs nothing.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { PermissionMode } from '#shared/permissions/modes';
import type { AskAnswer } from '#shared/session/ask';
import type { ToolCall } from '#shared/session/toolCall';
import type { JsonValue } from '#shared/util/json';
import type { PermissionEngine } from '../../permissions/engine';
import { createPermissionEngine } from '../../permissions/permissionEngine';
import { bench } from '../../testing/bench';
import { buildTool, type ToolDefinition } from '../../tools/buildTool';
import type { AnyTool } from '../../tools/tool';
import { announceCall, type CallAfter, runToolCall } from '../runToolCall';

interface Command {
  readonly command: string;
}

/** A tool called Bash that notes what it would run. */
export function notingShell(ran: string[], more: Partial<ToolDefinition<Command, string>> = {}): AnyTool {
  return buildTool<Command, string>({
    name: 'Bash',
    prompt: 'Notes.',
    icon: 'terminal',
    inputSchema: () => z.strictObject({ command: z.string().min(1) }),
    facts: ({ command }, place) => [{ kind: 'command', command, cwd: place.cwd }],
    call: ({ command }) => {
      ran.push(command);
      return Promise.resolve(`ran ${command}`);
    },
    mapResult: (output) => [{ type: 'text', text: output }],
    getToolUseSummary: ({ command }) => command,
    getActivityDescription: () => 'Noting',
    renderUse: ({ command }) => ({ kind: 'terminal', command }),
    renderResult: (output) => ({ view: { kind: 'text', text: output }, note: 'noted' }),
    ...more,
  });
}

export interface RuledBench {
  readonly engine: PermissionEngine;
  readonly ran: string[];
  readonly bench: ReturnType<typeof bench>;
  readonly sessionId: string;
  readonly folder: string;
  /** Home folder and folder of the core's own data. */
  readonly paths: { readonly home: string; readonly data: string };
  /** Asks that came up, answered with `answers` as they come. */
  readonly asked: { readonly input: JsonValue }[];
  /** Runs one call to its end in a mode; `after` is what it means for its turn. */
  run(call: {
    readonly input: JsonValue;
    readonly tool?: string;
    readonly mode?: PermissionMode;
    readonly signal?: AbortSignal;
  }): Promise<{ readonly call: ToolCall; readonly after: CallAfter }>;
  notices(): string[];
  dispose(): Promise<void>;
}

export interface RuledBenchOptions
  extends Pick<NonNullable<Parameters<typeof bench>[0]>, 'hooks' | 'canAsk' | 'services' | 'classifier' | 'engine'> {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  /** How a person answers each ask; left out: they allow it once. */
  readonly answer?: AskAnswer;
  readonly shell?: Partial<ToolDefinition<Command, string>>;
  readonly tools?: readonly AnyTool[];
}

export async function ruledBench(options: RuledBenchOptions = {}): Promise<RuledBench> {
  const { allow = [], ask = [], deny = [] } = options;
  const base = await mkdtemp(join(tmpdir(), 'gatehouse-pipeline-'));
  const engine = createPermissionEngine({
    paths: {
      data: join(base, 'data'),
      home: join(base, 'home'),
      claudeConfig: join(base, 'home', '.claude'),
      managedSettings: join(base, 'etc', 'managed-settings.json'),
      privateFiles: [],
    },
    platform: 'linux',
    allowBypass: true,
    runsAsRoot: false,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    extraSources: [{ source: 'cliArg', allow, ask, deny }],
    whyNoClassifier: () => '',
  });
  const ran: string[] = [];
  const tools = options.tools ?? [notingShell(ran, options.shell)];
  const b = bench({ ...options, tools: [...tools], engine: { ...engine, ...options.engine } });
  const folder = join(base, 'project');
  const model = { id: 'test', label: 'Test', scripted: false };
  const sessionId = b.sessions.create({ folder, title: 'New session', mode: 'default', model });
  const asked: { readonly input: JsonValue }[] = [];
  b.sessions.listen({
    onEvent: (_id, { body }) => {
      if (body.type !== 'call.asked' || body.ask.kind !== 'permission') return;
      asked.push({ input: body.ask.input });
      const { askId } = body.ask;
      const answer = options.answer ?? { kind: 'allowOnce' as const };
      queueMicrotask(() => void b.asks.answer({ sessionId, askId, answer }).catch(() => undefined));
    },
    onLive: () => undefined,
    onListChange: () => undefined,
  });
  let count = 0;
  return {
    engine,
    ran,
    bench: b,
    sessionId,
    folder,
    paths: { home: join(base, 'home'), data: join(base, 'data') },
    asked,
    async run({ input, tool = 'Bash', mode = 'default', signal = new AbortController().signal }) {
      if (b.sessions.state(sessionId).mode !== mode) b.sessions.append(sessionId, { type: 'mode.changed', mode });
      count += 1;
      const callId = `m.${count}`;
      const request = {
        sessionId,
        callId,
        messageId: 'm',
        toolUseId: `toolu_${count}`,
        name: tool,
        input,
        cutOff: false,
      };
      announceCall(b.services, request);
      const after = await runToolCall(b.services, request, signal);
      const call = b.sessions.state(sessionId).calls[callId];
      if (call === undefined) throw new Error('the call was not announced');
      return { call, after };
    },
    notices: () => b.sessions.state(sessionId).items.flatMap((item) => (item.kind === 'notice' ? [item.text] : [])),
    async dispose() {
      await engine.dispose();
      await rm(base, { recursive: true, force: true });
    },
  };
}

import { z } from 'zod';
import type { SubAgent } from '#shared/session/subAgent';
import type { AgentEnd, AgentStart } from '../../agent/subAgents';
import { usualAgent } from '../../context/builtInAgents';
import type { AgentType } from '../../context/definitions';
import { buildTool } from '../buildTool';
import { rejection } from '../changeTarget';
import { closeMatches } from '../closeMatches';
import { semanticBoolean } from '../semanticInput';
import { type CallContext, type CallPlace, ToolFailure } from '../tool';
import { counted, duration, oneLine } from '../wording';
import prompt from './agent.prompt.md';
import { AgentCommand } from './agentCommand';

/** What of an agent's report goes to the model, in characters; the rest is kept in a file. */
const maxReportChars = 32_000;

const words = (what: string) =>
  z
    .string()
    .refine((text) => text.trim() !== '', 'expected some text')
    .describe(what);

const inputSchema = () =>
  z.strictObject({
    description: words('The task in three to five words, for the person: "Find callers of parse".'),
    prompt: words('The whole task. The agent knows nothing else.'),
    subagent_type: z.string().optional().describe(`Kind of agent; ${usualAgent} when left out.`),
    model: z.string().min(1).optional().describe('Model that answers: an id or a family; left out: as its kind says.'),
    run_in_background: semanticBoolean()
      .optional()
      .describe('Answer at once with the id of a background task, and go on meanwhile.'),
    isolation: z.literal('worktree').optional().describe('"worktree": it works in a git worktree of its own.'),
  });

export type AgentInput = z.infer<ReturnType<typeof inputSchema>>;

export type AgentOutput =
  | { readonly kind: 'ended'; readonly end: AgentEnd }
  | { readonly kind: 'background'; readonly taskId: string; readonly type: string };

export interface AgentOptions {
  /** The kinds of agents that the session may start. */
  readonly types: (sessionId: string) => Promise<readonly AgentType[]>;
  /** Why no further agent may start; null when one may. */
  readonly refusal: (sessionId: string, callId: string) => string | null;
  readonly run: (start: AgentStart) => Promise<AgentEnd>;
}

/** Hands a task to a sub-agent. */
export function createAgentTool(options: AgentOptions) {
  return buildTool<AgentInput, AgentOutput>({
    name: 'Agent',
    aliases: ['Task'],
    searchHint: 'sub-agent, delegate a task, search on the side',
    prompt,
    icon: 'tool',
    inputSchema,
    // It does nothing itself; each of its calls is judged on its own.
    isReadOnly: () => true,
    canBeReadOnly: () => true,
    isConcurrencySafe: () => true,
    facts: () => [],
    checkPermissions: () => ({ behavior: 'allow', detail: 'Each call of the agent is checked by itself.' }),
    toAutoClassifierInput: (input) => `${typeOf(input)}: ${input.prompt}`,
    maxResultSizeChars: maxReportChars,
    async validateInput(input, { sessionId, callId }) {
      if (input.isolation !== undefined)
        return rejection(
          'noWorktree',
          'Agents with a worktree of their own are not available here. Leave `isolation` out, or make the worktree first and name its folder in the prompt.',
        );
      const refusal = options.refusal(sessionId, callId);
      if (refusal !== null) return rejection('noAgent', refusal);
      const types = await options.types(sessionId);
      const names = types.map(({ name }) => name);
      const wished = typeOf(input);
      const type = types.find(({ name }) => name === wished);
      if (type === undefined) {
        const close = closeMatches(wished, names);
        const meant = close.length > 0 ? `Did you mean ${close.join(' or ')}?` : `There are: ${names.join(', ')}.`;
        return rejection('unknownAgent', `There is no agent called ${oneLine(wished, 80)}. ${meant}`);
      }
      if (type.isolation === 'worktree')
        return rejection(
          'noWorktree',
          `The agent ${type.name} needs a git worktree of its own, which is not available here.`,
        );
      return { verdict: 'ok' };
    },
    observableInput: (input) => ({ ...input, subagent_type: typeOf(input) }),
    async call(input, context) {
      const type = (await options.types(context.sessionId)).find(({ name }) => name === typeOf(input));
      if (type === undefined) throw new ToolFailure('notFound', `The agent ${typeOf(input)} is gone. Use another one.`);
      const start = {
        sessionId: context.sessionId,
        callId: context.callId,
        type,
        prompt: input.prompt,
        description: oneLine(input.description, 100),
        model: input.model ?? null,
      };
      if (input.run_in_background ?? type.background) return startInBackground(options, start, context);
      const end = await options.run({
        ...start,
        background: false,
        signal: context.signal,
        onProgress: context.onProgress,
      });
      if (end.agent.status !== 'completed') throw unfinished(end, context);
      return { kind: 'ended', end };
    },
    mapResult(output) {
      if (output.kind === 'background') {
        const text = `The agent ${output.type} works in the background as task ${output.taskId}. Read it with TaskOutput, end it with TaskStop. You are told when it has ended.`;
        return [{ type: 'text', text }];
      }
      const { text } = output.end;
      return [{ type: 'text', text: text === '' ? 'The agent has ended without a report.' : text }];
    },
    userFacingName: (input) => `Agent ${typeOf(input)}`,
    getToolUseSummary: (input) => oneLine(input.description, 100),
    getActivityDescription: (input) => `Agent ${typeOf(input)}: ${oneLine(input.description, 80)}`,
    extractSearchText: (output) => (output.kind === 'ended' ? output.end.text : ''),
    renderUse: (input) => ({ kind: 'text', text: input.prompt }),
    renderResult(output) {
      if (output.kind === 'background')
        return { view: { kind: 'text', text: `In the background as ${output.taskId}.` }, note: output.taskId };
      const { text, calls, agent } = output.end;
      return { view: { kind: 'markdown', text: text || 'No report.' }, note: noteOf(agent, calls) };
    },
  });
}

function typeOf({ subagent_type: type }: AgentInput): string {
  return type === undefined || type.trim() === '' ? usualAgent : type.trim();
}

function noteOf({ startedAt, endedAt }: SubAgent, calls: number): string {
  return `${counted(calls, 'call')} in ${duration((endedAt ?? startedAt) - startedAt)}`;
}

/** What the model is told of an agent that did not come to its own end. */
function unfinished({ agent, text, calls }: AgentEnd, { signal }: Pick<CallContext, 'signal'>): ToolFailure {
  const soFar = text === '' ? 'It had written nothing.' : `Its last words:\n${text}`;
  const note = `${agent.status}, ${noteOf(agent, calls)}`;
  if (signal.aborted)
    return new ToolFailure(
      'aborted',
      `The person stopped the agent ${agent.type} after ${counted(calls, 'call')}. ${soFar}`,
      { note },
    );
  const why = agent.note === '' ? '' : ` ${agent.note}`;
  const next = 'What it has done so far has been done: check it before you go on.';
  const said = `The agent ${agent.type} did not finish.${why} ${soFar}\n${next}`;
  return new ToolFailure('tool', said, { note });
}

/** The call ends; the agent goes on as a background task that anybody may read and stop. */
function startInBackground(
  options: AgentOptions,
  start: Omit<AgentStart, 'background' | 'signal' | 'onProgress'>,
  context: CallContext & CallPlace,
): AgentOutput {
  const running = new AgentCommand((signal, onProgress) =>
    options.run({ ...start, background: true, signal, onProgress }),
  );
  const task = context.tasks.adopt({
    command: `Agent ${start.type.name}: ${start.description}`,
    description: start.description,
    outputFile: null,
    running,
  });
  return { kind: 'background', taskId: task.taskId, type: start.type.name };
}

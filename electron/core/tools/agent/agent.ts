import { z } from 'zod';
import type { SubAgent } from '#shared/session/subAgent';
import type { AgentEnd, AgentStart } from '../../agent/subAgents';
import { usualAgent } from '../../context/builtInAgents';
import type { AgentType } from '../../context/definitions';
import { runGit } from '../../worktrees/runGit';
import { buildTool } from '../buildTool';
import { rejection } from '../changeTarget';
import { closeMatches } from '../closeMatches';
import type { WorktreeOptions } from '../enterWorktree/enterWorktree';
import { semanticBoolean } from '../semanticInput';
import { type CallContext, type CallPlace, ToolFailure } from '../tool';
import { counted, duration, oneLine } from '../wording';
import prompt from './agent.prompt.md';
import { AgentCommand } from './agentCommand';
import {
  addCommand,
  agentWorktree,
  checkWorktree,
  settleWorktree,
  type WorktreeEnd,
  worktreeFacts,
  worktreeInWords,
} from './agentWorktree';

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
  | { readonly kind: 'ended'; readonly end: AgentEnd; readonly worktree: WorktreeEnd | null }
  | { readonly kind: 'background'; readonly taskId: string; readonly type: string };

/** An agent that has ended, and what became of its worktree; null: it had none. */
interface AgentRun {
  readonly end: AgentEnd;
  readonly worktree: WorktreeEnd | null;
}

export interface AgentOptions {
  /** The kinds of agents that the session may start. */
  readonly types: (sessionId: string) => Promise<readonly AgentType[]>;
  /** Why no further agent may start; null when one may. */
  readonly refusal: (sessionId: string, callId: string) => string | null;
  readonly run: (start: AgentStart) => Promise<AgentEnd>;
  readonly worktrees: WorktreeOptions;
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
    // It does nothing itself but make a worktree; each of its calls is judged on its own.
    isReadOnly: ({ isolation }) => isolation === undefined,
    canBeReadOnly: () => true,
    isConcurrencySafe: () => true,
    facts: ({ isolation }, place) => (isolation === undefined ? [] : worktreeFacts(place)),
    checkPermissions: ({ isolation }) =>
      isolation === undefined
        ? { behavior: 'allow', detail: 'Each call of the agent is checked by itself.' }
        : { behavior: 'passthrough' },
    toAutoClassifierInput: (input) => `${typeOf(input)}: ${input.prompt}`,
    maxResultSizeChars: maxReportChars,
    async validateInput(input, context) {
      const { sessionId, callId } = context;
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
      if (input.isolation === undefined)
        return type.isolation === null
          ? { verdict: 'ok' }
          : rejection(
              'needsWorktree',
              `The agent ${type.name} works in a git worktree of its own: call it with isolation: "worktree".`,
            );
      const why = options.worktrees.whyNot();
      return why === '' ? await checkWorktree(context) : rejection('noWorktree', `${why} Leave \`isolation\` out.`);
    },
    observableInput: (input) => ({ ...input, subagent_type: typeOf(input) }),
    async call(input, context) {
      const type = (await options.types(context.sessionId)).find(({ name }) => name === typeOf(input));
      if (type === undefined) throw new ToolFailure('notFound', `The agent ${typeOf(input)} is gone. Use another one.`);
      const worktree = input.isolation === undefined ? null : agentWorktree(context);
      if (worktree !== null) {
        await options.worktrees.prepare(context.folder);
        await runGit(context, addCommand(context));
      }
      const start = {
        sessionId: context.sessionId,
        callId: context.callId,
        type,
        prompt: input.prompt,
        description: oneLine(input.description, 100),
        model: input.model ?? null,
        folder: worktree?.path ?? null,
      };
      const run = async (how: Pick<AgentStart, 'background' | 'signal' | 'onProgress'>): Promise<AgentRun> => {
        const end = await options.run({ ...start, ...how });
        return { end, worktree: worktree === null ? null : await settleWorktree(context, worktree) };
      };
      if (input.run_in_background ?? type.background) return startInBackground(run, start, context);
      const { signal, onProgress } = context;
      const ran = await run({ background: false, signal, onProgress });
      if (ran.end.agent.status !== 'completed') throw unfinished(ran, context);
      return { kind: 'ended', ...ran };
    },
    mapResult(output) {
      if (output.kind === 'background') {
        const text = `The agent ${output.type} works in the background as task ${output.taskId}. Read it with TaskOutput, end it with TaskStop. You are told when it has ended.`;
        return [{ type: 'text', text }];
      }
      const { end, worktree } = output;
      const report = end.text === '' ? 'The agent has ended without a report.' : end.text;
      const place = worktree === null ? [] : [{ type: 'text' as const, text: worktreeInWords(worktree) }];
      return [{ type: 'text', text: report }, ...place];
    },
    userFacingName: (input) => `Agent ${typeOf(input)}`,
    getToolUseSummary: (input) => oneLine(input.description, 100),
    getActivityDescription: (input) => `Agent ${typeOf(input)}: ${oneLine(input.description, 80)}`,
    extractSearchText: (output) => (output.kind === 'ended' ? output.end.text : ''),
    renderUse: (input, place) => ({
      kind: 'text',
      text:
        input.isolation === undefined ? input.prompt : `${input.prompt}\n\nIn its own worktree: ${addCommand(place)}`,
    }),
    renderResult(output) {
      if (output.kind === 'background')
        return { view: { kind: 'text', text: `In the background as ${output.taskId}.` }, note: output.taskId };
      const { end, worktree } = output;
      const place = worktree?.kept === true ? `\n\n${worktreeInWords(worktree)}` : '';
      return {
        view: { kind: 'markdown', text: `${end.text || 'No report.'}${place}` },
        note: noteOf(end.agent, end.calls),
      };
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
function unfinished({ end, worktree }: AgentRun, { signal }: Pick<CallContext, 'signal'>): ToolFailure {
  const { agent, text, calls } = end;
  const place = worktree === null ? '' : `\n${worktreeInWords(worktree)}`;
  const soFar = text === '' ? 'It had written nothing.' : `Its last words:\n${text}`;
  const note = `${agent.status}, ${noteOf(agent, calls)}`;
  if (signal.aborted)
    return new ToolFailure(
      'aborted',
      `The person stopped the agent ${agent.type} after ${counted(calls, 'call')}. ${soFar}${place}`,
      { note },
    );
  const why = agent.note === '' ? '' : ` ${agent.note}`;
  const next = 'What it has done so far has been done: check it before you go on.';
  const said = `The agent ${agent.type} did not finish.${why} ${soFar}${place}\n${next}`;
  return new ToolFailure('tool', said, { note });
}

/** The call ends; the agent goes on as a background task that anybody may read and stop. */
function startInBackground(
  run: (how: Pick<AgentStart, 'background' | 'signal' | 'onProgress'>) => Promise<AgentRun>,
  start: Pick<AgentStart, 'type' | 'description'>,
  context: CallContext & CallPlace,
): AgentOutput {
  const running = new AgentCommand(async (signal, onProgress) => {
    const { end, worktree } = await run({ background: true, signal, onProgress });
    if (worktree !== null) onProgress(`[${worktreeInWords(worktree)}]`);
    return end;
  });
  const task = context.tasks.adopt({
    command: `Agent ${start.type.name}: ${start.description}`,
    description: start.description,
    outputFile: null,
    running,
  });
  return { kind: 'background', taskId: task.taskId, type: start.type.name };
}

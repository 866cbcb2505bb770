// Turns the lines of a transcript into the events of a session, so that one reducer makes both.
import type { SessionEvent, SessionEventBody } from '#shared/session/events';
import { Todo } from '#shared/session/events';
import type { JsonValue } from '#shared/util/json';
import { resultOutcome } from '../history/import/resultOutcome';
import { assistantBlock, bounded, inputOf, type LeftOut, leaveOut, resultBlocks, usageOf } from './blocks';
import type { Fields, Line, MessageFields } from './line';
import { stringOf } from './line';
import { persistedIn } from './persistedOutput';
import { presentCall, resultView } from './presentCall';
import { isInterruption, plain, userText } from './userText';

/** What a sub-agent did, from a file of its own or from within the session's. */
export interface AgentLines {
  readonly lines: readonly Line[];
  /** As the program calls it; null: it has no name. */
  readonly agentId: string | null;
  /** Texts beside the file, of which one may name the call that started it. */
  readonly mentions: ReadonlySet<string>;
}

export interface TranscriptParts {
  readonly title: string;
  readonly folder: string;
  /** The newest thread, in order. */
  readonly lines: readonly Line[];
  readonly agents: readonly AgentLines[];
  /** Where kept results of this transcript lie. */
  readonly resultFolder: string;
  /** Counts where a line does not say when it was; epoch milliseconds. */
  readonly at: number;
}

interface OpenCall {
  readonly callId: string;
  readonly name: string;
  readonly input: Record<string, JsonValue>;
  agent: AgentLines | null;
}

const status = { ran: 'succeeded', failed: 'failed', refused: 'denied', unknown: 'interrupted' } as const;
/** Agents that start agents that start agents … */
const maxDepth = 8;

/** The session that a transcript tells of. `leftOut`: what has no place in it. */
export function transcriptEvents(parts: TranscriptParts): {
  readonly events: SessionEvent[];
  readonly leftOut: LeftOut;
} {
  const writer = new EventWriter(parts);
  writer.write();
  return { events: writer.events, leftOut: writer.leftOut };
}

class EventWriter {
  readonly events: SessionEvent[] = [];
  readonly leftOut: LeftOut = new Map();
  private at: number;
  private readonly agentsLeft: Set<AgentLines>;
  private agentCount = 0;
  private readonly messageIds = new Set<string>();

  constructor(private readonly parts: TranscriptParts) {
    this.at = parts.at;
    this.agentsLeft = new Set(parts.agents);
  }

  write(): void {
    const { title, folder, lines } = this.parts;
    this.at = lines.find((line) => line.at !== null)?.at ?? this.at;
    const model = lines.findLast((line) => isAnswer(line.message))?.message?.model ?? '';
    this.add({
      type: 'session.created',
      ...{ folder, title, mode: 'default', network: false },
      model: { id: model, label: model, scripted: false },
    });
    this.conversation(lines, null);
    leaveOut(this.leftOut, 'sub-agents of which nobody knows who started them', this.agentsLeft.size);
  }

  private add(body: SessionEventBody): void {
    this.events.push({ seq: this.events.length + 1, at: this.at, body });
  }

  /** The conversation of the session, or of one of its sub-agents. */
  private conversation(
    lines: readonly Line[],
    agent: { readonly agentId: string; readonly depth: number } | null,
  ): void {
    const of = agent === null ? {} : { agentId: agent.agentId };
    const messages = blocksByMessage(lines);
    const begun = new Set<string>();
    const open = new Map<string, OpenCall>();
    const startedBy = agentNames(lines);
    let boundary: Line['system'] = null;
    for (const [index, line] of lines.entries()) {
      this.at = line.at ?? this.at;
      const { message, system } = line;
      if (system !== null) {
        if (system.subtype === 'compact_boundary') boundary = system;
        else if (system.subtype === 'local_command' && agent === null) this.notice('info', userText(system.text).shown);
        continue;
      }
      if (message === null) continue;
      if (line.isSummary && agent === null) {
        this.interrupt(open);
        this.add({
          type: 'conversation.compacted',
          throughSeq: this.events.length,
          summary: textIn(message),
          trigger: boundary?.trigger === 'manual' ? 'manual' : 'auto',
          tokensBefore: boundary?.tokensBefore ?? 0,
        });
        boundary = null;
        continue;
      }
      if (message.role === 'user') {
        this.results(line, open);
        this.said(line, { index, agentId: agent?.agentId ?? null });
        continue;
      }
      if (line.isFault) {
        this.notice('warning', textIn(message));
        continue;
      }
      if (!isAnswer(message)) continue;
      const key = message.id ?? line.uuid ?? `line-${index}`;
      if (begun.has(key)) continue;
      begun.add(key);
      const whole = messages.get(key);
      if (whole === undefined) continue;
      const messageId = this.uniqueId(key);
      this.add({ type: 'assistant.started', messageId, ...of });
      this.answer({ messageId, whole, open, startedBy, of, depth: agent?.depth ?? 0 });
    }
    this.interrupt(open);
  }

  private answer(about: {
    readonly messageId: string;
    readonly whole: WholeMessage;
    readonly open: Map<string, OpenCall>;
    readonly startedBy: ReadonlyMap<string, string>;
    readonly of: { readonly agentId?: string };
    readonly depth: number;
  }): void {
    const { messageId, whole, open, startedBy, of, depth } = about;
    let index = 0;
    for (const given of whole.blocks) {
      const block = assistantBlock(given);
      if (block === null) {
        leaveOut(this.leftOut, 'parts of answers of an unknown kind');
        continue;
      }
      this.add({ type: 'assistant.block', messageId, index, block, ...of });
      if (block.type === 'tool_use') {
        const input = inputOf(given.input);
        const callId = `${messageId}.${index}`;
        const call: OpenCall = { callId, name: block.name, input, agent: null };
        const presentation = presentCall(call);
        this.add({ type: 'call.created', callId, messageId, name: block.name, input, presentation, ...of });
        if (block.name === 'TodoWrite') this.todos(input);
        call.agent = depth < maxDepth ? this.agentOf(block.id, input, startedBy.get(block.id) ?? null) : null;
        // The same id twice: the first has no result of its own.
        const before = open.get(block.id);
        if (before !== undefined) this.interrupt(new Map([[block.id, before]]));
        open.set(block.id, call);
      }
      index += 1;
    }
    const { usage, stopReason } = whole;
    this.add({
      type: 'assistant.finished',
      messageId,
      stopReason: stopReason ?? 'end_turn',
      usage: usageOf(usage),
      ...of,
    });
    for (const call of open.values()) if (call.agent !== null) this.agent(call, of.agentId ?? null, depth + 1);
  }

  private agentOf(toolUseId: string, input: OpenCall['input'], name: string | null): AgentLines | null {
    for (const agent of this.agentsLeft) {
      const named = agent.mentions.has(toolUseId) || (name !== null && agent.agentId === name);
      if (!named && !(typeof input.prompt === 'string' && firstText(agent.lines) === input.prompt.trim())) continue;
      this.agentsLeft.delete(agent);
      return agent;
    }
    return null;
  }

  private agent(call: OpenCall, parent: string | null, depth: number): void {
    const lines = call.agent?.lines ?? [];
    call.agent = null;
    this.agentCount += 1;
    const agentId = `a${this.agentCount}`;
    const { input, callId } = call;
    const startedAt = lines.find((line) => line.at !== null)?.at ?? this.at;
    const endedAt = lines.findLast((line) => line.at !== null)?.at ?? startedAt;
    const agent = {
      agentId,
      callId,
      parent,
      type: stringOf(input.subagent_type).slice(0, 200) || 'agent',
      description: stringOf(input.description).slice(0, 400),
      model: lines.findLast((line) => isAnswer(line.message))?.message?.model ?? '',
      background: input.run_in_background === true,
      startedAt,
      note: '',
    };
    const now = this.at;
    this.at = startedAt;
    this.add({ type: 'agent.changed', agent: { ...agent, status: 'running', endedAt: null } });
    this.conversation(lines, { agentId, depth });
    this.add({ type: 'agent.changed', agent: { ...agent, status: 'completed', endedAt } });
    this.at = now;
  }

  private results(line: Line, open: Map<string, OpenCall>): void {
    for (const block of line.message?.content ?? []) {
      if (block.type !== 'tool_result') continue;
      const call = typeof block.tool_use_id === 'string' ? open.get(block.tool_use_id) : undefined;
      if (call === undefined) continue;
      open.delete(stringOf(block.tool_use_id));
      const content = resultBlocks(block.content, this.leftOut);
      const persisted = persistedIn(content, this.parts.resultFolder);
      const outcome = resultOutcome(block, line.refusal);
      const chars = content.reduce((sum, one) => sum + (one.type === 'text' ? one.text.length : 0), 0);
      this.add({
        type: 'call.finished',
        callId: call.callId,
        status: status[outcome],
        ...(outcome === 'failed' ? { failure: 'tool' as const } : {}),
        content,
        view: resultView(call, { content, failed: outcome !== 'ran', facts: line.result }),
        note: `${chars.toLocaleString('en-US')} characters`,
        ...(persisted === null ? {} : { persisted }),
      });
    }
  }

  /** Calls that have no result in the transcript. */
  private interrupt(open: Map<string, OpenCall>): void {
    for (const { callId } of open.values())
      this.add({
        type: 'call.finished',
        callId,
        status: 'interrupted',
        content: [{ type: 'text', text: 'Interrupted: this call has no result.' }],
        view: null,
        note: 'no result in the transcript',
      });
    open.clear();
  }

  private said(line: Line, about: { readonly index: number; readonly agentId: string | null }): void {
    const { message } = line;
    if (message === null) return;
    const of = about.agentId === null ? {} : { agentId: about.agentId };
    const said: string[] = [];
    const told: string[] = [];
    for (const block of message.content) {
      if (block.type === 'tool_result') continue;
      if (block.type !== 'text' || typeof block.text !== 'string') {
        const isImage = block.type === 'image';
        leaveOut(this.leftOut, isImage ? 'images' : 'parts of messages of an unknown kind');
        said.push(isImage ? '[image]' : `[${stringOf(block.type).slice(0, 40) || 'unknown'}]`);
        continue;
      }
      if (isInterruption(block.text)) {
        if (about.agentId === null) this.notice('info', 'You interrupted this.');
        continue;
      }
      const text = userText(block.text);
      told.push(...text.told);
      if (text.shown !== '' && about.agentId === null) this.notice('info', text.shown);
      if (text.said === '') continue;
      if (line.isMeta) told.push(text.said);
      else said.push(text.said);
    }
    if (said.length > 0) {
      const messageId = this.uniqueId(line.uuid ?? `${about.agentId ?? ''}line-${about.index}`);
      this.add({ type: 'message.sent', messageId, text: bounded(said.join('\n\n')), ...of });
    }
    for (const text of told)
      if (text !== '') this.add({ type: 'context.added', from: 'Claude Code', text: bounded(text), ...of });
  }

  private notice(level: 'info' | 'warning', text: string): void {
    if (text.trim() !== '') this.add({ type: 'notice', level, text: bounded(plain(text), 20_000), next: '' });
  }

  private todos(input: OpenCall['input']): void {
    const todos = Todo.array().safeParse(
      Array.isArray(input.todos)
        ? input.todos.map((todo) => {
            const { content = '', status: state, activeForm = content } = isObject(todo) ? todo : {};
            return { content, status: state, activeForm };
          })
        : null,
    );
    if (todos.success) this.add({ type: 'todos.changed', todos: todos.data });
  }

  /** Two messages of a transcript may have the same name; those of a session may not. */
  private uniqueId(wished: string): string {
    let id = wished;
    for (let count = 2; this.messageIds.has(id); count += 1) id = `${wished}-${count}`;
    this.messageIds.add(id);
    return id;
  }
}

interface WholeMessage {
  readonly blocks: Fields[];
  usage: Fields | null;
  stopReason: string | null;
}

/** One message of the model may stand in several lines, with results between them. */
function blocksByMessage(lines: readonly Line[]): ReadonlyMap<string, WholeMessage> {
  const messages = new Map<string, WholeMessage>();
  for (const [index, { message, uuid }] of lines.entries()) {
    if (message === null || !isAnswer(message)) continue;
    const key = message.id ?? uuid ?? `line-${index}`;
    const whole = messages.get(key) ?? { blocks: [], usage: null, stopReason: null };
    whole.blocks.push(...message.content);
    whole.usage = message.usage ?? whole.usage;
    whole.stopReason = message.stopReason ?? whole.stopReason;
    messages.set(key, whole);
  }
  return messages;
}

/** Names of sub-agents, by the id of the call that started each, as results tell them. */
function agentNames(lines: readonly Line[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { message, result } of lines) {
    const name = result?.agentId ?? null;
    if (name === null) continue;
    for (const block of message?.content ?? [])
      if (block.type === 'tool_result' && typeof block.tool_use_id === 'string') names.set(block.tool_use_id, name);
  }
  return names;
}

/** What the program itself put in an answer's place is none. */
function isAnswer(message: MessageFields | null): boolean {
  return message?.role === 'assistant' && message.model !== '<synthetic>';
}

const textIn = (message: MessageFields): string =>
  bounded(message.content.flatMap((block) => (typeof block.text === 'string' ? [block.text] : [])).join('\n\n'));

function firstText(lines: readonly Line[]): string {
  const first = lines.find((line) => line.message?.role === 'user')?.message;
  return first === null || first === undefined ? '' : textIn(first).trim();
}

const isObject = (value: JsonValue): value is { [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

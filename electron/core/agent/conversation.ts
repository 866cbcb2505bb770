// The session as the Messages API wants it: derived from the log, always validly paired.
import type Anthropic from '@anthropic-ai/sdk';
import type { SessionEvent, Usage } from '#shared/session/events';
import { contextText, summaryText } from './contextText';
import {
  type AssistantEntry,
  build,
  type CallResult,
  type ContentBlockParam,
  charsPerToken,
  type Entry,
  entryChars,
  isDiscarded,
  resultChars,
} from './entry';

type MessageParam = Anthropic.Messages.MessageParam;

/** Identifies a call by its place, since providers may reuse tool_use ids. */
export function callIdOf(messageId: string, index: number): string {
  return `${messageId}.${index}`;
}

function placeOf(callId: string): { readonly messageId: string; readonly index: number } {
  const dot = callId.lastIndexOf('.');
  return { messageId: callId.slice(0, dot), index: Number(callId.slice(dot + 1)) };
}

/** Opens a conversation whose beginning is lost: the first message must be the user's. */
const lostBeginning = '(The beginning of this conversation is missing.)';
/** Follows an answer that broke off: the last message must not be the model's, which would count as a prefill. */
const goOn = '(The answer above ended here.)';

export class Conversation {
  private entries: Entry[] = [];
  private readonly assistants = new Map<string, AssistantEntry>();
  private readonly takenIds = new Map<string, number>();
  private summary: string | null = null;
  /** Tokens of the last request and its answer as the API counted them; null before any, and after a compaction. */
  private measured: number | null = null;
  /** Characters added since that count, and those added while the present message streams. */
  private charsSince = 0;
  private charsStreaming = 0;

  /** Names of tools that searches have brought, in order. They stay when what brought them is summed up. */
  private readonly foundTools: string[] = [];

  apply({ seq, body }: Pick<SessionEvent, 'seq' | 'body'>): void {
    switch (body.type) {
      case 'message.sent':
        this.addText({ kind: 'person', seq, text: body.text });
        break;
      case 'context.added':
        this.addText({ kind: 'context', seq, text: contextText(body.from, body.text) });
        break;
      case 'assistant.started':
        this.addAssistant(seq, body.messageId);
        break;
      case 'assistant.block':
        this.change(body.messageId, seq, (entry) => {
          const { index, block } = body;
          const sentId = block.type === 'tool_use' ? this.sentId(block.id) : '';
          entry.blocks.set(index, { block, sentId });
        });
        break;
      case 'assistant.finished':
        this.change(body.messageId, seq, (entry) => {
          entry.stopReason = body.stopReason;
          this.measure(body.usage);
        });
        break;
      case 'call.finished':
        this.addFound(body.content);
        this.addResult(body.callId, seq, { content: body.content, isError: body.status !== 'succeeded' });
        break;
      case 'call.reopened':
        this.dropResult(body.callId, seq);
        break;
      case 'conversation.compacted':
        this.compact(body.throughSeq, body.summary);
        break;
      default:
        break;
    }
  }

  /**
   * Messages in order: the first and the last are the user's, roles alternate, every tool_use is answered once, results
   * come first in the next user message. The last is the model's only where it has to go on with it (`pause_turn`).
   */
  messages(): MessageParam[] {
    const messages: { role: 'user' | 'assistant'; content: ContentBlockParam[] }[] = [];
    /** Consecutive messages of the model: one message for the API. */
    let run: ContentBlockParam[] = [];
    let paused = false;
    const addUser = (content: readonly ContentBlockParam[]): void => {
      const last = messages.at(-1);
      if (last?.role === 'user') last.content.push(...content);
      else messages.push({ role: 'user', content: [...content] });
    };
    const endRun = (open: boolean): void => {
      const content = open ? run : sendable(run);
      run = [];
      if (content.length === 0) return;
      if (messages.length === 0) addUser([{ type: 'text', text: lostBeginning }]);
      messages.push({ role: 'assistant', content });
    };

    if (this.summary !== null) addUser([{ type: 'text', text: summaryText(this.summary) }]);
    for (const entry of this.entries) {
      if (entry.kind !== 'assistant') {
        endRun(false);
        addUser([{ type: 'text', text: entry.text }]);
        continue;
      }
      if (isDiscarded(entry)) continue;
      const { own, answers } = build(entry);
      // Nothing has come of it yet, as of the message that is about to be asked for.
      if (own.length === 0 && answers.length === 0) continue;
      run.push(...own);
      paused = entry.stopReason === 'pause_turn' && answers.length === 0;
      if (answers.length === 0) continue;
      endRun(false);
      addUser(answers);
    }
    endRun(paused);
    if (messages.at(-1)?.role === 'assistant' && !paused) addUser([{ type: 'text', text: goOn }]);
    return messages;
  }

  /** About how many tokens the next request's messages have. `whole`: system text and tools are counted in. */
  tokens(): { readonly tokens: number; readonly whole: boolean } {
    if (this.measured !== null) {
      const since = (this.charsSince + this.charsStreaming) / charsPerToken;
      return { tokens: Math.round(this.measured + since), whole: true };
    }
    const chars = this.entries.reduce((sum, entry) => sum + entryChars(entry), this.summary?.length ?? 0);
    return { tokens: Math.round(chars / charsPerToken), whole: false };
  }

  /** What the model is shown now, oldest first; messages that came to nothing are left out. */
  shown(): { readonly summary: string | null; readonly entries: readonly Entry[] } {
    const entries = this.entries.filter(
      (entry) => entry.kind !== 'assistant' || (entry.blocks.size > 0 && !isDiscarded(entry)),
    );
    return { summary: this.summary, entries };
  }

  /** Names of the tools that searches have brought, in the order of finding. */
  found(): readonly string[] {
    return this.foundTools;
  }

  private addFound(content: CallResult['content']): void {
    for (const block of content)
      if (block.type === 'tool_reference' && !this.foundTools.includes(block.name)) this.foundTools.push(block.name);
  }

  private addText(entry: Extract<Entry, { kind: 'person' | 'context' }>): void {
    // The API refuses blank text.
    if (entry.text.trim() === '') return;
    this.entries.push(entry);
    this.charsStreaming += entry.text.length;
  }

  private addAssistant(seq: number, messageId: string): void {
    const entry: AssistantEntry = {
      kind: 'assistant',
      seq,
      messageId,
      blocks: new Map(),
      results: new Map(),
      stopReason: null,
      lastSeq: seq,
      built: null,
    };
    this.entries.push(entry);
    this.assistants.set(messageId, entry);
    this.charsSince += this.charsStreaming;
    this.charsStreaming = 0;
  }

  private addResult(callId: string, seq: number, result: CallResult): void {
    const { messageId, index } = placeOf(callId);
    this.change(messageId, seq, (entry) => {
      // The first result is the one that the model may have been told already.
      if (entry.results.has(index)) return;
      entry.results.set(index, result);
      this.charsStreaming += resultChars(result.content);
    });
  }

  /** The model has not been told of it, and a new one follows. */
  private dropResult(callId: string, seq: number): void {
    const { messageId, index } = placeOf(callId);
    this.change(messageId, seq, (entry) => void entry.results.delete(index));
  }

  private change(messageId: string, seq: number, how: (entry: AssistantEntry) => void): void {
    const entry = this.assistants.get(messageId);
    if (entry === undefined) return;
    entry.lastSeq = seq;
    entry.built = null;
    how(entry);
  }

  /** The count covers the request and the answer, but not what came in while the answer streamed. */
  private measure(usage: Usage): void {
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
    const tokens = inputTokens + cacheReadTokens + cacheWriteTokens;
    if (tokens === 0) return;
    this.measured = tokens + outputTokens;
    this.charsSince = 0;
  }

  private compact(throughSeq: number, summary: string): void {
    this.summary = summary;
    this.entries = this.entries.filter((entry) => {
      if (entry.seq > throughSeq) return true;
      if (entry.kind === 'assistant') this.assistants.delete(entry.messageId);
      return false;
    });
    this.measured = null;
    this.charsSince = 0;
    this.charsStreaming = 0;
  }

  private sentId(id: string): string {
    const clean = id.replaceAll(/[^a-zA-Z0-9_-]/g, '_') || 'call';
    for (;;) {
      const times = (this.takenIds.get(clean) ?? 0) + 1;
      this.takenIds.set(clean, times);
      if (times === 1) return clean;
      const unique = `${clean}_${times}`;
      if (this.takenIds.has(unique)) continue;
      this.takenIds.set(unique, 1);
      return unique;
    }
  }
}

/**
 * What the API takes of a finished message: a server's call only with its result in the same message, a server's result
 * only after its call, and no thinking at the very end.
 */
function sendable(run: readonly ContentBlockParam[]): ContentBlockParam[] {
  const called = new Set<unknown>();
  const answered = new Set<unknown>();
  for (const block of run) {
    if (isServerCall(block)) called.add(block.id);
    else if (isServerResult(block) && called.has(block.tool_use_id)) answered.add(block.tool_use_id);
  }
  const paired = run.filter((block) => {
    if (isServerCall(block)) return answered.has(block.id);
    return !isServerResult(block) || answered.has(block.tool_use_id);
  });
  const end = paired.findLastIndex((block) => block.type !== 'thinking' && block.type !== 'redacted_thinking');
  return paired.slice(0, end + 1);
}

function isServerCall(block: ContentBlockParam): block is Extract<ContentBlockParam, { type: 'server_tool_use' }> {
  const type: string = block.type;
  return type === 'server_tool_use' || type === 'mcp_tool_use';
}

function isServerResult(
  block: ContentBlockParam,
): block is Extract<ContentBlockParam, { type: 'web_search_tool_result' }> {
  return block.type.endsWith('_tool_result');
}

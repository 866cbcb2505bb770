// A conversation as it is written down in every form: who said what, and what became of each call.
import type { ConversationItem, SessionState } from '#shared/session/state';
import type { SubAgent } from '#shared/session/subAgent';
import type { ToolCall } from '#shared/session/toolCall';
import type { DiffHunk } from '#shared/tools/presentation';
import { assertNever } from '#shared/util/assertNever';
import type { JsonValue } from '#shared/util/json';
import type { Redactor } from './redact';

export interface WrittenCall {
  readonly kind: 'call';
  readonly tool: string;
  /** Command, path, pattern: one line. */
  readonly what: string;
  readonly status: ToolCall['status'];
  readonly startedAt: number;
  /** Null: it goes on. */
  readonly endedAt: number | null;
  readonly input: JsonValue;
  readonly output: string;
  /** The change that it made to a file; null: none, or not known. */
  readonly change: { readonly path: string; readonly hunks: readonly DiffHunk[] } | null;
  /** Bytes of the result that was kept as a file; null: the output is all there was. */
  readonly keptBytes: number | null;
  /** What the sub-agent did that it started. */
  readonly agent: { readonly type: string; readonly calls: readonly WrittenCall[] } | null;
}

export type WrittenEntry =
  | { readonly kind: 'person' | 'answer' | 'summary'; readonly at: number; readonly text: string }
  | { readonly kind: 'notice'; readonly at: number; readonly level: string; readonly text: string }
  | WrittenCall;

export interface WrittenConversation {
  readonly title: string;
  readonly folder: string;
  readonly model: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly entries: readonly WrittenEntry[];
}

/** What has no place in the export, by name. */
export type LeftOut = Map<string, number>;

/** Sub-agents that start sub-agents that … */
const maxDepth = 8;

/** Writes a conversation down; every text goes through `clean`. */
export async function writeConversation(options: {
  readonly state: SessionState;
  readonly clean: Pick<Redactor, 'text' | 'value'>;
  readonly leftOut: LeftOut;
  readonly breathe: () => void | Promise<void>;
}): Promise<WrittenConversation> {
  const { state, clean, leftOut, breathe } = options;
  const writer = new Writer(state, clean, leftOut);
  const entries: WrittenEntry[] = [];
  for (const item of state.items) {
    entries.push(...writer.item(item));
    await breathe();
  }
  const first = state.items[0]?.at ?? state.createdAt;
  return {
    title: clean.text(state.title),
    folder: clean.text(state.folder),
    model: state.model.label,
    startedAt: Math.min(state.createdAt, first),
    endedAt: state.updatedAt,
    entries,
  };
}

class Writer {
  private readonly byMessage = new Map<string, ToolCall[]>();
  private readonly byAgent = new Map<string, ToolCall[]>();
  private readonly startedBy = new Map<string, SubAgent>();

  constructor(
    state: SessionState,
    private readonly clean: Pick<Redactor, 'text' | 'value'>,
    private readonly leftOut: LeftOut,
  ) {
    for (const agent of Object.values(state.agents)) this.startedBy.set(agent.callId, agent);
    for (const call of Object.values(state.calls)) {
      const [groups, key] =
        call.agentId === undefined ? [this.byMessage, call.messageId] : [this.byAgent, call.agentId];
      const known = groups.get(key);
      if (known === undefined) groups.set(key, [call]);
      else known.push(call);
    }
  }

  item(item: ConversationItem): WrittenEntry[] {
    const { clean } = this;
    switch (item.kind) {
      case 'user':
        return [{ kind: 'person', at: item.at, text: clean.text(item.text) }];
      case 'notice':
        return [
          {
            ...{ kind: 'notice', at: item.at, level: item.level },
            text: clean.text([item.text, item.next].filter((part) => part !== '').join(' ')),
          },
        ];
      case 'compaction':
        return [{ kind: 'summary', at: item.at, text: clean.text(item.summary) }];
      case 'assistant':
        return this.answer(item);
    }
  }

  private answer(item: Extract<ConversationItem, { kind: 'assistant' }>): WrittenEntry[] {
    const calls = [...(this.byMessage.get(item.messageId) ?? [])];
    const entries = item.blocks.flatMap((block): WrittenEntry[] => {
      switch (block.type) {
        case 'text':
          return block.text.trim() === '' ? [] : [{ kind: 'answer', at: item.at, text: this.clean.text(block.text) }];
        case 'thinking':
        case 'redacted_thinking':
          this.leave('thoughts of the model');
          return [];
        case 'server':
          this.leave('steps of the model’s own server');
          return [];
        case 'tool_use': {
          // A message's calls are made in the order of its blocks.
          const call = calls.shift();
          return call === undefined ? [] : [this.call(call, 0)];
        }
        default:
          return assertNever(block, 'block');
      }
    });
    return [...entries, ...calls.map((call) => this.call(call, 0))];
  }

  private call(call: ToolCall, depth: number): WrittenCall {
    const { clean } = this;
    const ended = 'endedAt' in call ? call : null;
    const view = ended?.view ?? call.presentation.view ?? null;
    if (view?.kind === 'image') this.leave('images');
    const agent = this.startedBy.get(call.callId);
    const own = agent === undefined || depth >= maxDepth ? [] : (this.byAgent.get(agent.agentId) ?? []);
    return {
      kind: 'call',
      tool: clean.text(call.presentation.title || call.name),
      what: clean.text(call.presentation.summary),
      status: call.status,
      startedAt: call.createdAt,
      endedAt: ended?.endedAt ?? null,
      input: clean.value(call.input),
      output: clean.text(ended?.modelText ?? ''),
      change:
        view?.kind === 'diff'
          ? {
              path: clean.text(view.path),
              hunks: view.hunks.map((hunk) => ({
                ...hunk,
                lines: hunk.lines.map(({ sign, text }) => ({ sign, text: clean.text(text) })),
              })),
            }
          : null,
      keptBytes: ended?.persisted?.bytes ?? null,
      agent:
        agent === undefined
          ? null
          : { type: clean.text(agent.type), calls: own.map((one) => this.call(one, depth + 1)) },
    };
  }

  private leave(what: string): void {
    this.leftOut.set(what, (this.leftOut.get(what) ?? 0) + 1);
  }
}

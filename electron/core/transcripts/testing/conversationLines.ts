// Lines of a conversation as Claude Code writes them, for tests: each follows the one before unless told otherwise.
import { randomUUID } from 'node:crypto';

type Fields = Readonly<Record<string, unknown>>;

export class ConversationLines {
  readonly lines: string[] = [];
  private last: string | null = null;
  private second = 0;

  constructor(private readonly envelope: Fields = {}) {}

  /** Adds a line and gives its id. */
  line(fields: Fields): string {
    const uuid = typeof fields.uuid === 'string' ? fields.uuid : randomUUID();
    this.second += 1;
    const timestamp = new Date(Date.UTC(2026, 8, 1, 12, 0, this.second)).toISOString();
    const about = { parentUuid: this.last, isSidechain: false, cwd: '/srv/app', sessionId: 's1', timestamp, uuid };
    this.lines.push(JSON.stringify({ ...about, ...this.envelope, ...fields }));
    this.last = uuid;
    return uuid;
  }

  raw(text: string): void {
    this.lines.push(text);
  }

  user(content: unknown, more: Fields = {}): string {
    return this.line({ type: 'user', message: { role: 'user', content }, ...more });
  }

  /** A line of an answer; lines with the same `id` are one message. */
  answer(id: string, block: Fields, more: Fields = {}): string {
    const { usage = { input_tokens: 5, output_tokens: 2 }, ...rest } = more;
    const message = { id, role: 'assistant', model: 'claude-sample', content: [block], stop_reason: null, usage };
    return this.line({ type: 'assistant', message, ...rest });
  }

  call(
    id: string,
    call: { readonly use: string; readonly name?: string; readonly input?: unknown },
    more: Fields = {},
  ): string {
    const { use, name = 'Bash', input = { command: 'ls' } } = call;
    return this.answer(id, { type: 'tool_use', id: use, name, input }, more);
  }

  result(use: string, content: unknown = 'ok', more: Fields & { readonly is_error?: boolean } = {}): string {
    const { is_error, ...rest } = more;
    const block = { type: 'tool_result', tool_use_id: use, content, ...(is_error === undefined ? {} : { is_error }) };
    return this.user([block], rest);
  }
}

export const text = (words: string) => ({ type: 'text', text: words });

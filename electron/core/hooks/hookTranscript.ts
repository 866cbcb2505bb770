// A session as lines of JSON in the form of Claude Code's transcripts, for hooks that read the file their input names. It is
// made from the log when a hook is about to run, and only grows.
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ResultBlock, SessionEvent } from '#shared/session/events';
import type { SessionState } from '#shared/session/state';

export interface TranscriptSession {
  eventsSince(sessionId: string, seq: number): readonly SessionEvent[];
  state(sessionId: string): Pick<SessionState, 'seq' | 'cwd' | 'items'>;
}

/** Of a file's end, enough to find the last whole line's number; a longer last line is written again from the beginning. */
const tailBytes = 1_048_576;

/** How many events are turned into lines before others get a turn. */
const batch = 2_000;

type Line = Readonly<Record<string, unknown>>;

/** Keeps one file for each session. */
export class HookTranscript {
  /** Number of the last event in the file, by session. */
  private readonly written = new Map<string, number>();
  private readonly writing = new Map<string, Promise<void>>();

  constructor(private readonly sessions: TranscriptSession) {}

  /** Brings `file` up to the session's last event. Rejects when it cannot be written. */
  bringUp(sessionId: string, file: string): Promise<void> {
    const before = this.writing.get(sessionId) ?? Promise.resolve();
    const next = before.catch(() => undefined).then(() => this.write(sessionId, file));
    this.writing.set(sessionId, next);
    return next;
  }

  private async write(sessionId: string, file: string): Promise<void> {
    const { seq } = this.sessions.state(sessionId);
    const known = this.written.get(sessionId);
    if (known === seq) return;
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const handle = await open(file, 'a+', 0o600);
    try {
      const from = known ?? (await lastNumber(handle));
      const events = this.sessions.eventsSince(sessionId, from);
      for (let at = 0; at < events.length; at += batch) {
        const lines = events.slice(at, at + batch).flatMap((event) => {
          const line = lineOf(event, { sessionId, state: this.sessions.state(sessionId) });
          return line === null ? [] : [`${JSON.stringify(line)}\n`];
        });
        if (lines.length > 0) await handle.appendFile(lines.join(''));
      }
      this.written.set(sessionId, events.at(-1)?.seq ?? from);
    } catch (error) {
      // What of it is in the file is read from the file.
      this.written.delete(sessionId);
      throw error;
    } finally {
      await handle.close();
    }
  }
}

/** Number of the event of the last whole line; cuts off what follows it. 0: there is none, and the file is emptied. */
async function lastNumber(handle: Awaited<ReturnType<typeof open>>): Promise<number> {
  const { size } = await handle.stat();
  const from = Math.max(0, size - tailBytes);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
  const end = buffer.subarray(0, bytesRead).lastIndexOf(10) + 1;
  const begin = end < 2 ? 0 : buffer.lastIndexOf(10, end - 2) + 1;
  const number = begin === 0 && from > 0 ? null : numberOf(buffer.toString('utf8', begin, end));
  await handle.truncate(number === null ? 0 : from + end);
  return number ?? 0;
}

function numberOf(line: string): number | null {
  try {
    const { gatehouseSeq } = JSON.parse(line);
    return Number.isSafeInteger(gatehouseSeq) ? gatehouseSeq : null;
  } catch {
    return null;
  }
}

function lineOf(
  { seq, at, body }: SessionEvent,
  { sessionId, state }: { readonly sessionId: string; readonly state: Pick<SessionState, 'cwd' | 'items'> },
): Line | null {
  const agentId = 'agentId' in body ? body.agentId : undefined;
  const line = (type: string, more: Line): Line => ({
    type,
    uuid: `${sessionId}-${seq}`,
    sessionId,
    timestamp: new Date(at).toISOString(),
    cwd: state.cwd,
    isSidechain: agentId !== undefined,
    ...(agentId === undefined ? {} : { agentId }),
    ...more,
    gatehouseSeq: seq,
  });
  switch (body.type) {
    case 'message.sent':
      return line('user', { message: { role: 'user', content: body.text } });
    case 'context.added':
      return line('user', { isMeta: true, message: { role: 'user', content: body.text } });
    case 'assistant.block': {
      const content = body.block.type === 'server' ? body.block.block : body.block;
      return line('assistant', { message: { id: body.messageId, role: 'assistant', content: [content] } });
    }
    case 'call.finished': {
      const result = {
        type: 'tool_result',
        tool_use_id: toolUseIdOf(body.callId, state),
        content: body.content.map(blockOf),
        is_error: body.status !== 'succeeded',
      };
      return line('user', { message: { role: 'user', content: [result] } });
    }
    case 'conversation.compacted':
      return line('system', { subtype: 'compact_boundary', content: body.summary });
    default:
      return null;
  }
}

function blockOf(block: ResultBlock): Line {
  switch (block.type) {
    case 'text':
      return block;
    case 'image':
      return { type: 'image', source: { type: 'base64', media_type: block.mediaType, data: block.base64 } };
    case 'tool_reference':
      return { type: 'tool_reference', tool_name: block.name };
  }
}

/** The provider's id of a call; its own where the message is not at hand, as those of sub-agents. */
function toolUseIdOf(callId: string, { items }: Pick<SessionState, 'items'>): string {
  const dot = callId.lastIndexOf('.');
  const message = items.findLast((item) => item.kind === 'assistant' && item.messageId === callId.slice(0, dot));
  const block = message?.kind === 'assistant' ? message.blocks[Number(callId.slice(dot + 1))] : undefined;
  return block?.type === 'tool_use' ? block.id : callId;
}

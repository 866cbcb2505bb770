// Makes a session of one's own that begins with a transcript. The transcript itself is only read.
import { join } from 'node:path';
import { RpcError } from '#shared/rpc/errors';
import type { ModelChoice, SessionEvent, SessionEventBody } from '#shared/session/events';
import { checkFolder } from '../folders';
import type { Answer, Question } from '../search/worker/messages';
import type { Branching, Copied } from '../sessions/branching';
import { withoutUsage } from '../sessions/branchPlan';
import { besideOf } from './readTranscript';
import type { FoundTranscript } from './shelf';

/** Events that are fetched at a time. */
const atOnce = 200;

/** The new session's id. Throws RpcError: `notFound` for a transcript or a folder that is gone, `refused` for a folder that cannot be used. */
export async function continueTranscript(about: {
  readonly id: string;
  readonly read: (question: Question<'events'>) => Promise<Answer<'events'>>;
  readonly branching: Pick<Branching, 'make'>;
  readonly model: ModelChoice;
}): Promise<string> {
  const { id, read, branching, model } = about;
  const { found } = await read({ id, from: 0, count: 1 });
  const { title, folder, file } = found;
  await requireFolder(found);
  return await branching.make({
    ...{ folder, title, model, mode: 'default', network: false },
    origin: { kind: 'transcript', id, title, file },
    resultsFrom: join(besideOf(file), 'tool-results'),
    // Claude Code's own files get no second name.
    resultsBy: 'copy',
    events: async function* (numbered) {
      const numbers = new Map<number, number>();
      let kept = 1;
      for (let from = 0; ; from += atOnce) {
        const { events, isEnd } = await read({ id, from, count: atOnce });
        const copied: Copied[] = [];
        for (const event of events) {
          const body = fitting(event, (seq) => numbers.get(seq) ?? kept);
          if (body !== null) {
            kept = numbered.next + copied.length;
            copied.push({ at: event.at, body });
          }
          numbers.set(event.seq, kept);
        }
        yield copied;
        if (isEnd) return;
      }
    },
  });
}

async function requireFolder({ folder }: FoundTranscript): Promise<void> {
  if (folder === '')
    throw new RpcError(
      'refused',
      'The transcript does not say in which folder it took place, so it cannot go on there.',
    );
  const usable = await checkFolder(folder);
  if (usable.ok) return;
  const { code, message } = usable.error;
  throw new RpcError(
    code,
    code === 'notFound'
      ? `${folder}, the folder of this conversation, does not exist any more. Make it again, or begin a new session in another folder.`
      : message,
  );
}

/** An event as one's own session may have it; null: it has no place there. */
function fitting({ body }: SessionEvent, numberNow: (seq: number) => number): SessionEventBody | null {
  switch (body.type) {
    case 'session.created':
      return null;
    case 'assistant.block':
      // Signed for another model's eyes: whoever goes on here could not take it back.
      return body.block.type === 'text' || body.block.type === 'tool_use' ? body : null;
    case 'assistant.finished':
      return withoutUsage(body);
    case 'conversation.compacted':
      return { ...body, throughSeq: numberNow(body.throughSeq) };
    default:
      return body;
  }
}

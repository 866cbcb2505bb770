import type { AppContract } from '#shared/api/app';
import type { SessionSummary } from '#shared/api/sessions';
import type { TranscriptSummary, transcriptCalls } from '#shared/api/transcripts';
import type { Handlers } from '#shared/rpc/contract';
import { continueTranscript } from '../transcripts/continueTranscript';
import { keptForMs } from '../transcripts/goesAt';
import type { FoundTranscript } from '../transcripts/shelf';
import type { Connection } from './connection';
import type { ApiServices } from './services';

type TranscriptHandlers = Pick<
  Handlers<AppContract, { readonly connection: Connection }>,
  keyof typeof transcriptCalls
>;

export function transcriptHandlers(services: ApiServices): TranscriptHandlers {
  const { ports, sessions, engine, models, branching, reading } = services;

  /** What the core knows of transcripts beside what the disk says. */
  async function summaries(): Promise<(found: FoundTranscript) => TranscriptSummary> {
    const keptMs = await keptForMs(ports.paths.claudeConfig);
    const continued = continuedAs(sessions.list());
    return (found) => ({
      ...found,
      goesAt: keptMs === null ? null : found.updatedAt + keptMs,
      continuedAs: continued.get(found.id) ?? [],
    });
  }

  return {
    async 'transcripts.list'() {
      const { transcripts, truncated } = await reading.ask('transcripts', {});
      return { transcripts: transcripts.map(await summaries()), truncated };
    },
    async 'transcripts.open'(question) {
      const { found, state, skipped } = await reading.ask('open', question);
      return { summary: (await summaries())(found), state, skipped };
    },
    'transcripts.items': (question) => reading.ask('items', question),
    'transcripts.find': (question) => reading.ask('places', question),
    async 'transcripts.call'(question) {
      return { call: await reading.ask('call', question) };
    },
    async 'transcripts.continue'({ id }) {
      const sessionId = await continueTranscript({
        ...{ id, branching, model: await models.startingChoice() },
        read: (question) => reading.ask('events', question),
      });
      await sessions.load(sessionId);
      await engine.openSession(sessionId, sessions.state(sessionId).folder);
      const mode = engine.startingMode(sessionId);
      if (mode !== 'default') sessions.append(sessionId, { type: 'mode.changed', mode });
      return { sessionId };
    },
  };
}

/** By the transcript's id, the sessions that were begun from it. */
function continuedAs(sessions: readonly SessionSummary[]): ReadonlyMap<string, string[]> {
  const continued = new Map<string, string[]>();
  for (const { sessionId, origin } of sessions)
    if (origin?.kind === 'transcript') continued.set(origin.id, [...(continued.get(origin.id) ?? []), sessionId]);
  return continued;
}

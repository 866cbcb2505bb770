// The list of all files of results: what lies on the disk with what sessions, transcripts and the person say of it.
import { lstat, realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ResultFile, Seen } from '#shared/api/results';
import { safeName } from '../names';
import type { CallFacts } from './callRecord';
import { type FoundResult, findResults } from './findResults';
import type { Kept, KeptSource } from './keptFiles';
import type { TranscriptCall, TranscriptCalls, TranscriptQuestion } from './transcriptCalls';

const dayMs = 86_400_000;
/** The list does not wait longer for what transcripts say; it is told again when that is known. */
const transcriptsMs = 400;

export interface KnownSession {
  readonly sessionId: string;
  readonly title: string;
  readonly folder: string;
}

export interface ListSources {
  /** Holds the results of all projects of Gatehouse. */
  readonly results: string;
  /** Claude Code's folder. */
  readonly claudeConfig: string;
  readonly sessions: () => readonly KnownSession[];
  /** Brings what the session's log says up to date. */
  readonly updateCalls: (sessionId: string) => Promise<void>;
  readonly factsOf: (sessionId: string, name: string) => CallFacts | null;
  readonly readTranscripts: (transcripts: readonly TranscriptQuestion[]) => Promise<readonly TranscriptCalls[]>;
  readonly retentionDays: () => Promise<number>;
  readonly kept: () => Promise<readonly Kept[]>;
  /** What was told is no longer all that is known. */
  readonly onMore: () => void;
}

/** A file of the list with what the core alone knows. */
export interface ListedResult extends ResultFile {
  /** Below the folder of all results, with `/`; null for Claude Code's. */
  readonly path: string | null;
  /** Of one of Claude Code's that is kept: the copy. */
  readonly copy: string | null;
  /** Its call has not ended. */
  readonly runs: boolean;
}

/** What is known of a transcript, and of which state of it; null: it was not read yet, or there is none. */
interface KnownTranscript {
  readonly stamp: string | null;
  readonly calls: TranscriptCalls | null;
}

export class ResultList {
  private readonly transcripts = new Map<string, KnownTranscript>();
  private reading: Promise<void> = Promise.resolve();

  constructor(private readonly sources: ListSources) {}

  /** Newest first. Rejects when it cannot be told which are kept. */
  async read(): Promise<{ readonly files: readonly ListedResult[]; readonly retentionDays: number }> {
    const { sources } = this;
    const [own, others, retentionDays, kept] = await Promise.all([
      findResults({ folder: sources.results, origin: 'gatehouse' }),
      findResults({ folder: join(sources.claudeConfig, 'projects'), origin: 'claudeCode' }),
      sources.retentionDays(),
      sources.kept(),
    ]);
    const root = await realpath(sources.results).catch(() => sources.results);
    const copies = new Map(kept.flatMap((one) => (one.source === undefined ? [] : [[one.source.file, one] as const])));
    const present = new Set(others.map(({ file }) => file));
    const files = [
      ...(await this.ownFiles(own, { root, kept, present })),
      ...(await this.otherFiles(others, copies)),
    ].map((file): ListedResult => ({ ...file, goesAt: file.kept ? null : file.modifiedAt + retentionDays * dayMs }));
    return { files: files.sort((a, b) => b.modifiedAt - a.modifiedAt), retentionDays };
  }

  private async ownFiles(
    found: readonly FoundResult[],
    about: { readonly root: string; readonly kept: readonly Kept[]; readonly present: ReadonlySet<string> },
  ): Promise<ListedResult[]> {
    const { sources } = this;
    const sessions = new Map(sources.sessions().map((session) => [safeName(session.sessionId), session]));
    const kept = new Map(about.kept.map((one) => [one.file, one.source ?? null]));
    for (const name of new Set(found.map(({ session }) => session))) {
      const session = sessions.get(name);
      if (session !== undefined) await sources.updateCalls(session.sessionId);
    }
    return found.flatMap((one): ListedResult[] => {
      const path = relative(about.root, one.file).split(sep).join('/');
      const source = kept.get(path) ?? null;
      // The copy of one that is still there is shown as that.
      if (source !== null && about.present.has(source.file)) return [];
      const session = sessions.get(one.session) ?? null;
      const facts = session === null ? null : sources.factsOf(session.sessionId, one.name);
      const shown = { path, copy: null, kept: kept.has(path), goesAt: null, ...basics(one) };
      if (source !== null) return [{ ...shown, ...sourceOf(source), runs: false }];
      return [
        {
          ...shown,
          session: session === null ? null : { id: session.sessionId, title: session.title, folder: session.folder },
          call: facts === null ? null : { callId: facts.callId, tool: facts.tool, what: facts.what },
          seen: facts === null ? { kind: 'unknown' } : facts.seen,
          runs: facts?.runs ?? false,
        },
      ];
    });
  }

  private async otherFiles(found: readonly FoundResult[], copies: ReadonlyMap<string, Kept>): Promise<ListedResult[]> {
    await this.learnTranscripts(found);
    return found.map((one): ListedResult => {
      const transcript = this.transcripts.get(transcriptOf(one))?.calls ?? null;
      const call = transcript?.calls.find(({ name }) => name === one.name) ?? null;
      const copy = copies.get(one.file)?.file ?? null;
      return {
        ...basics(one),
        path: null,
        copy,
        kept: copy !== null,
        goesAt: null,
        runs: false,
        session:
          transcript === null
            ? null
            : { id: one.session, title: transcript.title || one.session, folder: transcript.folder },
        call: call === null ? null : { callId: call.callId, tool: call.tool, what: call.what },
        seen: seenOf(call),
      };
    });
  }

  /** Has the transcripts read that have changed, and waits a moment for that. */
  private async learnTranscripts(found: readonly FoundResult[]): Promise<void> {
    const names = new Map<string, string[]>();
    for (const one of found) {
      const file = transcriptOf(one);
      names.set(file, [...(names.get(file) ?? []), one.name]);
    }
    for (const file of this.transcripts.keys()) if (!names.has(file)) this.transcripts.delete(file);
    const wanted: TranscriptQuestion[] = [];
    const stamps = new Map<string, string>();
    for (const [file, its] of names) {
      const stamp = await stampOf(file, its);
      const known = this.transcripts.get(file);
      if (known !== undefined && known.stamp === stamp) continue;
      this.transcripts.set(file, { stamp: null, calls: known?.calls ?? nothingYet(file, stamp) });
      if (stamp === null) continue;
      stamps.set(file, stamp);
      wanted.push({ file, names: its });
    }
    if (wanted.length === 0) return;
    let isLate = false;
    this.reading = this.reading
      .then(async () => {
        const answers = new Map((await this.sources.readTranscripts(wanted)).map((one) => [one.file, one]));
        for (const { file } of wanted)
          this.transcripts.set(file, { stamp: stamps.get(file) ?? null, calls: answers.get(file) ?? null });
        if (isLate) this.sources.onMore();
      })
      // What cannot be read stays unknown, and is tried again with the next list.
      .catch(() => undefined);
    await Promise.race([this.reading, delay(transcriptsMs, undefined, { ref: false })]);
    isLate = true;
  }
}

/** The transcript of the session that a file belongs to. */
const transcriptOf = ({ file }: FoundResult): string => `${dirname(dirname(file))}.jsonl`;

/** Of a transcript that is there, but was not read yet. */
const nothingYet = (file: string, stamp: string | null): TranscriptCalls | null =>
  stamp === null ? null : { file, title: '', folder: '', calls: [] };

/** Changes whenever a transcript says something else; null where there is none. */
async function stampOf(file: string, names: readonly string[]): Promise<string | null> {
  const stats = await lstat(file).catch(() => null);
  return stats?.isFile() === true ? `${stats.size}:${stats.mtimeMs}:${[...names].sort().join('/')}` : null;
}

function seenOf(call: TranscriptCall | null): Seen {
  if (call === null) return { kind: 'unknown' };
  if (call.readBy !== null) return { kind: 'again', ...call.readBy };
  return call.previewChars === null ? { kind: 'unknown' } : { kind: 'preview', chars: call.previewChars };
}

type Basics = Pick<ResultFile, 'id' | 'origin' | 'file' | 'bytes' | 'modifiedAt'>;

const basics = ({ id, origin, file, bytes, modifiedAt }: FoundResult): Basics => ({
  id,
  origin,
  file,
  bytes,
  modifiedAt,
});

const sourceOf = ({ session, call, seen }: KeptSource): Pick<ResultFile, 'session' | 'call' | 'seen'> => ({
  session,
  call,
  seen,
});

// All transcripts that there are, what the list says of each, and the few that are being read.
import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { relative } from 'node:path';
import { RpcError } from '#shared/rpc/errors';
import type { SessionEvent } from '#shared/session/events';
import { reduceInto } from '#shared/session/reduce';
import { emptyState, type SessionState } from '#shared/session/state';
import { findTranscripts, type TranscriptFile } from '../history/import/transcriptFiles';
import type { LeftOut } from './blocks';
import { type Breathe, readTranscript } from './readTranscript';
import { type FoundSummary, summarize } from './transcriptSummary';

/** More are not listed: the newest are. */
const maxListed = 3_000;
/** Transcripts that are held in memory, whole. */
const maxHeld = 2;
const eventsPerBreath = 400;

/** A transcript as it lies on the disk. */
export interface FoundTranscript {
  readonly id: string;
  readonly title: string;
  readonly folder: string;
  readonly file: string;
  readonly bytes: number;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
}

/** Remembers what was read of a file as long as the file stays as it is. */
export interface SummaryMemory {
  get(file: TranscriptFile): FoundSummary | null;
  set(file: TranscriptFile, summary: FoundSummary): void;
}

export interface HeldTranscript {
  readonly found: FoundTranscript;
  readonly state: SessionState;
  readonly events: readonly SessionEvent[];
  readonly skipped: number;
  readonly leftOut: LeftOut;
}

interface Shelved {
  readonly file: TranscriptFile;
  readonly found: FoundTranscript;
}

export class TranscriptShelf {
  private readonly byId = new Map<string, Shelved>();
  private files: readonly TranscriptFile[] = [];
  private readonly held = new Map<
    string,
    { readonly print: string; readonly usedAt: number; readonly transcript: Promise<HeldTranscript> }
  >();
  private looking: Promise<boolean> | null = null;
  private print = '';
  private lookedAt = Number.NEGATIVE_INFINITY;
  /** Whether it has been looked at least once. */
  isKnown = false;

  constructor(
    private readonly options: {
      readonly claudeConfig: string;
      readonly memory: SummaryMemory;
      readonly breathe: Breathe;
    },
  ) {}

  /** Looks what there is, unless that was done less than `maxAgeMs` ago. True: something came, went or changed. */
  look(maxAgeMs = 0): Promise<boolean> {
    if (performance.now() - this.lookedAt < maxAgeMs) return Promise.resolve(false);
    this.looking ??= this.lookNow().finally(() => {
      this.looking = null;
    });
    return this.looking;
  }

  /** Last changed first. */
  list(): { readonly transcripts: FoundTranscript[]; readonly truncated: boolean } {
    const all = [...this.byId.values()].map(({ found }) => found);
    all.sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1));
    return { transcripts: all.slice(0, maxListed), truncated: all.length > maxListed };
  }

  /** Every file, those of sub-agents too; the oldest first. */
  allFiles(): readonly TranscriptFile[] {
    return this.files;
  }

  /** The transcript that a file belongs to; null: it is not listed. */
  ofFile(file: TranscriptFile): FoundTranscript | null {
    return this.byId.get(this.idOf(mainPath(file)))?.found ?? null;
  }

  /** Reads a transcript whole. Throws RpcError `notFound` when it is gone, `refused` when it cannot be read. */
  async open(id: string): Promise<HeldTranscript> {
    // The list may be older than the file.
    if (!this.byId.has(id)) await this.look();
    const shelved = this.byId.get(id);
    if (shelved === undefined) throw gone();
    const now = findSame(shelved.file);
    if (now === null) throw gone();
    const print = `${now.identity} ${now.size} ${now.changedAt}`;
    const known = this.held.get(id);
    this.held.delete(id);
    const transcript = known?.print === print ? known.transcript : this.read({ ...shelved, file: now });
    this.held.set(id, { print, usedAt: performance.now(), transcript });
    for (const oldest of this.held.keys()) if (this.held.size > maxHeld) this.held.delete(oldest);
    try {
      return await transcript;
    } catch (error) {
      this.held.delete(id);
      throw error;
    }
  }

  /** Forgets what nobody has asked for in this time. */
  release(unusedMs: number): void {
    const before = performance.now() - unusedMs;
    for (const [id, { usedAt }] of this.held) if (usedAt < before) this.held.delete(id);
  }

  private async read({ file, found }: Shelved): Promise<HeldTranscript> {
    const { breathe } = this.options;
    const { title, folder } = found;
    try {
      const place = { path: file.path, session: file.session, title, folder, changedAt: file.changedAt };
      const { events, skipped, leftOut } = await readTranscript(place, breathe);
      const state = emptyState();
      for (const [index, event] of events.entries()) {
        reduceInto(state, event);
        if (index % eventsPerBreath === 0) await breathe();
      }
      return { found: { ...found, bytes: file.size, updatedAt: file.changedAt }, state, events, skipped, leftOut };
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (code === 'ENOENT') throw gone();
      if (code === '' || error instanceof RpcError) throw error;
      throw new RpcError('refused', `${file.path} cannot be read (${code}). Look at its owner and permissions.`);
    }
  }

  private async lookNow(): Promise<boolean> {
    const { claudeConfig, memory, breathe } = this.options;
    const finding = findTranscripts(claudeConfig);
    let step = finding.next();
    while (step.done !== true) {
      await breathe();
      step = finding.next();
    }
    const { files, unread } = step.value;
    const present = new Set<string>();
    for (const file of files) {
      if (file.isSubagent) continue;
      const id = this.idOf(file.path);
      present.add(id);
      const known = this.byId.get(id)?.file;
      if (known !== undefined && isSame(known, file)) continue;
      let summary = memory.get(file);
      if (summary === null) {
        summary = summarize(file.path);
        memory.set(file, summary);
        await breathe();
      }
      const { title, folder, hasMessages } = summary;
      const found = { id, title, folder, file: file.path, bytes: file.size, updatedAt: file.changedAt };
      if (hasMessages) this.byId.set(id, { file, found });
      else this.byId.delete(id);
    }
    // A folder that cannot be looked into says nothing about what is in it.
    for (const [id, { file }] of this.byId)
      if (!present.has(id) && !unread.some((folder) => file.path.startsWith(folder))) this.byId.delete(id);
    this.files = files;
    const print = createHash('sha256')
      .update(files.map((file) => `${file.path}\0${file.identity}\0${file.size}\0${file.changedAt}`).join('\n'))
      .digest('hex');
    const changed = this.isKnown && print !== this.print;
    this.print = print;
    this.isKnown = true;
    this.lookedAt = performance.now();
    return changed;
  }

  /** Not a path: pages name transcripts by it, and nothing else can be named. */
  private idOf(path: string): string {
    const below =
      /[/\\]projects[/\\]([^/\\]+[/\\][^/\\]+)$/.exec(path)?.[1] ?? relative(this.options.claudeConfig, path);
    return createHash('sha256').update(below.replaceAll('\\', '/')).digest('base64url').slice(0, 24);
  }
}

/** The session's own file, for that of a sub-agent beside it. */
function mainPath(file: TranscriptFile): string {
  return file.isSubagent ? file.path.replace(/[/\\]subagents[/\\][^/\\]+$/, '.jsonl') : file.path;
}

function isSame(a: TranscriptFile, b: TranscriptFile): boolean {
  return a.identity === b.identity && a.size === b.size && a.changedAt === b.changedAt;
}

/** The file as it is now; null when it is no plain file any more. */
function findSame(file: TranscriptFile): TranscriptFile | null {
  try {
    const stats = lstatSync(file.path);
    if (!stats.isFile()) return null;
    return { ...file, identity: `${stats.dev}:${stats.ino}`, size: stats.size, changedAt: stats.mtimeMs };
  } catch {
    return null;
  }
}

const gone = (): RpcError =>
  new RpcError('notFound', 'This transcript is gone: Claude Code has cleaned it up, or somebody deleted it.');

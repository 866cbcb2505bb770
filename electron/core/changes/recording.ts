// Writes down what tools change in files: the executor keeps both sides, the session gets an event.
import type { OperationAnswers, OperationName, OperationOf } from '#shared/api/executor';
import type { FileChange } from '#shared/session/fileChange';
import { newId } from '../ids';
import type { Log } from '../ports';
import type { SessionLog } from '../sessions/service';
import type { GrantedExecutor } from '../tools/tool';
import { maxFileBytes, maxSessionBytes, trimHistory } from './contentStore';
import { removeNote, settleNotes } from './pending';

export interface RecordingOptions {
  readonly sessions: Pick<SessionLog, 'append' | 'exists'>;
  /** Where a session's contents are kept; null when there is no such session. */
  readonly folder: (sessionId: string) => string | null;
  readonly isKnown: (sessionId: string, changeId: string) => boolean;
  readonly log: Log;
  readonly now: () => number;
  /** Most bytes kept for a session; left out: the usual bound. */
  readonly maxBytes?: number;
}

/** So many new bytes may come before the bound is looked at again: a part of it. */
const trimEvery = 16;

export class Recording {
  /** Writes whose answer is awaited, by the id of their change or restore. */
  private readonly active = new Set<string>();
  private readonly settled = new Set<string>();
  private readonly grown = new Map<string, number>();
  /** What people were told already, by session. */
  private readonly told = new Map<string, Set<string>>();
  private readonly trimming = new Set<Promise<void>>();

  constructor(private readonly options: RecordingOptions) {}

  /** The same handle; whatever a tool changes through it is recorded. */
  handle(inner: GrantedExecutor, about: { readonly sessionId: string; readonly callId: string }): GrantedExecutor {
    const record = async <N extends Exclude<OperationName, 'shell.run' | 'repl.run' | 'lsp.query'>>(
      operation: OperationOf<N>,
    ): Promise<OperationAnswers[N]> => {
      const folder = 'dryRun' in operation && !operation.dryRun ? this.options.folder(about.sessionId) : null;
      if (folder === null) return inner.run<N>(operation);
      await this.settle(about.sessionId);
      const changeId = newId('f');
      const keep = { folder, changeId, callId: about.callId, maxBytes: maxFileBytes };
      const run = inner.run<N>({ ...operation, keep });
      return await this.during(about.sessionId, changeId, async () => {
        const answer = await run;
        await this.recordAnswer({ ...about, folder, changeId, answer });
        return answer;
      });
    };
    return { ...inner, run: record };
  }

  /** Work during which the note of this id belongs to somebody; afterwards a note that is left is looked at anew. */
  async during<T>(sessionId: string, id: string, work: () => Promise<T>): Promise<T> {
    this.active.add(id);
    try {
      return await work();
    } catch (error) {
      this.settled.delete(sessionId);
      throw error;
    } finally {
      this.active.delete(id);
    }
  }

  /** Writes down what a program that ended in between has left. Never rejects. */
  async settle(sessionId: string): Promise<void> {
    const folder = this.options.folder(sessionId);
    if (folder === null || this.settled.has(sessionId)) return;
    this.settled.add(sessionId);
    try {
      await settleNotes(folder, {
        isActive: (id) => this.active.has(id),
        isKnown: (changeId) => this.options.isKnown(sessionId, changeId),
        record: (change) => this.append(sessionId, change),
        now: this.options.now(),
      });
    } catch (error) {
      this.settled.delete(sessionId);
      this.options.log.error('recorded changes could not be settled', error);
    }
  }

  /** Stores the event. Throws when the session cannot be written to. */
  append(sessionId: string, change: FileChange): void {
    this.options.sessions.append(sessionId, { type: 'file.changed', change });
    const grown = (this.grown.get(sessionId) ?? Number.POSITIVE_INFINITY) + (change.after?.bytes ?? 0);
    const most = this.options.maxBytes ?? maxSessionBytes;
    this.grown.set(sessionId, grown > most / trimEvery ? 0 : grown);
    if (grown > most / trimEvery) this.trim(sessionId, most);
  }

  /** Resolves when nothing is tidied up any more. */
  async idle(): Promise<void> {
    await Promise.all(this.trimming);
  }

  private async recordAnswer(about: {
    readonly sessionId: string;
    readonly callId: string;
    readonly folder: string;
    readonly changeId: string;
    readonly answer: OperationAnswers[OperationName];
  }): Promise<void> {
    const { sessionId, callId, folder, changeId, answer } = about;
    if (answer.kind !== 'changed' || answer.kept === undefined) return;
    const { path, before, after, lines, problem } = answer.kept;
    try {
      this.append(sessionId, { changeId, path, before, after, by: { kind: 'call', callId }, lines });
      await removeNote(folder, changeId);
      if (problem !== '')
        this.tell(sessionId, problem, {
          text: `The content of ${path} could not be kept (${problem}), so this change cannot be taken back.`,
          next: 'Make room or give back the right to write there; later changes are kept again.',
        });
    } catch (error) {
      // The change is made; what is left beside the contents tells of it the next time.
      this.settled.delete(sessionId);
      this.options.log.error('a change of a file could not be written down', error);
    }
  }

  private trim(sessionId: string, most: number): void {
    const folder = this.options.folder(sessionId);
    if (folder === null) return;
    const work = trimHistory(folder, most)
      .then((dropped) => {
        if (dropped === 0 || !this.options.sessions.exists(sessionId)) return;
        this.tell(sessionId, 'full', {
          text: 'This session changed so much that the oldest contents of files are no longer kept. Those changes cannot be taken back.',
          next: 'Later changes can.',
        });
      })
      .catch((error: unknown) => this.options.log.error('kept contents could not be tidied up', error))
      .finally(() => this.trimming.delete(work));
    this.trimming.add(work);
  }

  /** Once for each cause: a full disk is full for every file. */
  private tell(sessionId: string, cause: string, what: { readonly text: string; readonly next: string }): void {
    const told = this.told.get(sessionId) ?? new Set();
    if (told.has(cause)) return;
    this.told.set(sessionId, told.add(cause));
    this.options.sessions.append(sessionId, { type: 'notice', level: 'warning', ...what });
  }
}

// What tools changed in files: recorded, shown, and taken back.
import { dirname, join } from 'node:path';
import { setImmediate as afterOthers } from 'node:timers/promises';
import type { FileRestore, NotCovered, RestoreTarget, TimelineEntry } from '#shared/api/changes';
import { RpcError } from '#shared/rpc/errors';
import type { FileChange, FileContent } from '#shared/session/fileChange';
import type { SessionState } from '#shared/session/state';
import type { ToolCall } from '#shared/session/toolCall';
import type { DiffHunk } from '#shared/tools/presentation';
import { resolveReal } from '../executor/realPath';
import { newId } from '../ids';
import type { Log } from '../ports';
import type { SessionService } from '../sessions/service';
import { isInside } from '../tools/paths';
import type { GrantedExecutor } from '../tools/tool';
import type { ChangeLog } from './changeLog';
import { historyName, keptHashes, readBytes } from './contentStore';
import { readDiskFile } from './diskFile';
import { hunksBetween } from './hunks';
import { type FilePlan, planFile, type Wish } from './plan';
import { Recording } from './recording';
import { restoreFiles } from './restore';
import { isComparable, isText, linesIn, type Side } from './side';
import { asNotCovered, mayChangeFiles, timelineOf } from './timeline';
import { wishesFor } from './wishes';

export interface ChangesOptions {
  readonly sessions: Pick<SessionService, 'append' | 'catchUp' | 'exists' | 'load' | 'state'>;
  readonly changeLog: ChangeLog;
  /** A session's folder of results, beside which the contents lie; null when there is no such session. */
  readonly resultFolder: (sessionId: string) => string | null;
  /** Whether another process works in the session. */
  readonly heldElsewhere: (sessionId: string) => boolean;
  /** Whether a call that ran could not have changed anything. */
  readonly isReadOnly: (sessionId: string, call: ToolCall) => boolean;
  /** Files and folders that are never written here. */
  readonly protectedPaths: readonly string[];
  readonly log: Log;
  readonly now: () => number;
  readonly maxBytes?: number;
}

interface ChosenFile {
  readonly path: string;
  readonly now: string;
  readonly hunkIds: readonly string[] | null;
}

export interface Changes {
  /** The same handle; what a tool changes through it is recorded as a step of the session. */
  recording(handle: GrantedExecutor, about: { readonly sessionId: string; readonly callId: string }): GrantedExecutor;
  list(sessionId: string): Promise<{ entries: TimelineEntry[]; notCovered: NotCovered[] }>;
  /** Throws RpcError `notFound` when the session has no such change. */
  diff(
    sessionId: string,
    changeId: string,
  ): Promise<{ hunks: DiffHunk[]; truncated: boolean; binary: boolean; problem: string }>;
  preview(sessionId: string, target: RestoreTarget): Promise<{ files: FileRestore[] }>;
  /** All or nothing. Throws RpcError `conflict` while something runs or when a file is not what the preview showed. */
  restore(request: {
    readonly sessionId: string;
    readonly target: RestoreTarget;
    readonly files: readonly ChosenFile[];
  }): Promise<{ step: string; changes: FileChange[] }>;
  dispose(): Promise<void>;
}

/** Lines that one answer shows: of one file, and of all together. */
const mostLinesOfFile = 4_000;
const mostLines = 20_000;
/** Commands are looked at one after the other; after so many milliseconds others have their turn. */
const stretchMs = 10;

export function createChanges(options: ChangesOptions): Changes {
  const { sessions, changeLog } = options;
  /** Restores go one by one. */
  let last: Promise<unknown> = Promise.resolve();
  const covered = new WeakMap<ToolCall, boolean>();

  const folderOf = (sessionId: string): string | null => {
    const results = options.resultFolder(sessionId);
    return results === null ? null : join(dirname(results), historyName);
  };
  const recording = new Recording({
    sessions,
    folder: folderOf,
    isKnown: (sessionId, changeId) => changeLog.of(sessionId).some(({ change }) => change.changeId === changeId),
    log: options.log,
    now: options.now,
    ...(options.maxBytes === undefined ? {} : { maxBytes: options.maxBytes }),
  });

  /** Where the contents of a session lie. Throws RpcError when there is no such session. */
  function placeOf(sessionId: string): string {
    const folder = sessions.exists(sessionId) ? folderOf(sessionId) : null;
    if (folder === null) throw new RpcError('notFound', 'This session no longer exists.');
    return folder;
  }

  async function settled(sessionId: string): Promise<void> {
    placeOf(sessionId);
    await sessions.load(sessionId);
    // What a run beside this program has written comes first: events are numbered without gaps.
    sessions.catchUp(sessionId);
    if (!options.heldElsewhere(sessionId)) await recording.settle(sessionId);
  }

  async function planOf(wish: Wish, folder: string, room: number): Promise<FilePlan> {
    const refused = await whyProtected(wish.path, options.protectedPaths);
    const read = (content: FileContent) => (content.kept ? readBytes(folder, content.hash) : Promise.resolve(null));
    const disk = refused === null ? await readDiskFile(wish.path) : ({ ok: false, problem: refused } as const);
    return planFile(wish, { disk, read, room });
  }

  async function restore(request: Parameters<Changes['restore']>[0]): ReturnType<Changes['restore']> {
    const { sessionId, target, files } = request;
    await settled(sessionId);
    refuseWhileRunning(sessions.state(sessionId), options.heldElsewhere(sessionId));
    const wishes = new Map(wishesFor(changeLog.of(sessionId), target).map((wish) => [wish.path, wish]));
    const folder = placeOf(sessionId);
    const plans: { readonly plan: FilePlan; readonly hunkIds: readonly string[] | null }[] = [];
    for (const { path, now, hunkIds } of files) {
      const wish = wishes.get(path);
      if (wish === undefined) throw new RpcError('invalid', `Nothing recorded of ${path} belongs to this.`);
      if (plans.some(({ plan }) => plan.shown.path === path)) throw new RpcError('invalid', `${path} is named twice.`);
      const plan = await planOf(wish, folder, mostLinesOfFile);
      if (plan.shown.now !== now)
        throw new RpcError('conflict', `${path} has changed since the preview. Nothing was changed.`);
      if (plan.result === undefined) throw new RpcError('conflict', `${path}: ${plan.shown.problem}`);
      plans.push({ plan, hunkIds });
    }
    const step = newId('r');
    const changes = await recording.during(sessionId, step, () =>
      restoreFiles({
        step,
        plans,
        folder,
        // Nothing waits between this look and the renames.
        stillFree: () => refuseWhileRunning(sessions.state(sessionId), options.heldElsewhere(sessionId)),
        append: (change) => recording.append(sessionId, change),
      }),
    );
    try {
      if (changes.length > 0) tellModel(sessions, sessionId, changes);
    } catch (error) {
      // The files are restored and recorded; a model that was not told finds out when it writes.
      options.log.error('the model could not be told of a restore', error);
    }
    return { step, changes };
  }

  return {
    recording: (handle, about) => recording.handle(handle, about),
    async list(sessionId) {
      await settled(sessionId);
      const { calls } = sessions.state(sessionId);
      const uncovered: ToolCall[] = [];
      let since = performance.now();
      for (const call of mayChangeFiles(calls)) {
        const known = covered.get(call) ?? options.isReadOnly(sessionId, call);
        covered.set(call, known);
        if (!known) uncovered.push(call);
        if (performance.now() - since < stretchMs) continue;
        await afterOthers();
        since = performance.now();
      }
      return {
        entries: timelineOf({
          recorded: changeLog.of(sessionId),
          calls,
          kept: await keptHashes(placeOf(sessionId)),
        }),
        notCovered: uncovered.map(asNotCovered),
      };
    },
    async diff(sessionId, changeId) {
      const folder = placeOf(sessionId);
      const change = changeLog.of(sessionId).find((one) => one.change.changeId === changeId)?.change;
      if (change === undefined) throw new RpcError('notFound', 'This change is not recorded.');
      const [before, after] = await Promise.all([sideOf(change.before, folder), sideOf(change.after, folder)]);
      const nothing = { hunks: [], truncated: false, binary: false };
      if (before === undefined || after === undefined)
        return { ...nothing, problem: 'What was in the file then is no longer kept, or was not kept.' };
      if (!isText(before) || !isText(after)) return { ...nothing, binary: true, problem: '' };
      if (!isComparable(before) || !isComparable(after)) return { ...nothing, truncated: true, problem: '' };
      const { hunks, truncated } = hunksBetween(linesIn(before), linesIn(after), mostLinesOfFile);
      return {
        hunks: hunks.map(({ oldStart, newStart, lines }) => ({ oldStart, newStart, lines })),
        truncated,
        binary: false,
        problem: '',
      };
    },
    async preview(sessionId, target) {
      await settled(sessionId);
      const folder = placeOf(sessionId);
      const files: FileRestore[] = [];
      let room = mostLines;
      for (const wish of wishesFor(changeLog.of(sessionId), target)) {
        const { shown } = await planOf(wish, folder, Math.min(room, mostLinesOfFile));
        room -= shown.hunks.reduce((sum, { lines }) => sum + lines.length, 0);
        files.push(shown);
      }
      return { files };
    },
    restore(request) {
      const mine = last.then(() => restore(request));
      last = mine.catch(() => undefined);
      return mine;
    },
    async dispose() {
      await last;
      await recording.idle();
    },
  };
}

/** Undefined: not there any more. */
async function sideOf(content: FileContent | null, folder: string): Promise<Side | undefined> {
  if (content === null) return null;
  const bytes = content.kept ? await readBytes(folder, content.hash) : null;
  return bytes === null ? undefined : { bytes, hash: content.hash, mode: content.mode };
}

function refuseWhileRunning({ turn, agents }: SessionState, elsewhere: boolean): void {
  if (elsewhere)
    throw new RpcError(
      'conflict',
      'Another Gatehouse is working in this session. Wait until it is done; nothing was changed.',
    );
  if (turn !== null)
    throw new RpcError('conflict', 'The session is at work. Stop it or wait until it is done; nothing was changed.');
  if (Object.values(agents).some(({ status }) => status === 'running'))
    throw new RpcError(
      'conflict',
      'A sub-agent is still at work. Stop it or wait until it is done; nothing was changed.',
    );
}

/** The record says where the file lies with its links resolved, and so must be what it is compared with. */
async function whyProtected(path: string, protectedPaths: readonly string[]): Promise<string | null> {
  for (const place of protectedPaths) {
    const real = await resolveReal(place).catch(() => place);
    if (isInside(path, place) || isInside(path, real)) return 'Gatehouse restores nothing here.';
  }
  return null;
}

/** The model would otherwise believe that its changes are still there. */
function tellModel(sessions: ChangesOptions['sessions'], sessionId: string, changes: readonly FileChange[]): void {
  const most = 50;
  const names = changes.slice(0, most).map(({ path, after }) => `- ${path}${after === null ? ' (deleted)' : ''}`);
  const more = changes.length > most ? [`- and ${changes.length - most} more`] : [];
  const text = [
    'The person has restored earlier contents of these files, so they are not as you last saw them. Read them again before you change them or rely on them:',
    ...names,
    ...more,
  ].join('\n');
  sessions.append(sessionId, { type: 'context.added', from: 'Gatehouse', text });
}

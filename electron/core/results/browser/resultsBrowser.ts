// The files of results for the page: the list, looking into them, keeping, cleaning up and taking it back.
import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type Database from 'better-sqlite3';
import type { AppContract } from '#shared/api/app';
import type { ResultFile } from '#shared/api/results';
import type { Params, Answer as RpcAnswer } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import type { SessionEventBody } from '#shared/session/events';
import type { Log } from '../../ports';
import { cleanupPeriodDays } from '../cleanupPeriod';
import { projectName, resultsName, safeName } from '../names';
import { makePrivateFolder } from '../persist';
import type { Answer, Question, ViewCall, ViewEvent } from '../worker/messages';
import { ResultsThread } from '../worker/resultsThread';
import { CallRecord } from './callRecord';
import { ChangeNotice } from './changeNotice';
import { isChosen, mayGo } from './cleanUpChoice';
import { copyResult } from './copyResult';
import { type Kept, KeptFiles } from './keptFiles';
import { removeSessionFiles } from './removeSession';
import { type KnownSession, type ListedResult, ResultList } from './resultList';
import { batchesIn, restoreBatch, type Trash, throwAway } from './trash';

const dayMs = 86_400_000;

export interface ResultsBrowserOptions {
  /** Gatehouse's own folder, and Claude Code's. */
  readonly paths: { readonly data: string; readonly claudeConfig: string };
  /** Holds the results of all projects. */
  readonly folder: string;
  readonly database: Database.Database;
  readonly sessions: () => readonly KnownSession[];
  /** The thread's built program; left out: files are listed, but cannot be looked into. */
  readonly threadFile: string | null;
  /** Shows a file in the system's file browser; null where the host cannot. */
  readonly revealFile: ((file: string) => Promise<void>) | null;
  /** The list is another one now. */
  readonly onChange: () => void;
  readonly log: Log;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

type ViewParams<N extends ViewCall> = Params<AppContract, N>;
type Listener = (event: ViewEvent) => void;

/** One page's look at the files: what it has opened ends with it. */
export interface ResultViews {
  open(id: string): Promise<RpcAnswer<AppContract, 'results.open'>>;
  close(id: string): Promise<void>;
  ask<N extends ViewCall>(name: N, params: ViewParams<N>): Promise<Answer<N>>;
  dispose(): void;
}

export class ResultsBrowser {
  private readonly kept: KeptFiles;
  private readonly listing: ResultList;
  private readonly thread: ResultsThread | null;
  private readonly listeners = new Map<string, Listener>();
  private known = new Map<string, ListedResult>();
  private readonly notice: ChangeNotice;
  private lastPage = 0;

  constructor(private readonly options: ResultsBrowserOptions) {
    const { paths, folder, database, sessions, threadFile, onChange, log } = options;
    this.kept = new KeptFiles(paths.data);
    this.thread =
      threadFile === null
        ? null
        : new ResultsThread({
            file: threadFile,
            onEvent: (event) => this.listeners.get(event.view)?.(event),
            onBreakdown: (why) => log.error('the thread of results ended', new Error(why)),
          });
    this.notice = new ChangeNotice(onChange);
    const { thread } = this;
    const calls = new CallRecord(database);
    this.listing = new ResultList({
      results: folder,
      claudeConfig: paths.claudeConfig,
      sessions,
      updateCalls: (sessionId) => calls.update(sessionId),
      factsOf: (sessionId, name) => calls.factsOf(sessionId, name),
      readTranscripts: async (transcripts) =>
        thread === null ? [] : await thread.ask('transcriptCalls', { transcripts }),
      retentionDays: () => cleanupPeriodDays(paths.claudeConfig),
      kept: () => this.kept.all(),
      onMore: onChange,
    });
  }

  /** All files, newest first. */
  async list(): Promise<{ readonly files: ResultFile[]; readonly retentionDays: number; readonly folder: string }> {
    // Who looks at the list will open one of them.
    this.thread?.warm();
    const { files, retentionDays } = await this.read();
    const shown = files.map(({ path: _path, copy: _copy, runs: _runs, ...file }): ResultFile => file);
    return { files: shown, retentionDays, folder: this.options.folder };
  }

  /** What one page looks at; `tell` hears of its files by their ids. */
  viewsOf(tell: (id: string, event: ViewEvent) => void): ResultViews {
    this.lastPage += 1;
    const page = this.lastPage;
    const opened = new Map<string, string>();
    const viewOf = (id: string): string => `${page}:${id}`;
    const close = async (id: string): Promise<void> => {
      const view = viewOf(id);
      this.listeners.delete(view);
      if (opened.delete(id)) await this.threadOrRefuse().ask('close', { view });
    };
    return {
      open: async (id) => {
        const { file } = await this.find(id);
        const view = viewOf(id);
        opened.set(id, view);
        this.listeners.set(view, (event) => tell(id, event));
        return await this.threadOrRefuse().ask('open', { view, place: { file } });
      },
      close,
      ask: async <N extends ViewCall>(name: N, params: ViewParams<N>): Promise<Answer<N>> => {
        const { id, ...question } = params;
        return await this.threadOrRefuse().ask(name, { ...question, view: viewOf(id) } as Question<N>);
      },
      dispose: () => {
        for (const id of [...opened.keys()]) void close(id).catch(() => undefined);
      },
    };
  }

  async diff(left: string, right: string): Promise<Answer<'diff'>> {
    const [one, other] = [await this.find(left), await this.find(right)];
    return await this.threadOrRefuse().ask('diff', { left: { file: one.file }, right: { file: other.file } });
  }

  /** Spares files from clean-up, or no longer. Throws RpcError when a copy cannot be made. */
  async keep(ids: readonly string[], kept: boolean): Promise<void> {
    const files = await Promise.all([...new Set(ids)].map((id) => this.find(id)));
    if (kept) await this.keepFiles(files);
    else await this.releaseFiles(files);
    this.options.onChange();
  }

  /** What a clean-up would take, and how many it spares because they are kept or still written. */
  async cleanUpPreview(
    choice: Params<AppContract, 'results.cleanUpPreview'>,
  ): Promise<RpcAnswer<AppContract, 'results.cleanUpPreview'>> {
    const { files } = await this.read();
    const ids = choice.ids === null ? null : new Set(choice.ids);
    const now = this.options.now();
    const chosen = files.filter((file) => isChosen(file, { ...choice, ids, now }));
    const taken = chosen.filter(mayGo);
    return {
      ids: taken.map(({ id }) => id),
      bytes: taken.reduce((sum, { bytes }) => sum + bytes, 0),
      spared: chosen.length - taken.length,
      oldest: taken.at(-1)?.modifiedAt ?? null,
    };
  }

  async cleanUp(ids: readonly string[]): Promise<RpcAnswer<AppContract, 'results.cleanUp'>> {
    const { files } = await this.read();
    const wanted = new Set(ids);
    const taken = files.filter((file) => wanted.has(file.id) && mayGo(file)).map(({ file }) => file);
    const { batch, problem } = await this.throwAway(taken);
    this.options.onChange();
    const left = wanted.size - (batch?.files ?? 0);
    const spared = wanted.size - taken.length;
    const why =
      problem === '' && spared > 0 ? `${spared} are kept, still written, not Gatehouse’s own, or gone` : problem;
    return { batch, left, problem: why };
  }

  async trashBatches(): Promise<RpcAnswer<AppContract, 'results.trash'>['batches']> {
    return await batchesIn(await this.trash());
  }

  /** Brings a batch back. Those that the next clean-up would take again are kept. */
  async restore(batchId: string): Promise<RpcAnswer<AppContract, 'results.restore'>> {
    const trash = await this.trash();
    const { restored, left } = await restoreBatch(trash, batchId);
    const paths = new Set(restored.map((file) => pathBelow(trash.results, file)));
    const { files, retentionDays } = await this.read();
    const now = this.options.now();
    const old = files.filter(
      ({ path, modifiedAt }) => path !== null && paths.has(path) && modifiedAt < now - (retentionDays - 1) * dayMs,
    );
    if (old.length > 0) await this.keepFiles(old);
    this.options.onChange();
    return { restored: restored.length, left };
  }

  /** Copies a file into a folder; the copy's path. */
  async saveCopy(id: string, folder: string): Promise<string> {
    const { file } = await this.find(id);
    return await copyResult(file, { folder });
  }

  async reveal(id: string): Promise<void> {
    const { revealFile } = this.options;
    if (revealFile === null)
      throw new RpcError('refused', 'This host has no file browser to show it in. Copy its path.');
    await revealFile((await this.find(id)).file);
  }

  /** Something happened in a session: perhaps the list is another one now. */
  take(body: SessionEventBody): void {
    this.notice.take(body);
  }

  /** Deletes for good what lies in a session's folder, save for results that are kept. Rejects when something stays. */
  async removeSession(folder: string): Promise<void> {
    await removeSessionFiles(this.options.folder, folder, this.kept);
  }

  async dispose(): Promise<void> {
    this.notice.dispose();
    this.listeners.clear();
    await this.thread?.dispose();
  }

  private async read(): ReturnType<ResultList['read']> {
    const listed = await this.listing.read();
    this.known = new Map(listed.files.map((file) => [file.id, file]));
    return listed;
  }

  /** Looks up what an id stands for. Throws RpcError `notFound`. */
  private async find(id: string): Promise<ListedResult> {
    const known = this.known.get(id) ?? (await this.read().then(() => this.known.get(id)));
    if (known === undefined)
      throw new RpcError('notFound', 'This file is gone: it was deleted or cleaned up. Load the list again.');
    return known;
  }

  private threadOrRefuse(): ResultsThread {
    if (this.thread === null) throw new RpcError('unavailable', 'This host cannot look into files of results.');
    return this.thread;
  }

  private async trash(): Promise<Trash> {
    const { folder, paths } = this.options;
    return { folder: join(paths.data, 'trash'), results: await realpath(folder).catch(() => folder) };
  }

  private async throwAway(files: readonly string[]): ReturnType<typeof throwAway> {
    const trash = await this.trash();
    try {
      return await throwAway(trash, files, this.options.now());
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new RpcError('unavailable', `There is no trash to be had in ${trash.folder} (${why}). Nothing was moved.`);
    }
  }

  private async keepFiles(files: readonly ListedResult[]): Promise<void> {
    const at = this.options.now();
    const added: Kept[] = [];
    for (const file of files) {
      if (file.kept) continue;
      added.push(file.path === null ? await this.copied(file, at) : { file: file.path, at });
    }
    const names = new Set(added.map(({ file }) => file));
    await this.kept.change((kept) => [...kept.filter(({ file }) => !names.has(file)), ...added]);
  }

  /** Takes one of Claude Code's into Gatehouse's own folder. */
  private async copied({ file, session, call, seen }: ListedResult, at: number): Promise<Kept> {
    const { results } = await this.trash();
    const [project = '', sessionName = '', , name = ''] = file.split(sep).slice(-4);
    const folder = join(results, projectName(project), safeName(sessionName), resultsName);
    await makePrivateFolder(folder);
    const stem = safeName(name.replace(/\.[^.]*$/, ''));
    const ending = name.endsWith('.json') ? 'json' : 'txt';
    const names = (count: number): string => (count === 1 ? `${stem}.${ending}` : `${stem}.${count}.${ending}`);
    const copy = await copyResult(file, { folder, names });
    return { file: pathBelow(results, copy), at, source: { file, session, call, seen } };
  }

  private async releaseFiles(files: readonly ListedResult[]): Promise<void> {
    const released = new Set(files.flatMap(({ path, copy }) => path ?? copy ?? []));
    await this.kept.change((kept) => kept.filter(({ file }) => !released.has(file)));
    // The copies of what is still in its place serve nothing any more.
    const trash = await this.trash();
    const copies = files.flatMap(({ copy }) => (copy === null ? [] : [join(trash.results, copy)]));
    await this.throwAway(copies);
  }
}

const pathBelow = (root: string, file: string): string => relative(root, file).split(sep).join('/');

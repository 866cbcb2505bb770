// Past calls for the rest of the core: scopes and drafts of sessions in, answers of the thread out.
import { setImmediate as afterOthers } from 'node:timers/promises';
import type { HistoryScope, HistoryState } from '#shared/api/history';
import type { RuleDraft } from '#shared/permissions/ruleEdits';
import { RpcError } from '#shared/rpc/errors';
import type { Sources } from '../permissions/combineSources';
import type { RuleDrafts } from '../permissions/drafted';
import type { Log } from '../ports';
import type { CallScope, CreateReplayer, ReplayPlace } from './pastCalls';
import { HistoryEngine } from './worker/historyEngine';
import { breakdownText, HistoryThread } from './worker/historyThread';
import type { Answer, HistoryAnswerer, HistoryPlaces, PolicyNumbers, Question } from './worker/messages';
import { PolicyNumbering } from './worker/policyNumbering';

const dayMs = 86_400_000;
/** Folders of the past whose settings are looked at; calls in others stay undetermined. */
const maxFolders = 60;

export interface HistoryOptions {
  readonly claudeConfig: string;
  readonly nativeBinding: string | undefined;
  readonly place: ReplayPlace;
  /** The thread's built program; null: everything is done in this thread. */
  readonly threadFile: string | null;
  readonly createReplayer: CreateReplayer;
  readonly drafts: Pick<RuleDrafts, 'sourcesFor'>;
  /** Throws RpcError `notFound` for a session that is gone. */
  readonly folderOf: (sessionId: string) => string;
  readonly onState: (state: HistoryState) => void;
  readonly log: Log;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** A question about what rules make of the past. */
interface WithDraft {
  readonly scope: HistoryScope;
  readonly draft: RuleDraft;
}

type Without<T, K extends PropertyKey> = Omit<T, K>;
type Filtered<N extends 'replay' | 'exported'> = WithDraft & Without<Question<N>, 'scope' | 'policies'>;

export interface History {
  state(signal: AbortSignal): Promise<HistoryState>;
  /** Settles once everything that there is has been read. */
  whenRead(signal: AbortSignal): Promise<HistoryState>;
  pause(paused: boolean, signal: AbortSignal): Promise<HistoryState>;
  calls(
    question: { readonly scope: HistoryScope } & Without<Question<'calls'>, 'scope'>,
    signal: AbortSignal,
  ): Promise<Answer<'calls'>>;
  usage(question: { readonly scope: HistoryScope }, signal: AbortSignal): Promise<Answer<'usage'>>;
  replay(question: Filtered<'replay'>, signal: AbortSignal): Promise<Answer<'replay'>>;
  exported(question: Filtered<'exported'>, signal: AbortSignal): Promise<string>;
  /** Throws RpcError `notFound` when the call is gone. */
  explain(question: WithDraft & { readonly id: string }, signal: AbortSignal): Promise<NonNullable<Answer<'explain'>>>;
  reach(
    question: WithDraft & Without<Question<'reach'>, 'scope' | 'policies' | 'folder'>,
    signal: AbortSignal,
  ): Promise<Answer<'reach'>>;
  suggest(question: WithDraft, signal: AbortSignal): Promise<Answer<'suggest'>>;
  dispose(): Promise<void>;
}

export function createHistory(options: HistoryOptions): History {
  const { drafts, log } = options;
  const answerer = createAnswerer(options);
  const numbering = new PolicyNumbering(answerer);

  const callScope = ({ sessionId, where, days }: HistoryScope): CallScope => {
    const folder = options.folderOf(sessionId);
    return { folder: where === 'folder' ? folder : null, since: options.now() - days * dayMs };
  };

  /** What is in force in each folder with and without the draft. Between folders others have their turn. */
  async function policies(
    folders: readonly string[],
    { scope: { sessionId }, draft }: WithDraft,
    signal: AbortSignal,
  ): Promise<PolicyNumbers> {
    const ownFolder = options.folderOf(sessionId);
    const before: [string, number][] = [];
    const after: [string, number][] = [];
    for (const folder of folders) {
      if (signal.aborted) throw new RpcError('cancelled', 'Nobody waits for this answer any more.');
      const now = await sourcesOf(folder, { sessionId, ownFolder, draft: [] });
      const then = draft.length === 0 ? now : await sourcesOf(folder, { sessionId, ownFolder, draft });
      if (now === null || then === null) continue;
      before.push([folder, numbering.numberOf(now)]);
      after.push([folder, numbering.numberOf(then)]);
      await afterOthers();
    }
    return { before, after };
  }

  /** Null where nothing can be said of a folder: its calls stay undetermined. */
  async function sourcesOf(folder: string, about: Parameters<RuleDrafts['sourcesFor']>[1]): Promise<Sources | null> {
    try {
      return await drafts.sourcesFor(folder, about);
    } catch (error) {
      if (folder === about.ownFolder) throw error;
      log.warn('the rules of a folder of the past cannot be told', { error: String(error) });
      return null;
    }
  }

  async function scoped(question: WithDraft, signal: AbortSignal) {
    const scope = callScope(question.scope);
    const own = options.folderOf(question.scope.sessionId);
    const projects = await answerer.ask('projects', { scope }, signal);
    const others = projects.filter((folder) => folder !== own && mayLookInto(folder));
    const folders = [own, ...others].slice(0, maxFolders);
    return { scope, folder: own, policies: await policies(folders, question, signal) };
  }

  return {
    state: (signal) => answerer.ask('state', {}, signal),
    whenRead: (signal) => answerer.ask('whenRead', {}, signal),
    pause: (paused, signal) => answerer.ask('pause', { paused }, signal),
    calls: ({ scope, ...rest }, signal) => answerer.ask('calls', { ...rest, scope: callScope(scope) }, signal),
    async usage({ scope }, signal) {
      return await answerer.ask('usage', await scoped({ scope, draft: [] }, signal), signal);
    },
    async replay({ scope, draft, ...rest }, signal) {
      const known = await scoped({ scope, draft }, signal);
      return await answerer.ask('replay', { ...rest, scope: known.scope, policies: known.policies }, signal);
    },
    async exported({ scope, draft, ...rest }, signal) {
      const known = await scoped({ scope, draft }, signal);
      return await answerer.ask('exported', { ...rest, scope: known.scope, policies: known.policies }, signal);
    },
    async explain({ id, ...question }, signal) {
      const project = await answerer.ask('projectOf', { id }, signal);
      const folders = project === null || !mayLookInto(project) ? [] : [project];
      const known = await policies(folders, question, signal);
      const decision = await answerer.ask('explain', { id, policies: known }, signal);
      if (decision === null)
        throw new RpcError('notFound', 'This call is gone: its session was deleted, or its transcript swept away.');
      return decision;
    },
    async reach({ scope, draft, ...rest }, signal) {
      return await answerer.ask('reach', { ...rest, ...(await scoped({ scope, draft }, signal)) }, signal);
    },
    async suggest(question, signal) {
      return await answerer.ask('suggest', await scoped(question, signal), signal);
    },
    dispose: () => answerer.dispose(),
  };
}

function createAnswerer(options: HistoryOptions): HistoryAnswerer {
  const { claudeConfig, nativeBinding, place, threadFile, createReplayer, onState, log } = options;
  const places: HistoryPlaces = { claudeConfig, nativeBinding, replay: place };
  if (threadFile === null) return new HistoryEngine({ places, createReplayer, onState });
  let last: HistoryState | null = null;
  return new HistoryThread({
    file: threadFile,
    places,
    onState(state) {
      last = state;
      onState(state);
    },
    onBreakdown(why) {
      log.error('the thread of past calls ended', new Error(why));
      onState({ ...(last ?? emptyState(claudeConfig)), phase: 'failed', problem: breakdownText(why) });
    },
  });
}

const emptyState = (claudeConfig: string): HistoryState => ({
  phase: 'idle',
  files: 0,
  filesDone: 0,
  bytes: 0,
  bytesDone: 0,
  calls: 0,
  sessions: 0,
  skipped: 0,
  problem: '',
  folder: `${claudeConfig}/projects`,
});

/** A transcript may name any folder. One on another machine is not asked for: asking would already tell it something. */
const mayLookInto = (folder: string): boolean => !/^(\\\\|\/\/)/.test(folder);

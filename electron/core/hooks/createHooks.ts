// Fires hooks: which handlers listen, all of them at once, one combined answer, one row of the trace for each.
import { ruleSources } from '#shared/permissions/sources';
import type { SessionEventBody } from '#shared/session/events';
import type { HookEventName, HookRun } from '#shared/session/hookRun';
import { newId } from '../ids';
import type { SessionSettings } from '../permissions/settingsInForce';
import type { Log } from '../ports';
import { combine, type NamedVote } from './combine';
import { isGate, subjectOf } from './eventRules';
import { blocksOnFailure, type Handler, identityOf, labelOf, runsInBackground } from './handler';
import { hookInput } from './hookInput';
import { type CommandHooks, type HookTable, type Listener, readHookTable } from './hookSettings';
import { type HookEvent, type HookedCall, type HookOutcome, type HookPlace, type Hooks, noHookOutcome } from './hooks';
import { boundedText, type KeepText, shortenVote } from './longText';
import type { CallMcpTool } from './mcpHandler';
import type { AskModel, RunHookAgent } from './modelHandler';
import { runHandler, type Surroundings } from './runHandler';
import { budgetOf } from './timeouts';
import { type Ended, judge, nameOf, noVote, type Verdict } from './verdict';

export interface HooksOptions extends Surroundings {
  /** The session's settings files; opens the session where it is not open. Cheap when nothing changed. */
  settings(session: { readonly sessionId: string; readonly folder: string }): SessionSettings;
  /** The session's folder; null: there is no such session. */
  folderOf(sessionId: string): string | null;
  /** Whether a rule speaks of a call, in doubt yes. */
  speaksOf(rule: string, call: HookedCall, place: HookPlace): Promise<boolean>;
  append(sessionId: string, body: SessionEventBody): void;
  /** The file that tells the session so far, brought up to date; empty where there is none. */
  transcript(sessionId: string): Promise<string>;
  /** The person's message that the turn answers; null before the first. */
  promptId(sessionId: string): string | null;
  /** Keeps a long text of a hook where the model can read it. */
  readonly keepText: KeepText;
  /** Tells the model, with its next request, what a handler said that ran in the background. */
  tellModel(about: { readonly sessionId: string; readonly text: string; readonly hook: string }): void;
  /**
   * What running commands and skills of a session bring along, for events of a sub-agent also what its own file does;
   * left out: nothing.
   */
  commandHooks?(sessionId: string, agentId?: string): CommandHooks | null;
  readonly askModel?: AskModel;
  readonly runAgent?: RunHookAgent;
  readonly callMcpTool?: CallMcpTool;
  /** Epoch milliseconds. */
  now(): number;
  readonly log: Log;
}

/** A handler that will run. */
interface Chosen {
  readonly handler: Handler;
  readonly key: string;
}

export interface WatchingHooks extends Hooks {
  /** Files that FileChanged handlers want to hear of, as their matchers name them. */
  watchedFiles(sessionId: string): readonly string[];
}

class HookRunner implements WatchingHooks {
  private readonly tables = new Map<string, { readonly key: unknown; readonly table: HookTable }>();
  private readonly told = new Map<string, string>();
  /** Handlers with `once` that have run, by session. */
  private readonly spent = new Map<string, Set<string>>();
  private readonly background = new Set<Promise<void>>();
  private readonly ending = new AbortController();

  constructor(private readonly options: HooksOptions) {}

  listens(sessionId: string, name: HookEventName, matched: string): boolean {
    try {
      const folder = this.options.folderOf(sessionId);
      if (folder === null) return false;
      const listeners = this.table(sessionId, folder).listeners.get(name) ?? [];
      return listeners.some(({ matches }) => matches?.(matched) ?? true);
    } catch (error) {
      this.options.log.error('looking for hooks failed', error);
      return true;
    }
  }

  watchedFiles(sessionId: string): readonly string[] {
    const folder = this.options.folderOf(sessionId);
    if (folder === null) return [];
    const listeners = this.table(sessionId, folder).listeners.get('FileChanged') ?? [];
    const names = listeners.flatMap(({ handler }) => handler.matcher.split('|').map((name) => name.trim()));
    return [...new Set(names.filter((name) => name !== '' && name !== '*'))];
  }

  async fire(event: HookEvent, place: HookPlace, signal: AbortSignal): Promise<HookOutcome> {
    if (this.ending.signal.aborted) return isGate(event.name) ? fault(event, 'Gatehouse is ending') : noHookOutcome;
    let chosen: readonly Chosen[];
    let table: HookTable;
    let input: Readonly<Record<string, unknown>>;
    let stdin: string;
    try {
      table = this.table(place.sessionId, place.folder, place.agent?.agentId);
      const matching = matchingListeners(event, table);
      if (!matching.ok) return fault(event, matching.problem);
      if (matching.listeners.length === 0) return noHookOutcome;
      input = hookInput(event, place, {
        transcriptPath: await this.options.transcript(place.sessionId),
        promptId: this.options.promptId(place.sessionId),
      });
      stdin = JSON.stringify(input);
      chosen = await this.choose(event, place, matching.listeners);
    } catch (error) {
      this.options.log.error(`hooks for ${event.name} could not be found out`, error);
      return fault(
        event,
        `Hooks for ${event.name} could not be found out (${error instanceof Error ? error.message : 'unknown'})`,
      );
    }
    const both = AbortSignal.any([signal, this.ending.signal]);
    const budgetMs = budgetOf(
      event.name,
      chosen.map(({ handler }) => handler.action),
    );
    const votes = await Promise.all(
      chosen.map(async ({ handler }): Promise<NamedVote> => {
        const run = { event, place, handler, input, stdin, limits: table.http, signal: both, budgetMs };
        return { hook: nameOf(handler), vote: (await this.runOne(run)).vote };
      }),
    );
    if (event.name === 'SessionEnd') this.forget(place.sessionId);
    return combine(event.name, votes);
  }

  async dispose(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.background);
    this.tables.clear();
  }

  private forget(sessionId: string): void {
    for (const kept of [this.tables, this.told, this.spent]) kept.delete(sessionId);
  }

  private table(sessionId: string, folder: string, agentId?: string): HookTable {
    const { version, files } = this.options.settings({ sessionId, folder });
    const command = this.options.commandHooks?.(sessionId, agentId) ?? null;
    const key = `${version} ${JSON.stringify(command)}`;
    const known = this.tables.get(sessionId);
    if (known?.key === key) return known.table;
    const table = readHookTable({ files, command });
    this.tables.set(sessionId, { key, table });
    this.tellProblems({ sessionId, agentId, table });
    return table;
  }

  /** Names skipped entries to the person, each state of the files once. */
  private tellProblems(about: {
    readonly sessionId: string;
    readonly agentId: string | undefined;
    readonly table: HookTable;
  }): void {
    const { sessionId, agentId, table } = about;
    const text = table.problems.join('\n');
    const teller = agentId === undefined ? sessionId : `${sessionId} ${agentId}`;
    const known = this.told.get(teller) ?? this.told.get(sessionId) ?? '';
    if (text === known) return;
    this.told.set(teller, text);
    if (text === '') return;
    this.append(sessionId, {
      type: 'notice',
      level: 'warning',
      text: boundedText(text),
      next: 'Mend the settings file; it is read again by itself.',
    });
  }

  /** Conditions judged, the same handler of several files once, spent ones left out. */
  private async choose(event: HookEvent, place: HookPlace, listeners: readonly Listener[]): Promise<readonly Chosen[]> {
    const spent = this.spent.get(place.sessionId) ?? new Set<string>();
    const fits = await Promise.all(listeners.map(({ handler }) => this.conditionHolds(event, place, handler)));
    const chosen = new Map<string, Chosen>();
    for (const [index, { handler }] of listeners.entries()) {
      const key = `${event.name} ${identityOf(handler.action)}`;
      if (fits[index] !== true || spent.has(key)) continue;
      const before = chosen.get(key);
      // The copy that waits for its end, and the one that blocks when it fails, are the stricter ones.
      if (before === undefined || strictness(handler) > strictness(before.handler)) chosen.set(key, { handler, key });
    }
    for (const { handler, key } of chosen.values())
      if (handler.action.once === true && handler.source === 'command') spent.add(key);
    this.spent.set(place.sessionId, spent);
    return [...chosen.values()];
  }

  private async conditionHolds(event: HookEvent, place: HookPlace, { action }: Handler): Promise<boolean> {
    if (action.if === undefined) return true;
    if (!('call' in event)) return false;
    try {
      return await this.options.speaksOf(action.if, event.call, place);
    } catch (error) {
      this.options.log.error('judging the condition of a hook failed; the hook runs', error);
      return true;
    }
  }

  private async runOne(run: {
    readonly event: HookEvent;
    readonly place: HookPlace;
    readonly handler: Handler;
    readonly input: Readonly<Record<string, unknown>>;
    readonly stdin: string;
    readonly limits: HookTable['http'];
    readonly signal: AbortSignal;
    readonly budgetMs: number | null;
  }): Promise<Verdict> {
    const { event, place, handler, stdin } = run;
    const { sessionId } = place;
    const runId = newId('h');
    const startedAt = this.options.now();
    const record = (about: Pick<HookRun, 'outcome' | 'effect' | 'endedAt'>, ended: Ended | null): void => {
      const exited = ended?.kind === 'exited' ? ended : null;
      const hookRun: HookRun = {
        runId,
        event: event.name,
        matcher: handler.matcher,
        handler: handler.action.type,
        label: labelOf(handler.action),
        source: handler.source,
        ...(handler.file === null ? {} : { file: handler.file }),
        startedAt,
        ...about,
        effect: boundedText(about.effect),
        exitCode: exited?.exitCode ?? null,
        stdin: boundedText(stdin),
        stdout: boundedText(exited?.stdout ?? ''),
        stderr: boundedText(exited?.stderr ?? ''),
      };
      const callId = place.callId === undefined ? {} : { callId: place.callId };
      this.append(sessionId, { type: 'hook.ran', ...callId, run: hookRun });
    };
    const start = (signal: AbortSignal): Promise<Ended> =>
      runHandler({ ...run, signal }, this.options).catch((error: unknown): Ended => {
        this.options.log.error(`running the hook ${nameOf(handler)} failed`, error);
        return { kind: 'failed', problem: 'it could not be run' };
      });

    const keep = (text: string): Promise<string | null> =>
      this.options.keepText(text, { sessionId, runId }).catch((error: unknown) => {
        this.options.log.error('keeping a long text of a hook failed', error);
        return null;
      });
    if (runsInBackground(handler.action)) {
      record({ outcome: 'background', effect: 'runs in the background', endedAt: null }, null);
      const work = start(this.ending.signal).then(async (ended) => {
        const verdict = judge({ event, handler, ended });
        const { context } = await shortenVote(verdict.vote, keep);
        record(
          {
            outcome: verdict.outcome,
            effect: this.backgroundEnd({ place, handler, ended, context }),
            endedAt: this.options.now(),
          },
          ended,
        );
      });
      this.background.add(work);
      void work.finally(() => this.background.delete(work));
      return { outcome: 'background', effect: '', vote: noVote };
    }
    const ended = await start(run.signal);
    const verdict = judge({ event, handler, ended });
    const vote = await shortenVote(verdict.vote, keep);
    record({ outcome: verdict.outcome, effect: verdict.effect, endedAt: this.options.now() }, ended);
    return { ...verdict, vote };
  }

  /** What the end of a background handler does, in words: it decides nothing any more, but may tell the model something. */
  private backgroundEnd(about: {
    readonly place: HookPlace;
    readonly handler: Handler;
    readonly ended: Ended;
    readonly context: readonly string[];
  }): string {
    const { place, handler, ended, context } = about;
    const rewakes = handler.action.type === 'command' && handler.action.asyncRewake === true;
    const wakes = rewakes && ended.kind === 'exited' && ended.exitCode === 2;
    const text = wakes
      ? boundedText(ended.stderr.trim() || 'A hook that ran in the background ended with exit code 2.')
      : context.join('\n\n');
    if (text === '') return 'ended in the background';
    try {
      this.options.tellModel({ sessionId: place.sessionId, text, hook: nameOf(handler) });
      return `told the model: ${boundedText(text)}`;
    } catch (error) {
      this.options.log.error('telling the model what a hook said failed', error);
      return 'ended in the background; the model could not be told';
    }
  }

  /** A trace that cannot be written must not change what a hook decides. */
  private append(sessionId: string, body: SessionEventBody): void {
    try {
      this.options.append(sessionId, body);
    } catch (error) {
      this.options.log.error('recording a hook failed', error);
    }
  }
}

function strictness({ action }: Handler): number {
  return (runsInBackground(action) ? 0 : 2) + (blocksOnFailure(action) ? 1 : 0);
}

/** The listeners of an event, or why that cannot be told. */
function matchingListeners(
  event: HookEvent,
  table: HookTable,
): { readonly ok: true; readonly listeners: readonly Listener[] } | { readonly ok: false; readonly problem: string } {
  const subject = subjectOf(event);
  const listeners = table.listeners.get(event.name) ?? [];
  const broken = listeners.find(({ matches }) => matches === null);
  // Elsewhere a broken matcher was told of when its file was read.
  if (broken !== undefined && isGate(event.name)) {
    const { handler, problem } = broken;
    const line = handler.line === null ? '' : `, line ${handler.line}`;
    const place = `${handler.file ?? ruleSources[handler.source].where}${line}`;
    return { ok: false, problem: `The matcher of the hook ${nameOf(handler)} cannot be read (${place}): ${problem}` };
  }
  return { ok: true, listeners: listeners.filter(({ matches }) => matches?.(subject) ?? false) };
}

/** Nobody knows what hooks would have said: a gate stays shut. */
function fault(event: HookEvent, problem: string): HookOutcome {
  const reason = `${problem}. Mend the hooks in the settings.`;
  if (!isGate(event.name)) return { ...noHookOutcome, messages: [reason] };
  const block = { reason, hook: 'settings of hooks' };
  return { ...noHookOutcome, block, opinion: { behavior: 'deny', ...block } };
}

/** Makes the hooks of a core. */
export function createHooks(options: HooksOptions): WatchingHooks {
  return new HookRunner(options);
}

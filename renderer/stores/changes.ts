// What tools changed in the files of the open session, and what taking some of it back would write.
import { create } from 'zustand';
import type { FileRestore, NotCovered, RestoreTarget, TimelineEntry } from '#shared/api/changes';
import { RpcError } from '#shared/rpc/errors';
import { counted } from '../features/frame/words';
import { host } from '../host/client';
import { messageOf, reportFailure, useToasts } from './toasts';

/** Just the chosen step · it and all later ones · the steps that the panel was opened for. */
export type Scope = 'step' | 'since' | 'these';

/** One line of the timeline: a change by a call, or all of one restore. */
export interface Step {
  /** Of its first change; steps are in this order. */
  readonly seq: number;
  readonly key: string;
  readonly at: number;
  readonly title: string;
  readonly restore: boolean;
  readonly agentId: string | null;
  readonly entries: readonly TimelineEntry[];
}

/** What to show first. */
export type ChangesFocus =
  | { readonly kind: 'newest' }
  | { readonly kind: 'call'; readonly callId: string }
  /** All changes that were made at or after a time, in epoch milliseconds. */
  | { readonly kind: 'sinceTime'; readonly at: number }
  | { readonly kind: 'restore'; readonly step: string };

/** Chosen hunks of a file; `all` also for what has no hunks. A path that is missing is not chosen. */
export type Chosen = Readonly<Record<string, 'all' | readonly string[]>>;

interface ChangesFacts {
  /** Null: the panel is closed. */
  readonly sessionId: string | null;
  readonly status: 'loading' | 'ready' | 'failed';
  readonly problem: string;
  readonly steps: readonly Step[];
  readonly notCovered: readonly NotCovered[];
  /** `key` of the chosen step. */
  readonly selected: string | null;
  readonly scope: Scope;
  /** Changes that the scope `these` is about. */
  readonly these: readonly string[];
  /** Null while it is asked for. */
  readonly files: readonly FileRestore[] | null;
  readonly previewProblem: string;
  readonly chosen: Chosen;
  readonly restoring: boolean;
  /** The call that it was opened for has no step here. */
  readonly missing: boolean;
  /** What it was opened for, until the timeline is there. */
  readonly wanted: ChangesFocus | null;
}

interface ChangesActions {
  open(sessionId: string, focus: ChangesFocus): void;
  close(): void;
  /** Reads the timeline anew and keeps what is chosen. */
  reload(): Promise<void>;
  select(key: string, scope?: Scope): void;
  setScope(scope: Scope): void;
  /** Asks anew what would be written. */
  refresh(): Promise<void>;
  choose(path: string, what: 'all' | readonly string[]): void;
  restore(): Promise<void>;
}

export type ChangesStore = ChangesFacts & ChangesActions;

const noChanges: ChangesFacts = {
  sessionId: null,
  status: 'loading',
  problem: '',
  steps: [],
  notCovered: [],
  selected: null,
  scope: 'step',
  these: [],
  files: null,
  previewProblem: '',
  chosen: {},
  restoring: false,
  missing: false,
  wanted: null,
};

/** Counts previews, so that the answer to an outdated one is ignored. */
let round = 0;

export const useChanges = create<ChangesStore>()((set, get) => ({
  ...noChanges,
  open(sessionId, focus) {
    round += 1;
    set({ ...noChanges, sessionId, wanted: focus });
    void load(focus);
  },
  close() {
    round += 1;
    set(noChanges);
  },
  reload: () => load(null),
  select(key, scope) {
    set((now) => ({ missing: false, selected: key, scope: scope ?? (now.scope === 'these' ? 'step' : now.scope) }));
    void get().refresh();
  },
  setScope(scope) {
    set({ scope });
    void get().refresh();
  },
  async refresh() {
    const { sessionId } = get();
    const target = targetOf(get());
    round += 1;
    const mine = round;
    if (sessionId === null || target === null) {
      set({ files: [], chosen: {}, previewProblem: '' });
      return;
    }
    set({ files: null, previewProblem: '' });
    try {
      const { files } = await host().call('changes.preview', { sessionId, target });
      if (mine === round) set({ files, chosen: firstChoice(files) });
    } catch (error) {
      if (mine === round) set({ files: [], chosen: {}, previewProblem: messageOf(error) });
    }
  },
  choose(path, what) {
    set(({ chosen: { [path]: _, ...rest } }) => ({
      chosen: what === 'all' || what.length > 0 ? { ...rest, [path]: what } : rest,
    }));
  },
  async restore() {
    const { sessionId, files, chosen, restoring } = get();
    const target = targetOf(get());
    const wanted = (files ?? []).flatMap(({ path, now }) => {
      const what = chosen[path];
      return what === undefined ? [] : [{ path, now, hunkIds: what === 'all' ? null : [...what] }];
    });
    if (sessionId === null || target === null || wanted.length === 0 || restoring) return;
    set({ restoring: true });
    try {
      const { step, changes } = await host().call('changes.restore', { sessionId, target, files: wanted });
      tellRestored(sessionId, step, changes.length);
      if (get().sessionId === sessionId) await load({ kind: 'restore', step });
    } catch (error) {
      reportFailure('Nothing was restored.', error);
      if (error instanceof RpcError && error.code === 'conflict') await get().refresh();
    } finally {
      set({ restoring: false });
    }
  },
}));

/** Opens the panel for a session. */
export function openChanges(sessionId: string, focus: ChangesFocus = { kind: 'newest' }): void {
  useChanges.getState().open(sessionId, focus);
}

/** What the choice in the panel asks the core for; null: nothing is chosen. */
function targetOf({
  steps,
  selected,
  scope,
  these,
}: Pick<ChangesFacts, 'steps' | 'selected' | 'scope' | 'these'>): RestoreTarget | null {
  if (scope === 'these') return these.length === 0 ? null : { kind: 'undo', changeIds: [...these] };
  const step = steps.find(({ key }) => key === selected);
  if (step === undefined) return null;
  if (scope === 'since') return { kind: 'before', seq: step.seq };
  return { kind: 'undo', changeIds: step.entries.map(({ change }) => change.changeId) };
}

/** The timeline by steps: what one restore wrote belongs together. In the order in which it happened. */
export function stepsOf(entries: readonly TimelineEntry[]): Step[] {
  const steps = new Map<string, Step>();
  for (const entry of entries) {
    const { by, changeId } = entry.change;
    const key = by.kind === 'restore' ? by.step : changeId;
    const { seq, at, title, agentId } = entry;
    const known = steps.get(key) ?? { key, seq, at, title, agentId, restore: by.kind === 'restore', entries: [] };
    steps.set(key, { ...known, entries: [...known.entries, entry] });
  }
  return [...steps.values()];
}

/** At first everything is chosen that overwrites nothing of anybody else's. */
function firstChoice(files: readonly FileRestore[]): Chosen {
  const chosen: Record<string, 'all' | readonly string[]> = {};
  for (const { path, state, hunks } of files) {
    if (state === 'ready' || state === 'merged') chosen[path] = 'all';
    if (state !== 'conflict') continue;
    const free = hunks.filter(({ conflict }) => conflict === null).map(({ hunkId }) => hunkId);
    if (free.length > 0 && free.length < hunks.length) chosen[path] = free;
  }
  return chosen;
}

async function load(focus: ChangesFocus | null): Promise<void> {
  const { sessionId } = useChanges.getState();
  if (sessionId === null) return;
  try {
    const { entries, notCovered } = await host().call('changes.list', { sessionId });
    if (useChanges.getState().sessionId !== sessionId) return;
    const steps = stepsOf(entries);
    const before = useChanges.getState();
    const first = before.selected === null && before.scope === 'step' ? { kind: 'newest' as const } : null;
    const to = focus ?? before.wanted ?? first;
    useChanges.setState({ status: 'ready', problem: '', steps, notCovered, wanted: null });
    if (to !== null) useChanges.setState(focused(steps, to));
    const now = useChanges.getState();
    if (JSON.stringify(targetOf(before)) !== JSON.stringify(targetOf(now)) || to !== null || now.files === null)
      await now.refresh();
  } catch (error) {
    if (useChanges.getState().sessionId !== sessionId) return;
    useChanges.setState({ status: 'failed', problem: messageOf(error) });
  }
}

function focused(steps: readonly Step[], focus: ChangesFocus): Partial<ChangesFacts> {
  const newest = steps.at(-1)?.key ?? null;
  switch (focus.kind) {
    case 'newest':
      return { selected: newest, scope: 'step', these: [] };
    case 'restore':
      return { selected: focus.step, scope: 'step', these: [] };
    case 'call': {
      const found = steps.find(({ entries }) =>
        entries.some(({ change: { by } }) => by.kind === 'call' && by.callId === focus.callId),
      );
      return { selected: found?.key ?? newest, scope: 'step', these: [], missing: found === undefined };
    }
    case 'sinceTime': {
      const since = steps.filter(({ at, restore }) => at >= focus.at && !restore);
      const these = since.flatMap(({ entries }) => entries.map(({ change }) => change.changeId));
      return { selected: since[0]?.key ?? null, scope: 'these', these };
    }
  }
}

function tellRestored(sessionId: string, step: string, files: number): void {
  useToasts.getState().show({
    level: 'info',
    title: files === 0 ? 'Nothing had to be written.' : `${counted(files, 'file')} restored.`,
    text: 'This is a step of its own in the session’s changes, and the model has been told to read again.',
    ...(files === 0 ? {} : { action: { label: 'Undo', run: () => void undoRestore(sessionId, step) } }),
  });
}

/** Takes a restore back at once where nobody has changed its files since; else shows what would happen. */
async function undoRestore(sessionId: string, step: string): Promise<void> {
  const target: RestoreTarget = { kind: 'redo', step };
  try {
    const { files } = await host().call('changes.preview', { sessionId, target });
    const wanted = files.filter(({ state }) => state !== 'same');
    if (wanted.some(({ state }) => state !== 'ready')) {
      useChanges.getState().open(sessionId, { kind: 'restore', step });
      return;
    }
    if (wanted.length === 0) return;
    const done = await host().call('changes.restore', {
      sessionId,
      target,
      files: wanted.map(({ path, now }) => ({ path, now, hunkIds: null })),
    });
    useToasts.getState().show({
      level: 'info',
      title: 'The restore was undone.',
      text: `${counted(done.changes.length, 'file')} as before it.`,
      action: { label: 'Redo', run: () => void undoRestore(sessionId, done.step) },
    });
    if (useChanges.getState().sessionId === sessionId) await load({ kind: 'restore', step: done.step });
  } catch (error) {
    reportFailure('The restore was not undone.', error);
  }
}

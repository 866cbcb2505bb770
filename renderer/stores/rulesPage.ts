// What the Rules page shows and knows, loaded while somebody looks at it and kept while another page is shown.
import { create } from 'zustand';
import type { RuleUsage } from '#shared/api/history';
import type { DraftView, LintFinding, StepsView } from '#shared/api/rules';
import type { Behavior, RuleRef } from '#shared/permissions/ruleRef';
import type { RuleSource } from '#shared/permissions/sources';
import { host } from '../host/client';
import { draftOf, editsOf, useRuleDraft } from './ruleDraft';
import { useSession } from './session';
import { messageOf } from './toasts';

export type RuleGrouping = 'source' | 'tool' | 'verdict' | 'none';
/** `place`: denials first, then by line. */
export type RuleOrder = 'place' | 'rule' | 'matched' | 'lastUsed' | 'check';
export type LabTab = 'rule' | 'try' | 'replay' | 'tests' | 'suggest' | 'checks';
/** What stands in the main pane: the table, the files as text, or what is in force. */
export type RulesView = 'table' | 'text' | 'policy';

interface RulesPageFacts {
  readonly view: RulesView;
  /** The file of the text view. */
  readonly file: string | null;
  /** Texts of files that are being written, by path. */
  readonly fileEdits: Readonly<Record<string, FileEdit>>;
  /** The line of the file to go to, once. */
  readonly line: number | null;
  /** The repair of the broken file is looked at. */
  readonly repairing: boolean;
  readonly tab: LabTab;
  readonly grouping: RuleGrouping;
  readonly order: RuleOrder;
  readonly descending: boolean;
  /** Empty: all. */
  readonly sources: readonly RuleSource[];
  readonly verdicts: readonly Behavior[];
  readonly search: string;
  /** Keys of the chosen rows. */
  readonly chosen: readonly string[];
  /** The row whose details are shown; null: none, or a new rule is being written. */
  readonly active: string | null;
  /** The form of that row is open. */
  readonly editing: boolean;
  /** The menu that says where the chosen rows shall go is open. */
  readonly moving: boolean;
  /** A rule that is being written; null: none. */
  readonly writing: WrittenRule | null;
  /** The changes of the draft are looked at before they are written. */
  readonly reviewing: boolean;
  /** What Try it is about, when another part of the page asked for it. */
  readonly tried: string | null;
}

/** A file's text as it is being written, and the text on disk that it was made from; null = there was no file. */
export interface FileEdit {
  readonly text: string;
  readonly base: string | null;
}

/** What a new rule starts with. */
export interface WrittenRule {
  readonly behavior: Behavior;
  readonly text: string;
  readonly source: 'session' | 'localSettings' | 'projectSettings' | 'userSettings';
}

interface RulesPageStore extends RulesPageFacts {
  /** What the lists belong to. */
  readonly sessionId: string | null;
  /** Rules as they would stand after the draft; null until they have come. */
  readonly preview: DraftView | null;
  readonly findings: readonly LintFinding[] | null;
  readonly usage: readonly RuleUsage[];
  readonly notes: Readonly<Record<string, string>>;
  readonly steps: StepsView;
  /** Why the rules could not be loaded; empty when all is well. */
  readonly problem: string;
  show(change: Partial<RulesPageFacts>): void;
  reload(): Promise<void>;
  /** Reads how often rules were used; slow the first time. */
  loadUsage(): Promise<void>;
  setNote(rule: RuleRef, note: string): Promise<string>;
}

const noSteps: StepsView = { undo: null, redo: null, recent: [] };

export const useRulesPage = create<RulesPageStore>()((set, get) => ({
  view: 'table',
  file: null,
  fileEdits: {},
  line: null,
  repairing: false,
  tab: 'rule',
  grouping: 'source',
  order: 'place',
  descending: false,
  sources: [],
  verdicts: [],
  search: '',
  chosen: [],
  active: null,
  editing: false,
  moving: false,
  writing: null,
  reviewing: false,
  tried: null,
  sessionId: null,
  preview: null,
  findings: null,
  usage: [],
  notes: {},
  steps: noSteps,
  problem: '',
  show: (change) => set(change),
  async reload() {
    const { sessionId, status } = useSession.getState();
    if (sessionId === null || status !== 'ready') {
      set({ sessionId: null, preview: null, findings: null, usage: [], problem: '' });
      return;
    }
    if (get().sessionId !== sessionId)
      set({
        sessionId,
        preview: null,
        findings: null,
        usage: [],
        chosen: [],
        active: null,
        editing: false,
        writing: null,
      });
    const draft = editsOf(draftOf(useRuleDraft.getState(), sessionId));
    const mine = () => get().sessionId === sessionId && editsOf(draftOf(useRuleDraft.getState(), sessionId)) === draft;
    const take = <Value>(wanted: Promise<Value>, use: (value: Value) => Partial<RulesPageStore>): Promise<void> =>
      wanted.then(
        (value) => {
          if (mine()) set(use(value));
        },
        (error: unknown) => {
          if (mine()) set({ problem: messageOf(error) });
        },
      );
    await Promise.all([
      take(host().call('rules.preview', { sessionId, draft }), (preview) => ({ preview, problem: '' })),
      take(host().call('rules.steps', {}), (steps) => ({ steps })),
      take(host().call('rules.notes', {}), ({ notes }) => ({ notes })),
      host()
        .call('rules.lint', { sessionId, draft })
        .then(
          ({ findings }) => mine() && set({ findings }),
          () => mine() && set({ findings: [] }),
        ),
    ]);
  },
  async loadUsage() {
    const { sessionId } = get();
    if (sessionId === null) return;
    try {
      const { usage } = await host().call('history.usage', { scope: { sessionId, where: 'everywhere', days: 30 } });
      if (get().sessionId === sessionId) set({ usage });
    } catch {
      // The table says "not known" where nothing is known; the Replay tab tells why history cannot be read.
    }
  },
  async setNote({ text }, note) {
    try {
      const { notes } = await host().call('rules.setNote', { rule: text, note });
      set({ notes });
      return '';
    } catch (error) {
      return messageOf(error);
    }
  },
}));

function hold(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

// The draft outlives a reload, texts of files that are being written do not: the browser asks before they are lost.
useRulesPage.subscribe(({ fileEdits }, before) => {
  if (fileEdits === before.fileEdits) return;
  if (Object.keys(fileEdits).length > 0) window.addEventListener('beforeunload', hold);
  else window.removeEventListener('beforeunload', hold);
});

/** Milliseconds in which changes that come together are gathered. */
const gatherMs = 60;

/** Keeps the page's lists as they are in the core, until the returned function is called. */
export function followRulesPage(): () => void {
  const link = host();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void useRulesPage.getState().reload(), gatherMs);
  };
  const stops = [
    link.on('permissions.changed', ({ sessionId }) => {
      if (sessionId === useSession.getState().sessionId) soon();
    }),
    // What was read meanwhile may have used rules.
    link.on('history.state', ({ phase }) => {
      if (phase === 'idle') void useRulesPage.getState().loadUsage();
    }),
    link.on('rules.steps', (steps) => useRulesPage.setState({ steps })),
    link.onState((state) => {
      if (state.status === 'open') soon();
    }),
    useRuleDraft.subscribe(soon),
    useSession.subscribe((now, before) => {
      if (now.sessionId !== before.sessionId || now.status !== before.status) soon();
    }),
  ];
  void useRulesPage
    .getState()
    .reload()
    .then(() => useRulesPage.getState().loadUsage());
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}

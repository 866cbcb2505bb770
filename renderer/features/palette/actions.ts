// THE table of what can be done from anywhere: the palette, the keys, their sheet and the settings all read this one.
import {
  Archive,
  ArrowLeftRight,
  Bell,
  Blocks,
  BookOpen,
  ChartGantt,
  ClipboardCopy,
  Contrast,
  Download,
  FoldVertical,
  GitBranch,
  History,
  Keyboard,
  ListChecks,
  type LucideIcon,
  MessageSquare,
  Moon,
  PanelLeft,
  PanelRight,
  PencilLine,
  Pin,
  Plus,
  Rows3,
  Search,
  Settings,
  ShieldQuestionMark,
  Square,
  Sun,
  TextSearch,
  Undo2,
  Webhook,
  X,
} from 'lucide-react';
import type { Density, Theme } from '#shared/api/settings';
import { type Page, useApp, waitingCount } from '../../stores/app';
import { openChanges } from '../../stores/changes';
import { useSession } from '../../stores/session';
import { reportFailure, useToasts } from '../../stores/toasts';
import { type InspectorTab, useUi } from '../../stores/ui';
import { openFolder } from '../folders/openFolder';
import { focusPane } from '../frame/paneFocus';
import { toggleSidebar } from '../frame/toggleSidebar';

export type ActionSection = 'Session' | 'Go to' | 'View' | 'Help';

export interface Action {
  /** Kept in preferences as the name of its keys. */
  readonly id: string;
  /** What it does, as a command. */
  readonly title: string;
  readonly section: ActionSection;
  readonly icon: LucideIcon;
  /** Keys that it has unless the person chose others; the first is shown. */
  readonly keys: readonly string[];
  /** Other words that find it. */
  readonly words?: string;
  /** Its keys are listened to where it is at home, not everywhere. */
  readonly local?: true;
  /** Why it cannot be done now; empty when it can. */
  whyNot?(): string;
  run?(): void;
}

function session(): { readonly sessionId: string; readonly ready: boolean } {
  const { sessionId, status } = useSession.getState();
  return { sessionId: sessionId ?? '', ready: sessionId !== null && status === 'ready' };
}

const needsSession = () => (session().ready ? '' : 'No session is open.');

/** Runs with the open session. */
function withSession(work: (sessionId: string) => void): () => void {
  return () => {
    const { sessionId, ready } = session();
    if (ready) work(sessionId);
  };
}

function page(id: Page, about: { title: string; icon: LucideIcon; keys?: string; words?: string }): Action {
  return {
    id,
    title: about.title,
    section: 'Go to',
    icon: about.icon,
    keys: about.keys === undefined ? [] : [about.keys],
    ...(about.words === undefined ? {} : { words: about.words }),
    run() {
      const app = useApp.getState();
      app.go(app.page === id && id !== 'chat' ? 'chat' : id);
    },
  };
}

function inspector(tab: InspectorTab, title: string, keys: readonly string[] = []): Action {
  return {
    id: `inspect.${tab}`,
    title: `Inspector: ${title}`,
    section: 'View',
    icon: PanelRight,
    keys,
    whyNot: needsSession,
    run() {
      const ui = useUi.getState();
      const shown = ui.inspectorOpen && ui.inspectorTab === tab && useApp.getState().page === 'chat';
      if (shown && keys.length > 0) {
        ui.setInspectorOpen(false);
        return;
      }
      useApp.getState().go('chat');
      ui.setInspectorTab(tab);
      ui.setInspectorOpen(true);
    },
  };
}

function theme(value: Theme, title: string, icon: LucideIcon): Action {
  return {
    id: `theme.${value}`,
    title: `Theme: ${title}`,
    section: 'View',
    icon,
    keys: [],
    words: 'colours colors appearance',
    whyNot: () => (useApp.getState().preferences?.theme === value ? 'It is chosen already.' : ''),
    run: () => void useApp.getState().setPreferences({ theme: value }),
  };
}

export const densities: readonly { readonly value: Density; readonly label: string; readonly hint: string }[] = [
  { value: 'normal', label: 'Normal', hint: 'Commands and changes are open, the rest is one line each.' },
  { value: 'verbose', label: 'Verbose', hint: 'Every call is open, with what the model thought.' },
  { value: 'summary', label: 'Summary', hint: 'Answers only; each call is one line.' },
];

function density(value: Density, label: string): Action {
  return {
    id: `density.${value}`,
    title: `Density: ${label}`,
    section: 'View',
    icon: Rows3,
    keys: [],
    words: 'verbosity detail',
    whyNot: () => (useApp.getState().preferences?.density === value ? 'It is chosen already.' : ''),
    run: () => setDensity(value),
  };
}

/** Chooses a density and says which, because its effect may be out of sight. */
function setDensity(value: Density): void {
  const chosen = densities.find((one) => one.value === value);
  void useApp
    .getState()
    .setPreferences({ density: value })
    .then((done) => {
      if (!done || chosen === undefined) return;
      useToasts.getState().show({ level: 'info', title: `Density: ${chosen.label}`, text: chosen.hint });
    });
}

/** A session that was closed in this window, to open it again. */
let closed: string | null = null;

function step(by: 1 | -1): void {
  const { sessions, activeSessionId, openSession } = useApp.getState();
  const open = (sessions ?? []).filter((one) => !one.archived);
  const at = open.findIndex((one) => one.sessionId === activeSessionId);
  const next = open[(at + by + open.length) % Math.max(1, open.length)];
  if (next !== undefined) openSession(next.sessionId);
}

const severalSessions = () => ((useApp.getState().sessions ?? []).length > 1 ? '' : 'There is no other session.');

function summary() {
  const { sessions } = useApp.getState();
  return sessions?.find((one) => one.sessionId === session().sessionId);
}

export const actions: readonly Action[] = [
  {
    id: 'newSession',
    title: 'New session',
    section: 'Session',
    icon: Plus,
    // A browser keeps Mod+N for itself; a window of our own gets it.
    keys: ['Mod+Shift+O', 'Mod+N'],
    words: 'open folder start',
    run: () => void openFolder(),
  },
  {
    id: 'goToSession',
    title: 'Go to session',
    section: 'Session',
    icon: ArrowLeftRight,
    keys: ['Mod+P'],
    words: 'switch',
    run: () => useUi.getState().openPalette('sessions'),
  },
  {
    id: 'nextWaiting',
    title: 'Go to what waits for you',
    section: 'Session',
    icon: Bell,
    keys: ['Mod+Shift+A'],
    words: 'ask permission prompt',
    whyNot: () => (waitingCount(useApp.getState().sessions) > 0 ? '' : 'Nothing waits for you.'),
    run() {
      const app = useApp.getState();
      const waiting = (app.sessions ?? []).filter((one) => one.activity === 'waiting');
      const here = waiting.some((one) => one.sessionId === app.activeSessionId);
      const oldest = waiting.at(-1);
      if (oldest === undefined) return;
      if (!here || app.page !== 'chat') app.openSession(here ? app.activeSessionId : oldest.sessionId);
      useUi.getState().focusAsk();
    },
  },
  {
    id: 'stop',
    title: 'Stop the turn',
    section: 'Session',
    icon: Square,
    keys: [],
    words: 'cancel interrupt abort',
    whyNot: () => needsSession() || (useSession.getState().state.turn === null ? 'Nothing runs in this session.' : ''),
    run: () => void useSession.getState().stop(),
  },
  {
    id: 'compact',
    title: 'Compact the conversation',
    section: 'Session',
    icon: FoldVertical,
    keys: [],
    words: 'summarize context tokens',
    whyNot: () =>
      needsSession() || (useSession.getState().state.turn === null ? '' : 'A turn runs. Wait for its end, or stop it.'),
    run: withSession((sessionId) => void useApp.getState().compactSession(sessionId)),
  },
  {
    id: 'renameSession',
    title: 'Rename this session…',
    section: 'Session',
    icon: PencilLine,
    keys: [],
    words: 'title',
    whyNot: needsSession,
    run: () => useUi.getState().setDialog('rename'),
  },
  {
    id: 'pinSession',
    title: 'Pin or unpin this session',
    section: 'Session',
    icon: Pin,
    keys: [],
    whyNot: needsSession,
    run() {
      const found = summary();
      if (found !== undefined) void useApp.getState().markSession(found.sessionId, { pinned: !found.pinned });
    },
  },
  {
    id: 'archiveSession',
    title: 'Archive this session, or bring it back',
    section: 'Session',
    icon: Archive,
    keys: [],
    whyNot: needsSession,
    run() {
      const found = summary();
      if (found !== undefined) void useApp.getState().markSession(found.sessionId, { archived: !found.archived });
    },
  },
  {
    id: 'exportSession',
    title: 'Export this session…',
    section: 'Session',
    icon: Download,
    keys: [],
    words: 'markdown json html save share',
    whyNot: needsSession,
    run: withSession((sessionId) => useUi.getState().openExport({ kind: 'session', sessionId })),
  },
  {
    id: 'changes',
    title: 'Changes of files: take back…',
    section: 'Session',
    icon: History,
    keys: [],
    words: 'undo restore revert timeline history edits',
    whyNot: needsSession,
    run: withSession((sessionId) => {
      useApp.getState().go('chat');
      openChanges(sessionId);
    }),
  },
  {
    id: 'copySessionId',
    title: 'Copy the session’s id',
    section: 'Session',
    icon: ClipboardCopy,
    keys: [],
    whyNot: needsSession,
    run: withSession((sessionId) => copy(sessionId, 'The session’s id was copied.')),
  },
  {
    id: 'copyFolder',
    title: 'Copy the folder’s path',
    section: 'Session',
    icon: ClipboardCopy,
    keys: [],
    whyNot: needsSession,
    run: withSession(() => copy(useSession.getState().state.folder, 'The folder’s path was copied.')),
  },
  {
    id: 'nextSession',
    title: 'Next session',
    section: 'Session',
    icon: ArrowLeftRight,
    keys: ['Mod+Shift+]'],
    whyNot: severalSessions,
    run: () => step(1),
  },
  {
    id: 'previousSession',
    title: 'Previous session',
    section: 'Session',
    icon: ArrowLeftRight,
    keys: ['Mod+Shift+['],
    whyNot: severalSessions,
    run: () => step(-1),
  },
  {
    id: 'closeSession',
    title: 'Close this session',
    section: 'Session',
    icon: X,
    keys: ['Mod+W'],
    whyNot: needsSession,
    run: withSession((sessionId) => {
      closed = sessionId;
      useApp.getState().openSession(null);
    }),
  },
  {
    id: 'reopenSession',
    title: 'Open the closed session again',
    section: 'Session',
    icon: Undo2,
    keys: ['Mod+Shift+T'],
    whyNot: () => (closed === null ? 'None was closed in this window.' : ''),
    run() {
      if (closed !== null) useApp.getState().openSession(closed);
    },
  },
  page('chat', { title: 'Chat', icon: MessageSquare }),
  page('search', {
    title: 'Search everything',
    icon: TextSearch,
    keys: 'Mod+Shift+F',
    words: 'find full text all sessions',
  }),
  page('rules', { title: 'Rules', icon: ListChecks, keys: 'Mod+Shift+L', words: 'permissions allow deny' }),
  page('results', { title: 'Results', icon: Archive, keys: 'Mod+Shift+U', words: 'files outputs kept' }),
  page('trace', { title: 'Trace', icon: ChartGantt, keys: 'Mod+Shift+Y', words: 'waterfall calls steps' }),
  page('hooks', { title: 'Hooks', icon: Webhook, keys: 'Mod+Shift+H' }),
  page('tools', { title: 'Tools & MCP', icon: Blocks, keys: 'Mod+Shift+E', words: 'servers' }),
  page('settings', { title: 'Settings', icon: Settings, keys: 'Mod+,', words: 'preferences key model' }),
  {
    id: 'toggleSidebar',
    title: 'Show or hide the sessions list',
    section: 'View',
    icon: PanelLeft,
    keys: ['Mod+B'],
    words: 'sidebar',
    run: toggleSidebar,
  },
  {
    id: 'toggleInspector',
    title: 'Show or hide the inspector',
    section: 'View',
    icon: PanelRight,
    keys: ['Mod+J'],
    run() {
      const ui = useUi.getState();
      ui.setInspectorOpen(!ui.inspectorOpen);
    },
  },
  inspector('call', 'Call'),
  inspector('diff', 'Diff', ['Mod+Shift+D']),
  inspector('file', 'File'),
  inspector('trace', 'Trace'),
  inspector('result', 'Result'),
  inspector('why', 'Why'),
  {
    id: 'density',
    title: 'Next density: Normal, Verbose, Summary',
    section: 'View',
    icon: Rows3,
    keys: ['Ctrl+O'],
    words: 'verbosity detail',
    run() {
      const present = useApp.getState().preferences?.density ?? 'normal';
      const at = densities.findIndex((one) => one.value === present);
      setDensity(densities[(at + 1) % densities.length]?.value ?? 'normal');
    },
  },
  ...densities.map(({ value, label }) => density(value, label)),
  theme('system', 'as the system', Contrast),
  theme('light', 'Light', Sun),
  theme('dark', 'Dark', Moon),
  {
    id: 'nextPane',
    title: 'Next pane',
    section: 'View',
    icon: PanelRight,
    keys: ['F6'],
    run: () => focusPane(1),
  },
  {
    id: 'previousPane',
    title: 'Previous pane',
    section: 'View',
    icon: PanelLeft,
    keys: ['Shift+F6'],
    run: () => focusPane(-1),
  },
  { id: 'nextChange', title: 'Next change of a diff', section: 'View', icon: GitBranch, keys: ['F7'], local: true },
  {
    id: 'previousChange',
    title: 'Previous change of a diff',
    section: 'View',
    icon: GitBranch,
    keys: ['Shift+F7'],
    local: true,
  },
  {
    id: 'modeMenu',
    title: 'Menu of permission modes',
    section: 'Session',
    icon: ShieldQuestionMark,
    keys: ['Mod+Shift+M'],
    local: true,
  },
  {
    id: 'palette',
    title: 'Command palette',
    section: 'Help',
    icon: Search,
    keys: ['Mod+K', 'Mod+Shift+P'],
    run() {
      const ui = useUi.getState();
      if (ui.dialog === 'palette') ui.setDialog(null);
      else ui.openPalette('all');
    },
  },
  {
    id: 'shortcutSheet',
    title: 'All keys',
    section: 'Help',
    icon: Keyboard,
    keys: ['Mod+/'],
    words: 'shortcuts help',
    run() {
      const ui = useUi.getState();
      ui.setDialog(ui.dialog === 'shortcuts' ? null : 'shortcuts');
    },
  },
  {
    id: 'changeKeys',
    title: 'Change keys…',
    section: 'Help',
    icon: BookOpen,
    keys: [],
    words: 'shortcuts bindings keyboard',
    run() {
      useUi.getState().setDialog(null);
      useApp.getState().go('settings');
      requestAnimationFrame(() => document.getElementById('settings-keys')?.scrollIntoView({ block: 'start' }));
    },
  },
];

function copy(text: string, said: string): void {
  navigator.clipboard.writeText(text).then(
    () => useToasts.getState().show({ level: 'info', title: said, text }),
    (error: unknown) => reportFailure('Nothing was copied.', error),
  );
}

const byId: ReadonlyMap<string, Action> = new Map(actions.map((action) => [action.id, action]));

/** An action of the table; undefined for a name that is none. */
export function actionNamed(id: string): Action | undefined {
  return byId.get(id);
}

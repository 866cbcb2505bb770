// THE table of what can be done from anywhere: the palette, the keys, their sheet and the settings all read this one.
import {
  Archive,
  Blocks,
  BookOpen,
  Box,
  ChartGantt,
  Contrast,
  GitBranch,
  Keyboard,
  ListChecks,
  type LucideIcon,
  MessageSquare,
  Moon,
  PanelLeft,
  PanelRight,
  Rows3,
  Search,
  Settings,
  ShieldQuestionMark,
  Sun,
  TextSearch,
  Webhook,
} from 'lucide-react';
import type { Density, Theme } from '#shared/api/settings';
import { type Page, useApp } from '../../stores/app';
import { useToasts } from '../../stores/toasts';
import { type InspectorTab, useUi } from '../../stores/ui';
import { focusPane } from '../frame/paneFocus';
import { toggleSidebar } from '../frame/toggleSidebar';
import { type Action, needsSession } from './action';
import { sessionActions } from './sessionActions';

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

export const actions: readonly Action[] = [
  ...sessionActions,
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
  {
    id: 'sandbox',
    title: 'Sandbox',
    section: 'Go to',
    icon: Box,
    keys: [],
    words: 'confine network hosts limits bubblewrap settings',
    run() {
      useUi.getState().openSettings('sandbox');
      useApp.getState().go('settings');
    },
  },
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

const byId: ReadonlyMap<string, Action> = new Map(actions.map((action) => [action.id, action]));

/** An action of the table; undefined for a name that is none. */
export function actionNamed(id: string): Action | undefined {
  return byId.get(id);
}

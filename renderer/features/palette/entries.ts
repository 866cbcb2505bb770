// What the palette offers: actions, modes, models and sessions, found by a few letters.
import type { LucideIcon } from 'lucide-react';
import { Cpu, History, MessageSquare, ShieldQuestionMark } from 'lucide-react';
import type { RulesView } from '#shared/api/permissions';
import type { SessionSummary } from '#shared/api/sessions';
import { PermissionMode, permissionModes } from '#shared/permissions/modes';
import type { ModelChoice } from '#shared/session/events';
import { useSession } from '../../stores/session';
import type { PaletteScope } from '../../stores/ui';
import { actions } from './actions';
import { fuzzy } from './fuzzy';
import { keysInForce, type OwnKeys } from './keysInForce';

export interface Entry {
  /** Unique; remembered as used. */
  readonly key: string;
  readonly section: string;
  readonly title: string;
  readonly icon: LucideIcon;
  readonly keys?: string | undefined;
  /** Second part, dimmer: a folder, a state. */
  readonly detail?: string | undefined;
  readonly tone?: 'ask' | 'accent' | undefined;
  /** Other words that find it; they are not shown. */
  readonly words?: string | undefined;
  /** Why it cannot be done; empty when it can. */
  readonly whyNot: string;
  readonly run: () => void;
}

export interface EntryFacts {
  readonly own: OwnKeys;
  readonly sessions: readonly SessionSummary[];
  readonly activeSessionId: string | null;
  readonly home: string;
  readonly modes: RulesView['modes'] | null;
  readonly models: readonly ModelChoice[];
  readonly ready: boolean;
  readonly openSession: (sessionId: string) => void;
  readonly shortPath: (path: string) => string;
}

/** Everything that there is, in the order in which it stands when nothing is typed. */
export function entriesOf(facts: EntryFacts, scope: PaletteScope): readonly Entry[] {
  const sessions = inOrder(facts.sessions).map((session): Entry => {
    const { sessionId, title, folder, activity, archived } = session;
    const states = { waiting: 'needs you', running: 'running', idle: archived ? 'archived' : undefined };
    return {
      key: `session:${sessionId}`,
      section: 'Sessions',
      title,
      icon: MessageSquare,
      detail: [states[activity], facts.shortPath(folder)].filter((part) => part !== undefined).join(' · '),
      tone: activity === 'waiting' ? 'ask' : activity === 'running' ? 'accent' : undefined,
      words: folder,
      whyNot: '',
      run: () => facts.openSession(sessionId),
    };
  });
  if (scope === 'sessions') return sessions;
  const done = actions.flatMap((action): Entry[] => {
    const { run } = action;
    if (run === undefined || action.id === 'palette') return [];
    return [
      {
        key: action.id,
        section: action.section === 'Session' ? 'Actions' : action.section,
        title: action.title,
        icon: action.icon,
        keys: keysInForce(action, facts.own)[0],
        words: action.words,
        whyNot: action.whyNot?.() ?? '',
        run: () => run(),
      },
    ];
  });
  return [...sessions, ...done, ...modeEntries(facts), ...modelEntries(facts)];
}

/** Who waits for the person first, what was put away last. */
function inOrder(sessions: readonly SessionSummary[]): readonly SessionSummary[] {
  const rank = ({ activity, archived }: SessionSummary) =>
    activity === 'waiting' ? 0 : activity === 'running' ? 1 : archived ? 3 : 2;
  return [...sessions].sort((a, b) => rank(a) - rank(b));
}

function modeEntries({ modes, ready }: EntryFacts): readonly Entry[] {
  const present = useSession.getState().state.mode;
  return PermissionMode.options.map((mode): Entry => {
    const known = modes?.find((one) => one.mode === mode);
    const { label, meaning } = permissionModes[mode];
    return {
      key: `mode:${mode}`,
      section: 'Mode',
      title: `Mode: ${label}`,
      icon: ShieldQuestionMark,
      words: `permission ${meaning}`,
      whyNot: !ready
        ? 'No session is open.'
        : mode === present
          ? 'The session is in this mode.'
          : known?.available === false
            ? known.reason || 'It may not be chosen here.'
            : '',
      run: () => void useSession.getState().setMode(mode),
    };
  });
}

function modelEntries({ models, ready }: EntryFacts): readonly Entry[] {
  const present = useSession.getState().state.model;
  return models.map(
    (model): Entry => ({
      key: `model:${model.id}`,
      section: 'Model',
      title: `Model: ${model.label}`,
      icon: Cpu,
      detail: model.scripted ? 'scripted' : undefined,
      words: model.id,
      whyNot: !ready ? 'No session is open.' : model.id === present.id ? 'It answers already.' : '',
      run: () => void useSession.getState().setModel(model),
    }),
  );
}

export interface Match {
  readonly entry: Entry;
  /** Letters of the title that were found. */
  readonly at: readonly number[];
}

export interface MatchSection {
  readonly title: string;
  readonly icon?: LucideIcon;
  readonly matches: readonly Match[];
}

/** Sessions that stand in the list while nothing is typed; the others are found by typing. */
const sessionsAtFirst = 6;
const shownAtOnce = 80;
/** What was used lately comes first among equals. */
const recentBonus = 12;

/**
 * What fits a query, in sections, the best first. Without a query what was used lately stands on top, and every entry stands
 * once.
 */
export function matching(
  entries: readonly Entry[],
  query: string,
  recent: readonly string[],
  scope: PaletteScope = 'all',
): readonly MatchSection[] {
  if (query.trim() === '') {
    const latest =
      scope === 'sessions'
        ? []
        : recent.flatMap((key) => entries.filter((entry) => entry.key === key && entry.whyNot === '')).slice(0, 5);
    const left = entries.filter((entry) => !latest.includes(entry));
    const sections = sectionsOf(left.map((entry) => ({ entry, at: [] }))).map((section) =>
      section.title === 'Sessions' && scope === 'all'
        ? { ...section, matches: section.matches.slice(0, sessionsAtFirst) }
        : section,
    );
    const used = { title: 'Recent', icon: History, matches: latest.map((entry) => ({ entry, at: [] })) };
    return latest.length === 0 ? sections : [used, ...sections];
  }
  const scored = entries.flatMap((entry) => {
    const title = fuzzy(entry.title, query);
    const more = title ?? fuzzy(`${entry.title} ${entry.words ?? ''}`, query);
    if (more === null) return [];
    const used = recent.indexOf(entry.key);
    const score =
      more.score + (title === null ? -15 : 0) + (used === -1 ? 0 : recentBonus - used) - (entry.whyNot === '' ? 0 : 25);
    const at = more.at.filter((index) => index < entry.title.length);
    return [{ match: { entry, at }, score }];
  });
  scored.sort((a, b) => b.score - a.score);
  return sectionsOf(scored.slice(0, shownAtOnce).map(({ match }) => match));
}

/** Sections in the order of their first match. */
function sectionsOf(matches: readonly Match[]): readonly MatchSection[] {
  const sections = new Map<string, Match[]>();
  for (const match of matches) {
    const known = sections.get(match.entry.section);
    if (known === undefined) sections.set(match.entry.section, [match]);
    else known.push(match);
  }
  return [...sections].map(([title, found]) => ({ title, matches: found }));
}

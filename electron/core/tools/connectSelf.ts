// Connects the tools that speak for the session and for Gatehouse itself with the rest of the core.
import { fire } from '../agent/sessionHooks';
import type { Asks } from '../permissions/asks';
import type { PipelineServices } from '../pipeline/services';
import type { PreferenceStore } from '../preferences';
import type { SessionService } from '../sessions/service';
import { prepareWorktrees } from '../worktrees/excludeWorktrees';
import type { CronOptions } from './cronCreate/cronCreate';
import type { WorktreeOptions } from './enterWorktree/enterWorktree';
import type { OwnPreferences } from './ownSettings';
import type { PlanMode } from './planMode';
import type { NotificationOptions } from './sendNotification/sendNotification';

export interface SelfOptions {
  readonly plans: PlanMode;
  readonly preferences: OwnPreferences;
  readonly notifications: NotificationOptions;
  readonly worktrees: WorktreeOptions;
  readonly cron: CronOptions;
}

/** Longest title of a notification, in characters. */
const longestTitle = 100;

/** What those tools need. `services` is asked once a call runs, when everything is there. */
export function connectSelf(core: {
  readonly sessions: SessionService;
  readonly asks: Asks;
  readonly preferences: PreferenceStore;
  readonly services: () => PipelineServices;
  /** Tells all pages that preferences have changed. */
  readonly onPreferences: () => void;
  /** Shows a notification on all open pages; returns how many there are. */
  readonly tellPages: (notification: {
    readonly sessionId: string;
    readonly title: string;
    readonly message: string;
  }) => number;
  readonly isInPath: (program: string) => boolean;
  /** Null where nobody would send scheduled prompts. */
  readonly scheduler: CronOptions['scheduler'];
  readonly now: () => number;
}): SelfOptions {
  const { sessions, asks, preferences, services, onPreferences, tellPages, isInPath, scheduler, now } = core;
  return {
    plans: {
      mode: (sessionId) => sessions.state(sessionId).mode,
      async change(sessionId, mode) {
        sessions.append(sessionId, { type: 'mode.changed', mode });
        await asks.settle(sessionId);
      },
    },
    preferences: {
      get: () => preferences.get(),
      set(change) {
        preferences.set(change);
        onPreferences();
      },
    },
    cron: {
      scheduler,
      notice: (sessionId, text) => void sessions.append(sessionId, { type: 'notice', level: 'info', text, next: '' }),
    },
    worktrees: {
      prepare: (folder) =>
        prepareWorktrees(folder).catch((error: unknown) =>
          services().log.warn(`worktrees stay visible to git status in ${folder}: ${String(error)}`),
        ),
      whyNot: () => (isInPath('git') ? '' : 'No git was found in PATH. Install git and start Gatehouse again.'),
    },
    notifications: {
      now,
      send({ sessionId, title: given, message }) {
        const title = given ?? sessions.state(sessionId).title.slice(0, longestTitle);
        const pages = tellPages({ sessionId, title, message });
        const session = { services: services(), sessionId, signal: new AbortController().signal };
        void fire(session, { name: 'Notification', message, title, notificationType: 'model_message' }).catch(
          (error: unknown) => session.services.log.error('hooks of a notification', error),
        );
        return pages;
      },
    },
  };
}

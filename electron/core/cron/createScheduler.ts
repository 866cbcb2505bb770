import type Database from 'better-sqlite3';
import type { Agent } from '../agent/agent';
import { leaveForbiddenMode } from '../api/forbiddenMode';
import type { PermissionEngine } from '../permissions/engine';
import type { Log } from '../ports';
import type { SessionService } from '../sessions/service';
import { Scheduler } from './scheduler';
import { ScheduleStore } from './scheduleStore';

/** The scheduler of a core: its prompts go the way of a person's message, under the rules and mode that then hold. */
export function createScheduler(core: {
  readonly database: Database.Database;
  readonly sessions: SessionService;
  readonly engine: PermissionEngine;
  readonly agent: Pick<Agent, 'send'>;
  readonly log: Log;
  readonly now: () => number;
}): Scheduler {
  const { database, sessions, engine, agent, log, now } = core;
  return new Scheduler({
    store: new ScheduleStore(database),
    now,
    async send(sessionId, text) {
      // Rules must be in force before anything of a session runs.
      await engine.openSession(sessionId, sessions.state(sessionId).folder);
      leaveForbiddenMode({ engine, sessions }, sessionId);
      agent.send(sessionId, text);
    },
    queued: (sessionId) => sessions.state(sessionId).queue.map((message) => message.text),
    notice: (sessionId, level, text) => void sessions.append(sessionId, { type: 'notice', level, text, next: '' }),
    onError: (error) => log.error('a scheduled prompt', error),
  });
}

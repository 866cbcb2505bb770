// New sessions that begin with the events of another one: written while nobody sees them, shown when they are whole.
import { copyFile, constants as fsConstants, link, lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as afterOthers } from 'node:timers/promises';
import { RpcError } from '#shared/rpc/errors';
import type { SessionEvent, SessionEventBody } from '#shared/session/events';
import type { SessionOrigin } from '#shared/session/sessionOrigin';
import { newId } from '../ids';
import { resultsOf } from '../results/names';
import { makePrivateFolder } from '../results/persist';
import { BranchPlan } from './branchPlan';
import { moveResultPaths } from './resultPaths';
import type { Beginning, SessionService } from './service';
import type { SessionStore, StoredEvent } from './store';

/** Events at a stretch; between stretches others have their turn. */
const atOnce = 200;
/** What the title of a branch ends with. */
const mark = ' (branch)';

export interface BranchingOptions {
  readonly store: SessionStore;
  readonly sessions: Pick<SessionService, 'load' | 'state' | 'undelete'>;
  /** Holds the results of all projects. */
  readonly resultsRoot: string;
  /** The title of a session that has none yet: its first message will give it one. */
  readonly untitled: string;
  readonly now: () => number;
}

/** An event of the new session and when it happened. */
export interface Copied {
  readonly at: number;
  readonly body: SessionEventBody;
}

export interface NewSession extends Beginning {
  readonly network: boolean;
  readonly origin: SessionOrigin;
  /** Called with the number that an event will have; in stretches, as long as there are any. */
  readonly events: (numbered: { next: number }) => AsyncGenerator<readonly Copied[]>;
  /** Where results of the events lie; they are brought along. `how` they may be: a link shares the bytes. */
  readonly resultsFrom: string | null;
  readonly resultsBy: 'link' | 'copy';
}

export class Branching {
  constructor(private readonly options: BranchingOptions) {}

  /**
   * Makes a session that begins with all up to a message. Throws RpcError: `notFound` for a message that the session's own
   * conversation does not have, `conflict` for one that is still being written.
   */
  async branch(about: { readonly sessionId: string; readonly messageId: string }): Promise<{
    sessionId: string;
    text: string;
  }> {
    const { sessions, untitled, resultsRoot } = this.options;
    const { sessionId, messageId } = about;
    await sessions.load(sessionId);
    const { folder, title, mode, model, network } = sessions.state(sessionId);
    const plan = new BranchPlan(messageId);
    looking: for await (const events of this.eventsOf(sessionId))
      for (const event of events) if (plan.see(event)) break looking;
    const point = plan.end();
    if (!point.found)
      throw point.why === 'unknown'
        ? new RpcError('notFound', 'This message is not part of the session’s own conversation.')
        : new RpcError('conflict', 'This message is still being written. Branch from it when it is there, or stop it.');
    const { throughSeq, text } = point;

    const events = async function* (this: Branching, numbered: { next: number }) {
      for await (const some of this.eventsOf(sessionId)) {
        const copied: Copied[] = [];
        for (const event of some) {
          if (event.seq > throughSeq) {
            yield copied;
            return;
          }
          const body = plan.copy(event, numbered.next + copied.length);
          if (body !== null) copied.push({ at: event.at, body });
        }
        yield copied;
      }
    };
    const own = title === untitled ? title : `${title.replace(/ \(branch\)$/, '').slice(0, 190)}${mark}`;
    const id = await this.make({
      ...{ folder, title: own, mode, model, network },
      origin: { kind: 'branch', sessionId, title, throughSeq },
      events: events.bind(this),
      resultsFrom: resultsOf(resultsRoot, { folder, sessionId }),
      resultsBy: 'link',
    });
    return { sessionId: id, text };
  }

  /** Writes a new session and shows it. What was written before a fault is seen by nobody and goes with the deleted ones. */
  async make(wish: NewSession): Promise<string> {
    const { store, sessions, resultsRoot, now } = this.options;
    const { folder, title, mode, model, network, origin, resultsFrom } = wish;
    const sessionId = newId('s');
    const at = now();
    const to = resultsOf(resultsRoot, { folder, sessionId });
    store.create({ sessionId, title, folder, at, origin, hidden: true });
    const created: SessionEventBody = { type: 'session.created', folder, title, mode, model, network, origin };
    store.appendAll(sessionId, [{ seq: 1, at, body: JSON.stringify(created) }]);
    const numbered = { next: 2 };
    const names = new Set<string>();
    for await (const some of wish.events(numbered)) {
      const rows = some.map(({ at: time, body }, index): StoredEvent => {
        const json = JSON.stringify(body);
        const seq = numbered.next + index;
        // Signed thoughts count only as they are.
        if (resultsFrom === null || (body.type === 'assistant.block' && body.block.type !== 'tool_use'))
          return { seq, at: time, body: json };
        const moved = moveResultPaths(json, { from: resultsFrom, to });
        for (const name of moved.names) names.add(name);
        return { seq, at: time, body: moved.json };
      });
      store.appendAll(sessionId, rows);
      numbered.next += rows.length;
      await afterOthers();
    }
    if (resultsFrom !== null) await bringResults({ names: [...names], from: resultsFrom, to, by: wish.resultsBy });
    sessions.undelete(sessionId);
    return sessionId;
  }

  private async *eventsOf(sessionId: string): AsyncGenerator<readonly SessionEvent[]> {
    let since = 0;
    for (;;) {
      let left = atOnce;
      const { events, through } = this.options.store.eventsWhile({ sessionId, since }, () => --left > 0);
      if (through === since) return;
      since = through;
      yield events;
      await afterOthers();
    }
  }
}

/** Gives a session its own names of results. One that is gone, or is no plain file, stays behind: its call says what it was. */
async function bringResults(about: {
  readonly names: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly by: 'link' | 'copy';
}): Promise<void> {
  const { names, from, to, by } = about;
  if (names.length === 0) return;
  await makePrivateFolder(to);
  for (const name of names) {
    const [old, own] = [join(from, name), join(to, name)];
    try {
      if (!(await lstat(old)).isFile()) continue;
      if (by === 'copy' || !(await linked(old, own)))
        await copyFile(old, own, fsConstants.COPYFILE_EXCL | fsConstants.COPYFILE_FICLONE);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  }
}

/** Not every file system has links, and a file has only so many. */
async function linked(old: string, own: string): Promise<boolean> {
  try {
    await link(old, own);
    return true;
  } catch {
    return false;
  }
}

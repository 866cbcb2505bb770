import { resolve } from 'node:path';
import type { AppContract } from '#shared/api/app';
import type { sessionCalls } from '#shared/api/sessions';
import type { PermissionMode } from '#shared/permissions/modes';
import type { Handlers } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import { findPlaces } from '#shared/session/findPlaces';
import { newestOf, windowAt } from '#shared/session/window';
import { untitled } from '../agent/agent';
import { checkFolder } from '../folders';
import { UnknownTask } from '../tasks/taskRegistry';
import type { Connection } from './connection';
import { leaveForbiddenMode } from './forbiddenMode';
import type { ApiServices } from './services';

type SessionHandlers = Pick<Handlers<AppContract, { readonly connection: Connection }>, keyof typeof sessionCalls>;

/** Longest gap in events that is sent one by one; a page that missed more gets the whole state. */
const longestGap = 2_000;

const workedInElsewhere =
  'Another Gatehouse is working in this session right now. Wait until it is done, or use another session.';

export function sessionHandlers(services: ApiServices): SessionHandlers {
  const {
    sessions,
    agent,
    asks,
    engine,
    models,
    opened: database,
    outputs,
    ports,
    tasks,
    networkAsks,
    subAgents,
    branching,
    reading,
  } = services;

  function known(sessionId: string): string {
    if (!sessions.exists(sessionId)) throw new RpcError('notFound', 'This session no longer exists.');
    return sessionId;
  }

  /** A session that may be changed here: nobody else works in it. */
  function own(sessionId: string): string {
    const elsewhere = database.claims.heldElsewhere(known(sessionId));
    if (elsewhere) throw new RpcError('conflict', workedInElsewhere);
    return sessionId;
  }

  /** Without a workspace around it, a core works only in sessions that it has claimed. */
  function claim(sessionId: string): void {
    if (ports.headless === undefined || agent.running(sessionId)) return;
    if (!database.claims.take(sessionId)) throw new RpcError('conflict', workedInElsewhere);
    sessions.catchUp(sessionId);
    if (sessions.state(sessionId).turn === null) return;
    if (database.hasWorkspace()) throw new RpcError('conflict', workedInElsewhere);
    sessions.repairInterrupted((one) => one === sessionId);
  }

  /** Rules must be in force before anything of a session runs. */
  async function opened(sessionId: string): Promise<string> {
    await sessions.load(known(sessionId));
    claim(sessionId);
    const elsewhere = database.claims.heldElsewhere(sessionId);
    sessions.catchUp(sessionId);
    await engine.openSession(sessionId, sessions.state(sessionId).folder);
    if (!elsewhere) leaveForbiddenMode(services, sessionId);
    // A workspace on the same folder knows better which of the tasks are its own.
    if (!elsewhere && (ports.headless === undefined || !database.hasWorkspace())) {
      tasks.repair(sessionId);
      networkAsks.repair(sessionId);
      sessions.repairAgents(sessionId, (agentId) => subAgents.runs(sessionId, agentId));
    }
    return sessionId;
  }

  /** Opens a session whose newest part a page has already, and tells it what it missed meanwhile. */
  async function openBehind(shown: {
    readonly sessionId: string;
    readonly since: number;
    readonly connection: Connection;
  }): Promise<void> {
    const { sessionId, since, connection } = shown;
    try {
      await sessions.load(sessionId);
      for (const event of sessions.eventsSince(sessionId, since))
        if (connection.sessions.get(sessionId) === 'all') connection.emit('session.event', { sessionId, event });
      await opened(sessionId);
    } catch (error) {
      // Whatever is done with the session tries again and tells people why it fails.
      ports.log.warn('session not opened', { sessionId, reason: String(error) });
    }
  }

  function requireMode(mode: PermissionMode, sessionId?: string): void {
    const { available, reason } = engine.modeAvailable(mode, sessionId);
    if (!available) throw new RpcError('refused', reason);
  }

  return {
    'sessions.undelete'({ sessionId }) {
      if (!sessions.undelete(sessionId))
        throw new RpcError('notFound', 'This session was deleted for good. It cannot be brought back.');
      return {};
    },
    async 'sessions.mark'({ sessionId, ...marks }) {
      const { pinned, archived } = marks;
      if (pinned === undefined && archived === undefined) return {};
      await sessions.load(known(sessionId));
      sessions.append(own(sessionId), { type: 'session.marked', ...marks });
      return {};
    },
    async 'sessions.branch'({ sessionId, messageId }) {
      return await branching.branch({ sessionId: known(sessionId), messageId });
    },
    async 'sessions.find'({ sessionId, ...sought }) {
      await sessions.load(known(sessionId));
      return findPlaces(sessions.state(sessionId), sought);
    },
    'sessions.export'(question) {
      if (question.in.kind === 'session') known(question.in.sessionId);
      return reading.ask('export', question);
    },
    'sessions.list': () => ({ sessions: sessions.list() }),
    async 'sessions.create'({ folder: wished, mode }) {
      const folder = resolve(ports.paths.home, wished.replace(/^~(?=\/|$)/, ports.paths.home));
      const usable = await checkFolder(folder);
      if (!usable.ok) throw new RpcError(usable.error.code, usable.error.message);
      if (mode !== undefined) requireMode(mode);
      const model = await models.startingChoice();
      const sessionId = sessions.create({ folder, title: untitled, mode: mode ?? 'default', model });
      claim(sessionId);
      await engine.openSession(sessionId, folder);
      const starting = engine.startingMode(sessionId);
      if (mode === undefined && starting !== 'default') {
        sessions.append(sessionId, { type: 'mode.changed', mode: starting });
      }
      return { sessionId };
    },
    async 'sessions.rename'({ sessionId, title }) {
      await sessions.load(known(sessionId));
      sessions.append(own(sessionId), { type: 'session.renamed', title });
      return {};
    },
    async 'sessions.delete'({ sessionId }) {
      if (agent.running(own(sessionId))) throw new RpcError('conflict', 'The session is running. Stop it first.');
      await tasks.closeSession(sessionId);
      await services.executor.endSession(sessionId);
      await agent.close(sessionId, 'other');
      if (agent.running(sessionId)) throw new RpcError('conflict', 'The session is running. Stop it first.');
      engine.closeSession(sessionId);
      sessions.delete(sessionId);
      return {};
    },
    async 'sessions.subscribe'({ sessionId, since, detail, items }, { connection }) {
      if (items !== undefined && since === undefined && !sessions.isLoaded(known(sessionId))) {
        const state = sessions.newestStored(sessionId, items);
        if (state !== null) {
          connection.sessions.set(sessionId, detail);
          void openBehind({ sessionId, since: state.seq, connection });
          return { kind: 'snapshot', state, live: [] };
        }
      }
      await opened(sessionId);
      // From here on nothing may wait: events and answer must meet without a gap.
      connection.sessions.set(sessionId, detail);
      const { seq } = sessions.state(sessionId);
      const live = sessions.liveText(sessionId);
      const missed = since === undefined ? Number.POSITIVE_INFINITY : seq - since;
      if (since !== undefined && missed >= 0 && missed <= longestGap)
        return { kind: 'events', events: sessions.eventsSince(sessionId, since), live };
      const state = items === undefined ? sessions.snapshot(sessionId) : newestOf(sessions.state(sessionId), items);
      return { kind: 'snapshot', state, live };
    },
    'sessions.items'({ sessionId, at, count }) {
      const window = windowAt(sessions.state(known(sessionId)), at, count);
      if (window === null) throw new RpcError('notFound', 'There is no such message or call in this session.');
      return window;
    },
    'sessions.call'({ sessionId, callId }) {
      const { calls } = sessions.state(known(sessionId));
      const call = Object.hasOwn(calls, callId) ? calls[callId] : undefined;
      if (call === undefined) throw new RpcError('notFound', 'There is no such call in this session.');
      return { call };
    },
    'sessions.unsubscribe'({ sessionId }, { connection }) {
      connection.sessions.delete(sessionId);
      return {};
    },
    async 'sessions.send'({ sessionId, text }) {
      return agent.send(own(await opened(sessionId)), text);
    },
    async 'sessions.takeUp'({ sessionId }) {
      return { taken: agent.takeUp(own(await opened(sessionId))) };
    },
    'sessions.unqueue'({ sessionId, messageId }) {
      agent.unqueue(own(sessionId), messageId);
      return {};
    },
    async 'sessions.stop'({ sessionId }) {
      await agent.stop(known(sessionId));
      return {};
    },
    async 'tasks.stop'({ sessionId, taskId }) {
      try {
        await tasks.stop(own(sessionId), taskId, 'person');
      } catch (error) {
        if (error instanceof UnknownTask) throw new RpcError('notFound', error.message);
        throw error;
      }
      return {};
    },
    async 'sessions.compact'({ sessionId }) {
      agent.compact(await opened(sessionId));
      return {};
    },
    async 'sessions.answer'({ sessionId, askId, answer }) {
      return { saved: await asks.answer({ sessionId: known(sessionId), askId, answer }) };
    },
    async 'sessions.previewRule'({ sessionId, ...about }) {
      const preview = await asks.preview({ sessionId: known(sessionId), ...about });
      return { ...preview, problems: [...preview.problems], addedLines: [...preview.addedLines] };
    },
    async 'sessions.setMode'({ sessionId, mode }) {
      requireMode(mode, own(await opened(sessionId)));
      sessions.append(sessionId, { type: 'mode.changed', mode });
      await asks.settle(sessionId);
      return {};
    },
    'sessions.setModel'({ sessionId, model }) {
      sessions.append(own(sessionId), { type: 'model.changed', model });
      return {};
    },
    'sessions.setNetwork'({ sessionId, network }) {
      sessions.append(own(sessionId), { type: 'network.changed', network });
      return {};
    },
    'sessions.attachOutput'({ sessionId, callId }, { connection }) {
      const call = sessions.state(known(sessionId)).calls[callId];
      const attachment = outputs.attach(
        callId,
        ({ from, text }) => connection.emit('output.data', { sessionId, callId, from, text }),
        { evenBeforeStart: call?.status === 'running' },
      );
      if (attachment === undefined) throw new RpcError('notFound', 'This call has no live output.');
      connection.attach(callId, attachment);
      return { from: attachment.from, tail: attachment.tail, ended: attachment.ended };
    },
    'sessions.ackOutput'({ callId, upTo }, { connection }) {
      connection.acknowledge(callId, upTo);
      return {};
    },
    'sessions.detachOutput'({ callId }, { connection }) {
      connection.detach(callId);
      return {};
    },
  };
}

// Answers what rules make of past calls. Keeps between questions what it knows of calls and verdicts.
import type { ReplayRow } from '#shared/api/history';
import { RpcError } from '#shared/rpc/errors';
import type { CreateReplayer, Pace } from '../pastCalls';
import { createRequestReader } from './pastRequest';
import { reachOf } from './reach';
import { type Replayed, replayScope } from './replay';
import { rowOf } from './rows';
import { suggestFromPast } from './suggestFromPast';
import { usageOf } from './usage';
import { type Memory, World } from './world';

const rowsPerBreath = 16;

export const createReplayer: CreateReplayer = (index, place) => {
  const world = new World(index, place, createRequestReader(place.home));

  async function whole(
    { drafts, after }: Pick<Replayed, 'drafts' | 'after'>,
    { memory, pace }: { readonly memory: Memory; readonly pace: Pace },
  ): Promise<ReplayRow[]> {
    const rows: ReplayRow[] = [];
    for (const [at, draft] of drafts.entries()) {
      const row = rowOf(draft, { index, calls: memory.calls, policy: after.get(draft.distinct.project) });
      if (row !== null) rows.push(row);
      if (at % rowsPerBreath === 0) await pace.breathe();
    }
    return rows;
  }

  return {
    async replay({ offset, limit, ...question }, policies, pace) {
      const start = performance.now();
      const memory = await world.memoryFor(policies);
      const replayed = await replayScope(question, policies, { memory, pace });
      const { counted, matrix, undetermined, drafts, after } = replayed;
      const rows = await whole({ drafts: drafts.slice(offset, offset + limit), after }, { memory, pace });
      const { calls, sessions } = counted;
      const took = performance.now() - start;
      return { calls, sessions, matrix, undetermined, rows, rowsInAll: drafts.length, took };
    },

    async rows(question, policies, pace) {
      const memory = await world.memoryFor(policies);
      return await whole(await replayScope(question, policies, { memory, pace }), { memory, pace });
    },

    async usage({ scope, folder }, policies, pace) {
      const memory = await world.memoryFor(policies);
      return await usageOf(folder, { scope, policies: policies.before }, { memory, pace });
    },

    async explain(id, policies, pace) {
      const call = index.find(id);
      if (call === null) return null;
      const sources = policies.after.get(call.project);
      if (sources === undefined)
        throw new RpcError(
          'unavailable',
          `Which rules count in ${call.project} cannot be told, so this call cannot be decided anew. Open the folder to see why.`,
        );
      const memory = await world.freshMemory();
      await pace.breathe();
      const distinct = memory.calls.of(call);
      const policy = memory.verdictsOf(sources);
      const gathered = policy.gather(distinct, memory.calls);
      if (gathered === null) return null;
      const [mode = 'default'] = policy.modesOf(memory.calls.caseOf(distinct, call).mode);
      return policy.explain(distinct.cwd, gathered, mode);
    },

    async reach(question, policies, pace) {
      const memory = await world.memoryFor(policies, question.rules);
      return await reachOf(question, policies, { memory, index, pace });
    },

    async suggest(question, policies, pace) {
      const memory = await world.memoryFor(policies);
      return await suggestFromPast(question, policies, { memory, index, pace });
    },
  };
};

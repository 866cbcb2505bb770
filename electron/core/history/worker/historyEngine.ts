// Answers questions about past calls: the index, its reading and the replayer in one thread, whichever that is.
import { setImmediate as afterOthers } from 'node:timers/promises';
import type { HistoryState } from '#shared/api/history';
import { RpcError } from '#shared/rpc/errors';
import type { Sources } from '../../permissions/combineSources';
import { HistoryIndex } from '../index/historyIndex';
import {
  type CreateReplayer,
  type IndexedCall,
  type Pace,
  pastCallOf,
  type Replayer,
  type ReplayPolicies,
} from '../pastCalls';
import type {
  Answer,
  AnyQuestion,
  HistoryAnswerer,
  HistoryPlaces,
  PolicyNumbers,
  Question,
  QuestionName,
} from './messages';
import { replayText } from './replayText';

/** Work at a stretch, in milliseconds. */
const stretchMs = 12;
/** What was looked at this short a time ago is not looked at again, in milliseconds. */
const freshMs = 1_000;
/** How long a question waits for what is new before it is answered with what there is, in milliseconds. */
const patienceMs = 150;
/** Between two looks at the clock, rows that are passed over. */
const rowsPerBreath = 200;

export interface EngineOptions {
  readonly places: HistoryPlaces;
  readonly createReplayer: CreateReplayer;
  readonly onState: (state: HistoryState) => void;
}

type Answering = { readonly [N in QuestionName]: (question: Question<N>, pace: Pace) => Promise<Answer<N>> };

export class HistoryEngine implements HistoryAnswerer {
  private readonly index: HistoryIndex;
  private readonly policies = new Map<number, Sources>();
  private replayer: Replayer | null = null;
  private readonly answering: Answering;

  constructor(options: EngineOptions) {
    const { places, createReplayer, onState } = options;
    this.index = new HistoryIndex({
      claudeConfig: places.claudeConfig,
      data: places.replay.data,
      nativeBinding: places.nativeBinding,
      onState,
      now: () => performance.now(),
    });
    this.index.whenOpened((calls) => {
      this.replayer = createReplayer(calls, places.replay);
    });
    this.answering = this.answers();
  }

  /** Throws RpcError for what the asker can do something about; `cancelled` when the signal fired. */
  async ask<N extends QuestionName>(name: N, question: Question<N>, signal: AbortSignal): Promise<Answer<N>> {
    return await this.answering[name](question, paceOf(signal));
  }

  askAny(asked: AnyQuestion, signal: AbortSignal): Promise<unknown> {
    return this.ask(asked.name, asked.question, signal);
  }

  learnPolicy(number: number, sources: Sources): void {
    this.policies.set(number, sources);
  }

  forgetPolicy(number: number): void {
    this.policies.delete(number);
  }

  async dispose(): Promise<void> {
    await this.index.dispose();
  }

  private answers(): Answering {
    const { index } = this;
    return {
      state: async () => {
        await this.freshen();
        return index.state;
      },
      whenRead: async () => {
        await index.read(freshMs);
        return index.state;
      },
      pause: async ({ paused }) => {
        index.pause(paused);
        if (!paused) await this.freshen();
        return index.state;
      },
      calls: (question, pace) =>
        this.looking(async () => {
          const wanted = question.text.toLowerCase();
          const calls: IndexedCall[] = [];
          let inAll = 0;
          for await (const call of paced(index.calls.calls(question.scope), pace)) {
            if (wanted !== '' && !`${call.tool} ${call.title}`.toLowerCase().includes(wanted)) continue;
            if (inAll >= question.offset && calls.length < question.limit) calls.push(call);
            inAll += 1;
          }
          return { calls: calls.map(pastCallOf), inAll };
        }),
      projects: ({ scope }, pace) =>
        this.looking(async () => {
          const counts = new Map<string, number>();
          for await (const { project } of paced(index.calls.calls(scope), pace))
            counts.set(project, (counts.get(project) ?? 0) + 1);
          return [...counts].sort((a, b) => b[1] - a[1]).map(([project]) => project);
        }),
      projectOf: ({ id }) => this.looking(async () => index.calls.find(id)?.project ?? null),
      usage: ({ scope, folder, policies }, pace) =>
        this.replaying((replayer) => replayer.usage({ scope, folder }, this.policiesOf(policies), pace)),
      replay: ({ policies, ...question }, pace) =>
        this.replaying((replayer) => replayer.replay(question, this.policiesOf(policies), pace)),
      exported: ({ policies, format, ...question }, pace) =>
        this.replaying(async (replayer) => {
          const rows = await replayer.rows(question, this.policiesOf(policies), pace);
          return await replayText(rows, format, pace);
        }),
      explain: ({ id, policies }, pace) =>
        this.replaying((replayer) => replayer.explain(id, this.policiesOf(policies), pace)),
      reach: ({ policies, ...question }, pace) =>
        this.replaying((replayer) => replayer.reach(question, this.policiesOf(policies), pace)),
      suggest: ({ policies, ...question }, pace) =>
        this.replaying((replayer) => replayer.suggest(question, this.policiesOf(policies), pace)),
    };
  }

  /** Starts looking for what is new, and waits for it if it is soon there. */
  private async freshen(): Promise<void> {
    const { phase } = this.index.state;
    const reading = this.index.read(freshMs);
    // What takes long is not waited for; the page is told when it is there.
    if (phase === 'reading' || phase === 'paused') return;
    let timer: NodeJS.Timeout | undefined;
    const soon = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patienceMs);
    });
    await Promise.race([reading, soon]);
    clearTimeout(timer);
  }

  private async looking<T>(work: () => Promise<T>): Promise<T> {
    await this.freshen();
    return await this.index.meanwhile(work);
  }

  private replaying<T>(work: (replayer: Replayer) => Promise<T>): Promise<T> {
    return this.looking(async () => {
      const { replayer } = this;
      if (replayer === null) throw new RpcError('unavailable', this.index.state.problem);
      return await work(replayer);
    });
  }

  private policiesOf(numbers: PolicyNumbers): ReplayPolicies {
    const named = (pairs: PolicyNumbers['before']): ReadonlyMap<string, Sources> =>
      new Map(
        pairs.map(([folder, number]) => {
          const sources = this.policies.get(number);
          if (sources === undefined) throw new Error(`The policy ${number} was never told.`);
          return [folder, sources];
        }),
      );
    return { before: named(numbers.before), after: named(numbers.after) };
  }
}

function paceOf(signal: AbortSignal): Pace {
  let since = performance.now();
  const check = (): void => {
    if (signal.aborted) throw new RpcError('cancelled', 'Nobody waits for this answer any more.');
  };
  return {
    breathe() {
      check();
      if (performance.now() - since < stretchMs) return undefined;
      return afterOthers().then(() => {
        check();
        since = performance.now();
      });
    },
  };
}

async function* paced(calls: Iterable<IndexedCall>, pace: Pace): AsyncGenerator<IndexedCall> {
  let seen = 0;
  for (const call of calls) {
    yield call;
    seen += 1;
    if (seen % rowsPerBreath === 0) await pace.breathe();
  }
}

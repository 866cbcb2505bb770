// What the index knows of a past call, and what those who replay may ask of it.
import type { PastCall, Reach, Replay, ReplayFilter, ReplayRow, RuleUsage, Suggestion } from '#shared/api/history';
import type { Behavior, Decision } from '#shared/permissions/decision';
import type { SavableSource } from '#shared/permissions/sources';
import type { Sources } from '../permissions/combineSources';

/** A past call with its whole input. Equal calls in equal places have the same `key`. */
export interface IndexedCall extends Omit<PastCall, 'input'> {
  readonly input: Readonly<Record<string, unknown>>;
  /** The folder whose project settings counted: where the session was started, absolute. */
  readonly project: string;
  /** Stands for tool, input and cwd together. */
  readonly key: string;
}

/** Longest input that goes to a page, as JSON. */
const maxInputChars = 20_000;

/** The call as a page gets it. */
export function pastCallOf(call: IndexedCall): PastCall {
  const { id, origin, session, cwd, at, tool, title, isSubagent, mode, outcome } = call;
  const input = JSON.stringify(call.input).slice(0, maxInputChars);
  return { id, origin, session, cwd, at, tool, input, title, isSubagent, mode, outcome };
}

export interface CallScope {
  /** Calls made in this folder or below; null = everywhere. */
  readonly folder: string | null;
  /** Epoch milliseconds; older calls are left out. */
  readonly since: number;
}

/** Read side of the index. Everything is synchronous: it runs in a thread of its own. */
export interface CallIndex {
  /** Grows whenever calls came or went, so that what was computed from them can be kept. */
  readonly version: number;
  /** The newest first. */
  calls(scope: CallScope): Iterable<IndexedCall>;
  find(id: string): IndexedCall | null;
}

/** The part of the surroundings that verdicts depend on. Plain data: it crosses to the thread once. */
export interface ReplayPlace {
  readonly home: string;
  readonly platform: 'linux' | 'darwin' | 'win32' | 'other';
  /** Gatehouse's own data folder. */
  readonly data: string;
  readonly privateFiles: readonly string[];
}

/** What is in force in each project folder of the past, as it is and with the draft. Keys are `IndexedCall.project`. */
export interface ReplayPolicies {
  readonly before: ReadonlyMap<string, Sources>;
  readonly after: ReadonlyMap<string, Sources>;
}

/** How long work may go on at a stretch, so that others are answered meanwhile. */
export interface Pace {
  /** Call it every few milliseconds: comes back at once while there is time, later when others wait. Throws when nobody wants the answer any more. */
  breathe(): Promise<void> | undefined;
}

/** Computes what rules make of the past. One for each index; keeps what it knows of distinct calls between questions. */
export interface Replayer {
  replay(
    question: {
      readonly scope: CallScope;
      readonly filter: ReplayFilter;
      readonly offset: number;
      readonly limit: number;
    },
    policies: ReplayPolicies,
    pace: Pace,
  ): Promise<Replay>;
  /** All rows of the filter, in the order of `replay`. */
  rows(
    question: { readonly scope: CallScope; readonly filter: ReplayFilter },
    policies: ReplayPolicies,
    pace: Pace,
  ): Promise<readonly ReplayRow[]>;
  /** Of the rules in `policies.before` of `folder`. */
  usage(
    question: { readonly scope: CallScope; readonly folder: string },
    policies: ReplayPolicies,
    pace: Pace,
  ): Promise<readonly RuleUsage[]>;
  /** With `policies.after`. Null when the call is gone. */
  explain(id: string, policies: ReplayPolicies, pace: Pace): Promise<Decision | null>;
  /** What rules would have done if they were added to `policies.after`. */
  reach(
    question: {
      readonly scope: CallScope;
      readonly folder: string;
      readonly rules: readonly string[];
      readonly behavior: Behavior;
      readonly source: SavableSource;
    },
    policies: ReplayPolicies,
    pace: Pace,
  ): Promise<Reach>;
  suggest(
    question: { readonly scope: CallScope; readonly folder: string },
    policies: ReplayPolicies,
    pace: Pace,
  ): Promise<{ readonly suggestions: readonly Suggestion[]; readonly asked: number }>;
}

/** What makes it is named in `worker/replayer`, for the thread and for the core alike. */
export type CreateReplayer = (index: CallIndex, place: ReplayPlace) => Replayer;

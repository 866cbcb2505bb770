// What is asked of the thread of past calls, and how.
import type { HistoryState, PastCall, Reach, Replay, ReplayFilter, RuleUsage, Suggestion } from '#shared/api/history';
import type { Behavior, Decision } from '#shared/permissions/decision';
import type { SavableSource } from '#shared/permissions/sources';
import type { Sources } from '../../permissions/combineSources';
import type { ThreadOrder, ThreadReply } from '../../threads/askedThread';
import type { CallScope, ReplayPlace } from '../pastCalls';

/** Project folders with the numbers of what is in force there; each number was told before it is used. */
export interface PolicyNumbers {
  readonly before: readonly (readonly [folder: string, policy: number])[];
  readonly after: readonly (readonly [folder: string, policy: number])[];
}

interface WithPolicies {
  readonly scope: CallScope;
  readonly policies: PolicyNumbers;
}

/** Every question with what it needs and what it is answered with. */
export interface HistoryQuestions {
  state: { ask: Record<never, never>; answer: HistoryState };
  /** Answered once all that is there has been read, or that has failed. */
  whenRead: { ask: Record<never, never>; answer: HistoryState };
  pause: { ask: { readonly paused: boolean }; answer: HistoryState };
  calls: {
    ask: { readonly scope: CallScope; readonly text: string; readonly offset: number; readonly limit: number };
    answer: { readonly calls: PastCall[]; readonly inAll: number };
  };
  /** Folders whose settings counted for the calls of a scope, the most used first. */
  projects: { ask: { readonly scope: CallScope }; answer: readonly string[] };
  /** The project of one call; null when it is gone. */
  projectOf: { ask: { readonly id: string }; answer: string | null };
  usage: { ask: WithPolicies & { readonly folder: string }; answer: readonly RuleUsage[] };
  replay: {
    ask: WithPolicies & { readonly filter: ReplayFilter; readonly offset: number; readonly limit: number };
    answer: Replay;
  };
  /** The rows of a replay as a text; a very long one is cut, and says so. */
  exported: {
    ask: WithPolicies & { readonly filter: ReplayFilter; readonly format: 'csv' | 'json' | 'markdown' };
    answer: string;
  };
  explain: { ask: { readonly id: string; readonly policies: PolicyNumbers }; answer: Decision | null };
  reach: {
    ask: WithPolicies & {
      readonly folder: string;
      readonly rules: readonly string[];
      readonly behavior: Behavior;
      readonly source: SavableSource;
    };
    answer: Reach;
  };
  suggest: {
    ask: WithPolicies & { readonly folder: string };
    answer: { readonly suggestions: readonly Suggestion[]; readonly asked: number };
  };
}

export type QuestionName = keyof HistoryQuestions;
export type Question<N extends QuestionName> = HistoryQuestions[N]['ask'];
export type Answer<N extends QuestionName> = HistoryQuestions[N]['answer'];

/** One question with its name, as it crosses. */
export type AnyQuestion = { [N in QuestionName]: { readonly name: N; readonly question: Question<N> } }[QuestionName];

/** Where everything lies; given to the thread when it starts. */
export interface HistoryPlaces {
  readonly claudeConfig: string;
  readonly nativeBinding: string | undefined;
  readonly replay: ReplayPlace;
}

/** Who answers questions: the thread of past calls, or the same in this one. */
export interface HistoryAnswerer {
  /** Throws RpcError for what the asker can do something about; `cancelled` when the signal fired. */
  ask<N extends QuestionName>(name: N, question: Question<N>, signal: AbortSignal): Promise<Answer<N>>;
  /** Tells what is in force somewhere, under a number that questions name it by. */
  learnPolicy(number: number, sources: Sources): void;
  forgetPolicy(number: number): void;
  dispose(): Promise<void>;
}

/** What the thread is told beside questions. */
export type PolicyOrder =
  | { readonly type: 'policy'; readonly number: number; readonly sources: Sources }
  | { readonly type: 'forget'; readonly number: number };

/** What the thread tells beside answers. */
export type HistoryTold = { readonly type: 'state'; readonly state: HistoryState };

export type HistoryRequest = ThreadOrder<AnyQuestion> | PolicyOrder;
export type HistoryReply = ThreadReply | HistoryTold;

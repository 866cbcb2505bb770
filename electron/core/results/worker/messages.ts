// What is asked of the thread that looks into files of results, and how.
import type { AppContract } from '#shared/api/app';
import type { SearchState, TextIndex } from '#shared/api/results';
import type { Params, Answer as RpcAnswer } from '#shared/rpc/contract';
import type { ThreadReply as Reply, ThreadOrder } from '../../threads/askedThread';
import type { TranscriptCalls, TranscriptQuestion } from '../browser/transcriptCalls';
import type { ResultPlace } from '../viewer/openedFile';

/** Calls of the page that concern one opened file; they cross with the view's name in place of the file's id. */
export type ViewCall =
  | 'results.rows'
  | 'results.rowOfLine'
  | 'results.line'
  | 'results.search'
  | 'results.stopSearch'
  | 'results.matches'
  | 'results.matchesIn'
  | 'results.matchingLines'
  | 'results.bytes'
  | 'results.image'
  | 'results.json'
  | 'results.jsonText'
  | 'results.table';

type InView<P> = Omit<P, 'id'> & { readonly view: string };

/** Every question with what it needs and what it is answered with. */
export type ViewQuestions = {
  [N in ViewCall]: { ask: InView<Params<AppContract, N>>; answer: RpcAnswer<AppContract, N> };
} & {
  open: { ask: { readonly view: string; readonly place: ResultPlace }; answer: RpcAnswer<AppContract, 'results.open'> };
  close: { ask: { readonly view: string }; answer: Record<string, never> };
  diff: {
    ask: { readonly left: ResultPlace; readonly right: ResultPlace };
    answer: RpcAnswer<AppContract, 'results.diff'>;
  };
  /** What transcripts of Claude Code say of its files of results. */
  transcriptCalls: { ask: { readonly transcripts: readonly TranscriptQuestion[] }; answer: readonly TranscriptCalls[] };
};

export type QuestionName = keyof ViewQuestions;
export type Question<N extends QuestionName> = ViewQuestions[N]['ask'];
export type Answer<N extends QuestionName> = ViewQuestions[N]['answer'];

/** One question with its name, as it crosses. */
export type AnyQuestion = { [N in QuestionName]: { readonly name: N; readonly question: Question<N> } }[QuestionName];

/** What a view tells by itself. */
export type ViewEvent =
  | { readonly kind: 'indexed'; readonly view: string; readonly index: TextIndex }
  | { readonly kind: 'searching'; readonly view: string; readonly state: SearchState }
  | {
      readonly kind: 'fileChanged';
      readonly view: string;
      readonly how: 'grew' | 'rewritten' | 'gone';
      readonly bytes: number;
    };

/** What the thread tells beside answers. */
export type ThreadTold = { readonly type: 'event'; readonly event: ViewEvent };

export type ThreadRequest = ThreadOrder<AnyQuestion>;
export type ThreadReply = Reply | ThreadTold;

// What is asked of the thread that reads conversations, and how.
import type { ConversationRef, SearchFilter, SearchIndexState } from '#shared/api/search';
import type { Exported } from '#shared/api/trace';
import type { SessionEvent } from '#shared/session/events';
import type { FoundPlaces, SoughtText } from '#shared/session/findPlaces';
import type { SessionState } from '#shared/session/state';
import type { ToolCall } from '#shared/session/toolCall';
import type { ItemWindow, WindowPlace } from '#shared/session/window';
import type { ConversationFormat } from '../../export/exportConversation';
import type { ThreadOrder, ThreadReply } from '../../threads/askedThread';
import type { FoundTranscript } from '../../transcripts/shelf';
import type { Found } from '../searchIndex';

/** Every question with what it needs and what it is answered with. */
export interface ReadingQuestions {
  transcripts: {
    ask: Record<never, never>;
    answer: { readonly transcripts: FoundTranscript[]; readonly truncated: boolean };
  };
  /** The newest items of a transcript. */
  open: {
    ask: { readonly id: string; readonly items: number };
    answer: { readonly found: FoundTranscript; readonly state: SessionState; readonly skipped: number };
  };
  items: { ask: { readonly id: string; readonly at: WindowPlace; readonly count: number }; answer: ItemWindow };
  call: { ask: { readonly id: string; readonly callId: string }; answer: ToolCall };
  /** Where a text stands in a transcript. */
  places: { ask: SoughtText & { readonly id: string }; answer: FoundPlaces };
  /** Events of a transcript from an index on, for a session that begins with them. */
  events: {
    ask: { readonly id: string; readonly from: number; readonly count: number };
    answer: { readonly found: FoundTranscript; readonly events: readonly SessionEvent[]; readonly isEnd: boolean };
  };
  find: {
    ask: { readonly text: string; readonly filter: SearchFilter; readonly from: number; readonly count: number };
    answer: Found & { readonly state: SearchIndexState };
  };
  /** Answered once all that is there has been read, or that has failed. */
  whenRead: { ask: Record<never, never>; answer: SearchIndexState };
  export: {
    ask: { readonly in: ConversationRef; readonly format: ConversationFormat; readonly redact: boolean };
    answer: Exported;
  };
}

export type QuestionName = keyof ReadingQuestions;
export type Question<N extends QuestionName> = ReadingQuestions[N]['ask'];
export type Answer<N extends QuestionName> = ReadingQuestions[N]['answer'];

/** One question with its name, as it crosses. */
export type AnyQuestion = { [N in QuestionName]: { readonly name: N; readonly question: Question<N> } }[QuestionName];

/** Where everything lies; given to the thread when it starts. */
export interface ReadingPlaces {
  readonly claudeConfig: string;
  readonly data: string;
  readonly home: string;
  readonly nativeBinding: string | undefined;
}

/** What it tells by itself. */
export interface ReadingListener {
  onState(state: SearchIndexState): void;
  /** Transcripts came, went or grew. */
  onTranscripts(): void;
}

/** Who answers: the thread, or the same in this one. */
export interface ConversationReading {
  /** Throws RpcError for what the asker can do something about. */
  ask<N extends QuestionName>(name: N, question: Question<N>): Promise<Answer<N>>;
  dispose(): Promise<void>;
}

/** What the thread tells beside answers. */
export type ReadingTold =
  | { readonly type: 'state'; readonly state: SearchIndexState }
  | { readonly type: 'transcripts' };

export type ReadingRequest = ThreadOrder<AnyQuestion>;
export type ReadingReply = ThreadReply | ReadingTold;

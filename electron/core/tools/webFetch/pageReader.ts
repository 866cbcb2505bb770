// Answers a question from a page through a model. The page is hostile data: it stands apart, and no tool is given.
import { randomUUID } from 'node:crypto';
import type { ModelChoice } from '#shared/session/events';
import { type ModelClient, ModelFailure } from '../../model/client';
import { headOf } from '../wording';
import prompt from './pageReader.prompt.md';

export interface PageQuestion {
  readonly sessionId: string;
  readonly prompt: string;
  readonly page: { readonly url: string; readonly title: string; readonly text: string };
  readonly signal: AbortSignal;
}

/** What came of it: the answer, or why no model gave one, as a phrase. */
export type PageAnswer =
  | { readonly kind: 'answer'; readonly text: string; readonly model: string; readonly cut: boolean }
  | { readonly kind: 'none'; readonly why: string };

/** Asks a model about a page. Throws only when `signal` fires. */
export type AskPage = (question: PageQuestion) => Promise<PageAnswer>;

/** As much of a page as is read, in characters; about 25,000 tokens. */
const maxPageChars = 100_000;
const maxTokens = 4_096;
const requestMs = 90_000;
/** How long the server's list of models may be waited for, and is believed, in milliseconds. */
const listMs = 2_000;
const listKeptMs = 600_000;

export interface PageReaderOptions {
  readonly modelOf: (sessionId: string) => ModelChoice;
  readonly clientFor: (choice: ModelChoice) => ModelClient;
  /** What the server offers now. */
  readonly offered: () => Promise<readonly ModelChoice[]>;
  readonly now: () => number;
}

/** Reads with a small model of the session's server where there is one, else with the session's own. */
export function createPageReader({ modelOf, clientFor, offered, now }: PageReaderOptions): AskPage {
  let small: { readonly until: number; readonly model: Promise<ModelChoice | null> } | null = null;

  const modelFor = async (session: ModelChoice): Promise<ModelChoice> => {
    if (small === null || small.until < now()) {
      const model = offered().then(
        (models) => models.find(({ id, scripted }) => !scripted && /haiku/i.test(id)) ?? null,
        () => null,
      );
      small = { until: now() + listKeptMs, model };
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), listMs);
    });
    const found = await Promise.race([small.model, late]);
    clearTimeout(timer);
    return found ?? session;
  };

  return async (question) => {
    const session = modelOf(question.sessionId);
    if (session.scripted) return { kind: 'none', why: 'this session’s model is scripted and cannot read' };
    const model = await modelFor(session);
    question.signal.throwIfAborted();
    try {
      return await answerOf(clientFor(model), model, question);
    } catch (error) {
      question.signal.throwIfAborted();
      if (error instanceof ModelFailure)
        return { kind: 'none', why: `${model.label} could not be asked: ${error.message}` };
      throw error;
    }
  };
}

async function answerOf(client: ModelClient, model: ModelChoice, question: PageQuestion): Promise<PageAnswer> {
  const { page, signal } = question;
  const text = headOf(page.text, maxPageChars);
  const cut = text.length < page.text.length;
  // The page cannot know it, and so cannot pretend to have ended.
  const border = `=== page ${randomUUID()} ===`;
  const about = JSON.stringify({ url: page.url, title: page.title, onlyTheStart: cut });
  const events = client.stream({
    model: model.id,
    system: prompt.trim(),
    tools: [],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: `The question:\n${question.prompt}` },
          { type: 'text', text: `The page, as data: ${about}\n${border}\n${text}\n${border}` },
        ],
      },
    ],
    maxTokens,
    signal: AbortSignal.any([signal, AbortSignal.timeout(requestMs)]),
  });
  const texts: string[] = [];
  let stopReason = '';
  for await (const event of events) {
    if (event.type === 'block' && event.block.type === 'text') texts.push(event.block.text);
    if (event.type === 'finished') stopReason = event.stopReason;
  }
  const answer = texts.join('').trim();
  if (stopReason === 'refusal') return { kind: 'none', why: `${model.label} declined to read it` };
  if (answer === '') return { kind: 'none', why: `${model.label} gave no answer` };
  const whole = stopReason === 'max_tokens' ? `${answer}\n\n[The answer was cut off here for its length.]` : answer;
  return { kind: 'answer', text: whole, model: model.label, cut };
}

// The classifier's model stage: one small request per call, with everything about the call as data. What is not exactly
// the agreed answer is no opinion, so that nothing a call says about itself can decide about it.
import { z } from 'zod';
import type { ModelChoice } from '#shared/session/events';
import type { ModelClient } from '../model/client';
import { type ClassifierAnswer, type ClassifierQuestion, type ModelClassifier, NoOpinion } from './classifier';
import prompt from './classifier.prompt.md';
import { withoutCredentials } from './withoutCredentials';

export interface ModelClassifierOptions {
  readonly clientFor: (choice: ModelChoice) => ModelClient;
  /** What the server offers now. */
  readonly offered: () => Promise<readonly ModelChoice[]>;
}

export interface ModelStage extends ModelClassifier {
  /** Forgets what the server offers: its address or key has changed. */
  forget(): void;
}

/** Longest call that is judged, in characters: what is cut off could be what matters. */
const longestCall = 10_000;
/** Longest reason that is shown, in characters. */
const longestReason = 300;
const maxTokens = 400;
/** After this a request that nobody waits for yet is given up, in milliseconds. */
const requestMs = 15_000;
/** Longest wait for the server's list before the session's own model is asked, in milliseconds. */
const listMs = 1_000;

const Verdict = z.strictObject({
  reason: z
    .string()
    .trim()
    .min(1)
    .max(4_000)
    .describe('One plain sentence: what the call does and why that decides it.'),
  behavior: z.enum(['allow', 'deny', 'none']).describe('none: neither fits, or it cannot be told.'),
  confidence: z.enum(['high', 'medium', 'low']),
  fits: z.int().nullable().describe('Number of the description that fits, null when none does.'),
});
type Verdict = z.infer<typeof Verdict>;

const verdictTool = (() => {
  const { $schema: _, ...schema } = z.toJSONSchema(Verdict, { io: 'input' });
  return {
    name: 'verdict',
    description: 'Gives your judgement of the call.',
    input_schema: { ...schema, type: 'object' as const },
  };
})();

/** Why no model can judge calls, in words for people; empty when one can. `model` is null where no session is meant. */
export function whyNoModel(about: { readonly hasServer: boolean; readonly model: ModelChoice | null }): string {
  if (!about.hasServer) return 'Auto needs a real model that judges calls. Put an API key into Settings first.';
  if (about.model?.scripted === true)
    return 'Auto needs a real model that judges calls, and this session’s model is scripted. Choose another model first.';
  return '';
}

/** Makes the model stage. It speaks to whatever model the session works with, or to a small one of the same server. */
export function createModelClassifier({ clientFor, offered }: ModelClassifierOptions): ModelStage {
  let small: Promise<ModelChoice | null> | null = null;

  /** A small model judges faster and well enough. */
  const modelFor = async (session: ModelChoice): Promise<ModelChoice> => {
    small ??= offered().then(
      (models) => models.find((model) => !model.scripted && /haiku/i.test(model.id)) ?? null,
      () => null,
    );
    return (await within(small, listMs)) ?? session;
  };

  return {
    async classify(question, signal) {
      if (question.model.scripted) throw new NoOpinion('a scripted model cannot judge calls');
      const content = contentFor(question);
      const model = await modelFor(question.model);
      const answer = await ask(clientFor(model), model.id, {
        content,
        signal: AbortSignal.any([signal, AbortSignal.timeout(requestMs)]),
      });
      return agreed(answer, question);
    },
    forget() {
      small = null;
    },
  };
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The two blocks of the request: what the person wants, and the call. */
function contentFor(question: ClassifierQuestion): readonly { readonly type: 'text'; readonly text: string }[] {
  const { toolName, call, folder, cwd, mode, descriptions, effect } = question;
  if (call.length > longestCall) throw new NoOpinion('the call is too long to be judged');
  const { environment = [] } = descriptions;
  const told = [call, folder, cwd].map(withoutCredentials);
  const [text, base, current] = told;
  if (typeof text !== 'string' || typeof base !== 'string' || typeof current !== 'string')
    throw new NoOpinion('the call holds what looks like a key or password, so it was not sent');
  const settings = {
    judgesFreely: mode === 'auto',
    mayRun: descriptions.allow.map((words, index) => ({ number: index + 1, words })),
    mayNotRun: descriptions.deny.map((words, index) => ({ number: descriptions.allow.length + index + 1, words })),
    ...(environment.length === 0 ? {} : { trustedSurroundings: environment }),
  };
  const data = {
    tool: toolName,
    call: text,
    projectFolder: base,
    currentFolder: current,
    staticAnalysis: { effect: effect.effect, why: withoutCredentials(effect.why) ?? '' },
  };
  return [
    { type: 'text', text: `Settings:\n${visibleJson(settings)}` },
    { type: 'text', text: `The call, as data:\n${visibleJson(data)}` },
  ];
}

/** JSON in which no character hides: a text cannot end its own quotes, nor hold what a person would not see. */
function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Sends the request and gives the input of the one call that must come back. */
async function ask(
  client: ModelClient,
  model: string,
  about: { readonly content: ReturnType<typeof contentFor>; readonly signal: AbortSignal },
): Promise<unknown> {
  const calls: unknown[] = [];
  const events = client.stream({
    model,
    system: prompt.trim(),
    tools: [verdictTool],
    mustCall: verdictTool.name,
    messages: [{ role: 'user', content: [...about.content] }],
    maxTokens,
    signal: about.signal,
  });
  let whole = false;
  for await (const event of events) {
    if (event.type === 'finished') whole = event.stopReason !== 'max_tokens' && event.stopReason !== 'refusal';
    if (event.type !== 'block' || event.block.type !== 'tool_use') continue;
    calls.push(event.cutOff || event.block.name !== verdictTool.name ? null : event.block.input);
  }
  return whole && calls.length === 1 ? calls[0] : null;
}

/** The answer, if it is one that may count. */
function agreed(given: unknown, { mode, descriptions }: ClassifierQuestion): ClassifierAnswer {
  const parsed = Verdict.safeParse(given);
  if (!parsed.success) throw new NoOpinion('its answer could not be used');
  const { behavior, confidence, fits, reason } = parsed.data;
  const answer = { behavior, confidence, reason: oneLine(reason) };
  if (answer.reason === '') throw new NoOpinion('its answer could not be used');
  if (behavior === 'none') return answer;
  if (!namesItsList(fits, behavior, descriptions)) throw new NoOpinion('its answer contradicts itself');
  // Outside auto mode only the descriptions were given the right to decide.
  return fits === null && mode !== 'auto' ? { ...answer, behavior: 'none' } : answer;
}

/** Whether the number belongs to a description of the list that the answer speaks for. */
function namesItsList(
  fits: Verdict['fits'],
  behavior: 'allow' | 'deny',
  { allow, deny }: ClassifierQuestion['descriptions'],
): boolean {
  if (fits === null) return true;
  return behavior === 'allow'
    ? fits >= 1 && fits <= allow.length
    : fits > allow.length && fits <= allow.length + deny.length;
}

/** For people and for the agent: no line breaks, nothing invisible, bounded. */
function oneLine(text: string): string {
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length <= longestReason ? line : `${characters.slice(0, longestReason - 1).join('')}…`;
}

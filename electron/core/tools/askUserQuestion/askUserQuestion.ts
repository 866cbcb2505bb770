import { z } from 'zod';
import type { Question } from '#shared/session/ask';
import type { View } from '#shared/tools/presentation';
import { buildTool } from '../buildTool';
import { rejection } from '../changeTarget';
import { semanticBoolean } from '../semanticInput';
import { ToolFailure, type Validation } from '../tool';
import { counted, oneLine } from '../wording';
import prompt from './askUserQuestion.prompt.md';

const words = () => z.string().refine((text) => text.trim() !== '', 'expected some text');

const inputSchema = () =>
  z.strictObject({
    questions: z
      .array(
        z.strictObject({
          question: words().describe('The whole question, ending with a question mark.'),
          header: words()
            .max(12)
            .describe('One or two words that name the question, at most 12 characters: "Database".'),
          multiSelect: semanticBoolean()
            .default(false)
            .describe('Whether several options may be chosen together; false when left out.'),
          options: z
            .array(
              z.strictObject({
                label: words().describe('The option in one to five words.'),
                description: z.string().describe('What choosing it means.'),
                preview: z
                  .string()
                  .optional()
                  .describe('Markdown shown beside the options while this one is in focus.'),
              }),
            )
            .min(2)
            .max(4)
            .describe('The options to choose from.'),
        }),
      )
      .min(1)
      .max(4)
      .describe('The questions, shown together.'),
  });

export type AskUserQuestionInput = z.infer<ReturnType<typeof inputSchema>>;

/** Question text → chosen labels or the person's own words. */
export interface AskUserQuestionOutput {
  readonly answers: Readonly<Record<string, readonly string[]>>;
}

/** Puts questions to the person. */
export const askUserQuestionTool = buildTool<AskUserQuestionInput, AskUserQuestionOutput>({
  name: 'AskUserQuestion',
  searchHint: 'ask the person, choose between options',
  prompt,
  icon: 'question',
  inputSchema,
  shouldDefer: true,
  isReadOnly: () => true,
  canBeReadOnly: () => true,
  requiresUserInteraction: () => true,
  validateInput: (input) => Promise.resolve(distinct(input)),
  facts: () => [],
  checkPermissions: () => ({ behavior: 'allow', detail: 'It only asks you.' }),
  async call(input, context) {
    const reply = await context.askPerson(input.questions.map(questionOf));
    if (reply.answered) return { answers: reply.answers };
    const said = reply.words.trim();
    const text =
      said === ''
        ? 'The person did not answer the questions. Go on without them if you can, and say what you assumed; else wait.'
        : `The person did not choose, but said: ${said}`;
    const view: View = { kind: 'text', text: said === '' ? 'Not answered.' : said };
    throw new ToolFailure('permission', text, { view, note: 'not answered' });
  },
  mapResult({ answers }, input) {
    const lines = input.questions.map(({ question }) => `- ${oneLine(question, 2_000)} → ${chosen(answers, question)}`);
    return [{ type: 'text', text: ['The person answered:', ...lines].join('\n') }];
  },
  getToolUseSummary: (input) => oneLine(input.questions.map((question) => question.question).join(' · ')),
  getActivityDescription: () => 'Waiting for your answer',
  extractSearchText: ({ answers }) => Object.entries(answers).flat(2).join('\n'),
  renderUse: (input) => ({
    kind: 'table',
    columns: ['Question', 'Options'],
    rows: input.questions.map(({ question, options }) => [question, options.map((option) => option.label).join(', ')]),
  }),
  renderResult: ({ answers }, input) => ({
    view: {
      kind: 'table',
      columns: ['Question', 'Answer'],
      rows: input.questions.map(({ question }) => [question, chosen(answers, question)]),
    },
    note: `${counted(input.questions.length, 'question')} answered`,
  }),
});

/** Answers are kept by the question's text and by label, so both must be unique. */
function distinct(input: AskUserQuestionInput): Validation {
  const questions = input.questions.map((question) => question.question);
  if (new Set(questions).size < questions.length) {
    return rejection('sameQuestion', 'Two questions have the same text. Word each question differently.');
  }
  const twice = input.questions.find(
    ({ options }) => new Set(options.map((option) => option.label)).size < options.length,
  );
  if (twice === undefined) return { verdict: 'ok' };
  return rejection(
    'sameOption',
    `Two options of "${oneLine(twice.question)}" have the same label. Make each label different.`,
  );
}

function questionOf(question: AskUserQuestionInput['questions'][number]): Question {
  const options = question.options.map(({ label, description, preview }) => ({
    label,
    description,
    ...(preview === undefined ? {} : { preview }),
  }));
  return { ...question, options };
}

function chosen(answers: AskUserQuestionOutput['answers'], question: string): string {
  const labels = Object.hasOwn(answers, question) ? (answers[question] ?? []) : [];
  return labels.length === 0 ? '(no answer)' : labels.join(', ');
}

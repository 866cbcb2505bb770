import { describe, expect, it } from 'vitest';
import { recordCall } from '../testing/recordingExecutor';
import { samplePlace } from '../testing/samplePlace';
import { type AskUserQuestionInput, askUserQuestionTool } from './askUserQuestion';

const options = [
  { label: 'SQLite', description: 'One file.' },
  { label: 'Postgres', description: 'A server.', preview: '```\npsql\n```' },
];
const first = { question: 'Which database?', header: 'Database', multiSelect: false, options };
const second = { question: 'Which checks?', header: 'Checks', multiSelect: true, options };
const input: AskUserQuestionInput = { questions: [first, second] };

describe('AskUserQuestion', () => {
  it('asks, waits, and gives the answers to the model and the card', async () => {
    const answers = { 'Which database?': ['SQLite'], 'Which checks?': ['SQLite', 'my own: lint'] };
    const { context, questions } = recordCall({ answers: { answered: true, answers } });
    const output = await askUserQuestionTool.call(input, context);
    expect(questions).toEqual([[first, second]]);
    expect(askUserQuestionTool.mapResult(output, input)).toEqual([
      {
        type: 'text',
        text: 'The person answered:\n- Which database? → SQLite\n- Which checks? → SQLite, my own: lint',
      },
    ]);
    expect(askUserQuestionTool.renderResult(output, input, samplePlace)).toEqual({
      view: {
        kind: 'table',
        columns: ['Question', 'Answer'],
        rows: [
          ['Which database?', 'SQLite'],
          ['Which checks?', 'SQLite, my own: lint'],
        ],
      },
      note: '2 questions answered',
    });
  });

  it('says so when one question stayed without an answer', () => {
    const output = { answers: { 'Which database?': ['SQLite'], 'Which checks?': [] } };
    expect(
      askUserQuestionTool.mapResult(output, { questions: [first, second, { ...first, question: 'toString' }] }),
    ).toEqual([
      {
        type: 'text',
        text: 'The person answered:\n- Which database? → SQLite\n- Which checks? → (no answer)\n- toString → (no answer)',
      },
    ]);
  });

  it.each([
    [' Ask me later. ', 'The person did not choose, but said: Ask me later.', 'Ask me later.'],
    [
      ' ',
      'The person did not answer the questions. Go on without them if you can, and say what you assumed; else wait.',
      'Not answered.',
    ],
  ])('gives an error with the words of a person who declined: %j', async (words, message, shown) => {
    const { context } = recordCall({ answers: { answered: false, words } });
    await expect(askUserQuestionTool.call(input, context)).rejects.toMatchObject({
      kind: 'permission',
      message,
      view: { kind: 'text', text: shown },
      note: 'not answered',
    });
  });

  it.each<[string, AskUserQuestionInput, unknown]>([
    ['two questions', input, { verdict: 'ok' }],
    [
      'the same question twice',
      { questions: [first, first] },
      {
        verdict: 'reject',
        errorCode: 'sameQuestion',
        message: 'Two questions have the same text. Word each question differently.',
      },
    ],
    [
      'the same label twice',
      { questions: [{ ...first, options: [...options, ...options].slice(0, 3) }] },
      {
        verdict: 'reject',
        errorCode: 'sameOption',
        message: 'Two options of "Which database?" have the same label. Make each label different.',
      },
    ],
  ])('validates %s', async (_, given, expected) => {
    expect(await askUserQuestionTool.validateInput(given, recordCall().validation)).toEqual(expected);
  });

  it('needs no permission but a person', () => {
    expect([
      askUserQuestionTool.checkPermissions(input, samplePlace).behavior,
      askUserQuestionTool.requiresUserInteraction(),
      askUserQuestionTool.facts(input, samplePlace),
      askUserQuestionTool.isReadOnly(input),
      askUserQuestionTool.isConcurrencySafe(input),
      askUserQuestionTool.getToolUseSummary(input, samplePlace),
      askUserQuestionTool.renderUse({ questions: [first] }, samplePlace),
    ]).toEqual([
      'allow',
      true,
      [],
      true,
      false,
      'Which database? · Which checks?',
      { kind: 'table', columns: ['Question', 'Options'], rows: [['Which database?', 'SQLite, Postgres']] },
    ]);
  });

  it.each<[string, unknown, boolean]>([
    ['one question, multiSelect left out', { questions: [{ question: 'A?', header: 'A', options }] }, true],
    ['multiSelect as text', { questions: [{ ...first, multiSelect: 'true' }] }, true],
    ['a header of 12', { questions: [{ ...first, header: 'x'.repeat(12) }] }, true],
    ['a header of 13', { questions: [{ ...first, header: 'x'.repeat(13) }] }, false],
    ['no question', { questions: [] }, false],
    ['five questions', { questions: [first, first, first, first, first] }, false],
    ['one option', { questions: [{ ...first, options: options.slice(0, 1) }] }, false],
    ['five options', { questions: [{ ...first, options: [...options, ...options, ...options].slice(0, 5) }] }, false],
    ['an unknown field', { questions: [{ ...first, multi_select: true }] }, false],
    ['an empty question', { questions: [{ ...first, question: ' ' }] }, false],
  ])('%s is valid: %s', (_, given, valid) => {
    expect(askUserQuestionTool.inputSchema().safeParse(given).success).toBe(valid);
  });
});

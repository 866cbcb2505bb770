import type { z } from 'zod';

/** Values of the model are quoted back at most this long. */
const quotedChars = 120;

/**
 * Tells the model what is wrong with its input: which field, what was expected, what came.
 * `input` is what the model sent, as it came.
 */
export function formatInputError(error: z.ZodError, input: unknown): string {
  const lines = error.issues.flatMap((issue) => linesFor(issue, input));
  const count = lines.length === 1 ? 'a problem' : `${lines.length} problems`;
  return [
    `<tool_use_error>Invalid input, ${count}; the tool was not run.`,
    ...lines.map((line) => `- ${line}`),
    'Correct the input and call the tool again.</tool_use_error>',
  ].join('\n');
}

function linesFor(issue: z.core.$ZodIssue, input: unknown): string[] {
  if (issue.code === 'unrecognized_keys') {
    const where = issue.path.length === 0 ? '' : ` in \`${fieldName(issue.path)}\``;
    return issue.keys.map((key) => `unknown field \`${bounded(key)}\`${where}: remove it`);
  }
  const field = issue.path.length === 0 ? 'input' : `\`${fieldName(issue.path)}\``;
  const value = valueAt(input, issue.path);
  const got = value === undefined ? 'it is missing' : `got ${inWords(value)}`;
  return [`${field}: expected ${expectation(issue)}, ${got}`];
}

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `${article(issue.expected)} ${issue.expected}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? JSON.stringify(issue.values[0])
        : `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'too_small':
      return `at least ${issue.minimum}${unit(issue.origin, Number(issue.minimum))}`;
    case 'too_big':
      return `at most ${issue.maximum}${unit(issue.origin, Number(issue.maximum))}`;
    default:
      return issue.message.replace(/^(Invalid input: )?expected /, '');
  }
}

function unit(origin: string, count: number): string {
  const plural = count === 1 ? '' : 's';
  if (origin === 'string') return ` character${plural}`;
  return origin === 'array' ? ` item${plural}` : '';
}

const article = (word: string) => (/^[aeiou]/.test(word) ? 'an' : 'a');

/** `questions[0].options[1].label`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${bounded(String(step))}`,
    )
    .join('');
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    return Reflect.get(value, step);
  }, input);
}

function inWords(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') {
    const length = value.length > quotedChars ? ` (${value.length.toLocaleString('en')} characters)` : '';
    return `the string ${JSON.stringify(bounded(value))}${length}`;
  }
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  return `the ${typeof value} ${String(value)}`;
}

const bounded = (text: string) => (text.length > quotedChars ? `${text.slice(0, quotedChars)}…` : text);

// A person's choices for a set of questions, and the answer they make.
import type { Question } from '#shared/session/ask';

export interface QuestionChoice {
  readonly labels: readonly string[];
  /** The person's own words; empty when none. */
  readonly own: string;
}

export const noChoice: QuestionChoice = { labels: [], own: '' };

/** Chooses an option, or takes it back where several may be chosen. Own words give way to a single choice. */
export function choose(question: Question, choice: QuestionChoice, label: string): QuestionChoice {
  if (!question.multiSelect) return { labels: [label], own: '' };
  const labels = choice.labels.includes(label)
    ? choice.labels.filter((chosen) => chosen !== label)
    : [...choice.labels, label];
  return { ...choice, labels };
}

/** Own words stand alone for a single choice, and beside the others where several may be chosen. */
export function inOwnWords(question: Question, choice: QuestionChoice, own: string): QuestionChoice {
  return question.multiSelect || own.trim() === '' ? { ...choice, own } : { labels: [], own };
}

/** The answer in the order the options are offered, or null while a question has none. */
export function answersOf(
  questions: readonly Question[],
  choices: Readonly<Record<string, QuestionChoice>>,
): Record<string, string[]> | null {
  const answers: [string, string[]][] = [];
  for (const question of questions) {
    const { labels, own } = choices[question.question] ?? noChoice;
    const chosen = question.options.map((option) => option.label).filter((label) => labels.includes(label));
    const all = own.trim() === '' ? chosen : [...chosen, own.trim()];
    if (all.length === 0) return null;
    answers.push([question.question, all]);
  }
  return Object.fromEntries(answers);
}

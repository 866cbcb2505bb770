// Matchers: everything, exact names, or an unanchored regular expression.
import { basename } from 'node:path';
import { fail, ok, type Result } from '#shared/util/result';
import type { EventRules } from './eventRules';

/** Whether a handler listens to what an event is about. */
export type Matches = (subject: string) => boolean;

const onlyNames = /^[A-Za-z0-9_\- ,|]*$/;

function names(text: string, separator: RegExp): ReadonlySet<string> {
  return new Set(text.split(separator).map((name) => name.trim()));
}

/**
 * Makes a matcher ready. Text of letters, digits, `_`, `-`, blanks, `,` and `|` alone is a list of exact names, anything
 * else an unanchored, case-sensitive regular expression. Where the event knows exact names only, `|` separates them and
 * the last part of a path counts as well. The error says what is wrong with the expression.
 */
export function compileMatcher(text: string, kind: EventRules['matcher']): Result<Matches> {
  if (kind === null || text === '' || text === '*') return ok(() => true);
  if (kind === 'exact') {
    const exact = names(text, /\|/);
    return ok((subject) => exact.has(subject) || exact.has(basename(subject)));
  }
  if (onlyNames.test(text)) {
    const exact = names(text, /[|,]/);
    return ok((subject) => exact.has(subject));
  }
  try {
    const pattern = new RegExp(text);
    return ok((subject) => pattern.test(subject));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return fail(`“${text}” is no regular expression (${error.message.replace(/^Invalid regular expression: /, '')})`);
  }
}

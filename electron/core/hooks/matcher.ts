// Matchers: everything, exact names, or an unanchored regular expression.
import { basename } from 'node:path';
import { fail, ok, type Result } from '#shared/util/result';
import { LineMatcher, PatternTooSlow } from '../tasks/lineMatcher';
import type { EventRules } from './eventRules';

/** Whether a handler listens to what an event is about. */
export type Matches = (subject: string) => boolean;

const onlyNames = /^[A-Za-z0-9_\- ,|]*$/;

/** Subjects whose answer is remembered, for each expression: mostly the names of a session's tools. */
const maxRemembered = 500;

/**
 * Looks with an expression as often as it likes to. One that takes longer than anybody waits for counts as fitting: then
 * its handler is asked where it need not have been, instead of passed over.
 */
function patient(pattern: RegExp): Matches {
  // Without groups and with one quantifier at most, there is nothing to go back over again and again.
  if (!/\(|[*+{?].*[*+{?]/s.test(pattern.source)) return (subject) => pattern.test(subject);
  const remembered = new Map<string, boolean>();
  let matcher: LineMatcher | null = null;
  return (subject) => {
    const known = remembered.get(subject);
    if (known !== undefined) return known;
    let fits = true;
    try {
      matcher ??= new LineMatcher(pattern);
      fits = matcher.find([subject]) === 0;
    } catch (error) {
      if (!(error instanceof PatternTooSlow)) throw error;
      matcher = null;
    }
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(subject, fits);
    return fits;
  };
}

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
    return ok(patient(new RegExp(text)));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return fail(`“${text}” is no regular expression (${error.message.replace(/^Invalid regular expression: /, '')})`);
  }
}

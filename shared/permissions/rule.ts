// The text form of a rule: `Tool`, `Tool(content)`, `Tool(*)`.
import { fail, ok, type Result } from '../util/result';

/** A rule taken apart. `content` is null for the bare name; parentheses inside it are literal. */
export interface ParsedRule {
  readonly tool: string;
  readonly content: string | null;
}

const shape = /^([^\s()]+)(?:\(([\s\S]*)\))?$/;

/**
 * Takes a rule apart. Blanks around the text, a missing bracket or text behind it are errors, because such a rule
 * matches nothing.
 */
export function parseRule(text: string): Result<ParsedRule> {
  const found = shape.exec(text);
  const tool = found?.[1];
  if (tool === undefined) return fail('It must read Tool or Tool(content), without blanks around it.');
  return ok({ tool, content: found?.[2] ?? null });
}

/** The text of a rule; `parseRule` gives back the same rule. */
export function formatRule(rule: ParsedRule): string {
  return rule.content === null ? rule.tool : `${rule.tool}(${rule.content})`;
}

/** `Tool` and `Tool(*)` mean the same: every call of the tool. */
export function isBare(rule: ParsedRule): boolean {
  return rule.content === null || rule.content === '*';
}

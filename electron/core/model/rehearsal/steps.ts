// The phrases that the rehearsal model understands, and how a message becomes steps. Plain text matching: no model here.
import { type RehearsalVerb, rehearsalPhrases } from '#shared/session/rehearsal';

/** One thing to do. `ask`, `plan` and the file steps become tool calls; `count` and `unknown` are answered in text. */
export type Step =
  | { readonly kind: 'read'; readonly files: readonly string[] }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'find'; readonly text: string; readonly path: string }
  | { readonly kind: 'list'; readonly pattern: string }
  | {
      readonly kind: 'replace';
      readonly from: string;
      readonly to: string;
      readonly file: string;
      /** all: every place, as told · any: every place that is there, said when there are several · one: exactly one. */
      readonly places: 'all' | 'any' | 'one';
    }
  | { readonly kind: 'write'; readonly file: string; readonly text: string }
  | { readonly kind: 'ask'; readonly question: string; readonly options: readonly string[] }
  | { readonly kind: 'plan'; readonly items: readonly string[] }
  | { readonly kind: 'use'; readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly kind: 'count'; readonly upTo: number }
  | { readonly kind: 'unknown'; readonly text: string };

/** A count longer than this would only fill the screen. */
const longestCount = 10_000;

/** A quoted or bare piece of a phrase: `x`, "x", or words. */
const quoted = '`[^`]+`|"[^"]+"';

/** One parser a phrase; what it does not understand gives null. */
const parsers: Readonly<Record<RehearsalVerb, (text: string) => Step | null>> = {
  read(text) {
    const match = /^read\s+(?:the\s+files?\s+)?(.+)$/is.exec(text);
    const files = splitList(match?.[1] ?? '', /\s*,\s*(?:and\s+)?|\s+and\s+/iy).map(withoutFullStop);
    return files.length === 0 ? null : { kind: 'read', files };
  },
  run(text) {
    const match = /^run\s+(.+)$/is.exec(text);
    const command = match?.[1]?.trim() ?? '';
    if (command === '') return null;
    const ticked = /^`([^`]+)`[.!]?$/s.exec(command)?.[1];
    return { kind: 'run', command: ticked ?? command };
  },
  find(text) {
    const match = new RegExp(`^find\\s+(${quoted}|.+?)(?:\\s+in\\s+(${quoted}|\\S+))?$`, 'is').exec(text);
    const what = unquote(match?.[1] ?? '');
    if (what === '') return null;
    return { kind: 'find', text: what, path: match?.[2] === undefined ? '.' : withoutFullStop(match[2]) };
  },
  list(text) {
    const match = new RegExp(`^list\\s+(?:the\\s+)?(?:files\\s+)?(${quoted}|\\S+)$`, 'is').exec(text);
    const pattern = unquote(match?.[1] ?? '');
    return pattern === '' ? null : { kind: 'list', pattern };
  },
  replace(text) {
    const match = new RegExp(
      `^replace\\s+(?:(all|every|one)\\s+)?(${quoted}|.+?)\\s+with\\s+(${quoted}|.+?)\\s+in\\s+(${quoted}|\\S+)$`,
      'is',
    ).exec(text);
    if (match === null) return null;
    const [, amount, from = '', to = '', file = ''] = match;
    const places = amount === undefined ? 'any' : amount.toLowerCase() === 'one' ? 'one' : 'all';
    return { kind: 'replace', from: unquote(from), to: unquote(to), file: withoutFullStop(file), places };
  },
  write(text) {
    const match = new RegExp(`^write\\s+(?:the\\s+file\\s+)?(${quoted}|[^\\s:]+)\\s*:[^\\S\\n]*\\n?(.+)$`, 'is').exec(
      text,
    );
    if (match === null) return null;
    const [, file = '', content = ''] = match;
    const body = unquote(content.trimEnd());
    return { kind: 'write', file: unquote(file), text: body.endsWith('\n') ? body : `${body}\n` };
  },
  ask(text) {
    const match = /^ask\s+me\s+([^:]+):\s*(.+)$/is.exec(text);
    if (match === null) return null;
    const options = splitList(withoutFullStop(match[2] ?? ''), /\s*,\s*(?:or\s+)?|\s+or\s+/iy);
    if (options.length < 2 || options.length > 4) return null;
    return { kind: 'ask', question: asQuestion(match[1] ?? ''), options };
  },
  plan(text) {
    const match = /^plan\s+(.+)$/is.exec(text);
    const items = splitList(match?.[1] ?? '', /\s*;\s*/y).map(withoutFullStop);
    return items.length === 0 ? null : { kind: 'plan', items };
  },
  use(text) {
    const match = /^use\s+(?:the\s+tool\s+)?`?([A-Za-z0-9_-]{1,128})`?(?:\s+with\s+`?(\{.*\})`?)?[.!]?$/is.exec(text);
    const input = match === null ? null : jsonObject(match[2] ?? '{}');
    return input === null ? null : { kind: 'use', tool: match?.[1] ?? '', input };
  },
  count(text) {
    const match = /^count\s+to\s+(\d{1,9})[.!]?$/i.exec(text);
    const upTo = Math.min(Number(match?.[1] ?? 0), longestCount);
    return upTo < 1 ? null : { kind: 'count', upTo };
  },
};

const verbs = /^(?:read|run|find|list|replace|write|ask\s+me|plan|use|count\s+to)\b/i;
const politeness = /^(?:please|now|first|finally|next|and|also|(?:can|could|would)\s+you(?:\s+please)?)[\s,]+/i;
/** "then" between two phrases, or a line break, with list marks before the next phrase. */
const joint =
  /(?:\s*[,;.]\s*|\s+)(?:and\s+)?then\b[\s,:]+|\s*\n\s*(?:(?:\d+[.)]|[-*•])\s+)?(?:(?:and\s+)?then\b[\s,:]+)?/iy;

/** Splits a message into steps. Text that fits no phrase becomes one `unknown` step each. */
export function parseSteps(message: string): readonly Step[] {
  const parts: string[] = [];
  for (const piece of splitKeeping(message.trim(), joint)) {
    const text = stripPoliteness(piece.text);
    const before = parts.at(-1);
    // What follows "write x:" belongs to the file until the next phrase begins.
    if (before !== undefined && /^write\b/i.test(before) && !verbs.test(text)) {
      parts[parts.length - 1] = `${before}${piece.joint}${piece.text}`;
    } else if (text !== '') parts.push(text);
  }
  return parts.map(parseStep);
}

function parseStep(text: string): Step {
  for (const { verb } of rehearsalPhrases) {
    const step = parsers[verb](text);
    if (step !== null) return step;
  }
  return { kind: 'unknown', text };
}

function jsonObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function stripPoliteness(text: string): string {
  let rest = text.trim().replace(/^(?:\d+[.)]|[-*•])\s+/, '');
  while (politeness.test(rest)) rest = rest.replace(politeness, '');
  return rest;
}

function unquote(text: string): string {
  const trimmed = text.trim();
  return (
    /^(?:`([^`]+)`|"([^"]+)")$/s
      .exec(trimmed)
      ?.slice(1)
      .find((inner) => inner !== undefined) ?? trimmed
  );
}

function withoutFullStop(text: string): string {
  return unquote(unquote(text).replace(/(?<=[^.\s/])[.!]$/, ''));
}

function asQuestion(text: string): string {
  const trimmed = text.trim();
  const sentence = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return sentence.endsWith('?') ? sentence : `${sentence}?`;
}

function splitList(text: string, separator: RegExp): string[] {
  return splitKeeping(text.trim(), separator)
    .map((piece) => unquote(piece.text))
    .filter((piece) => piece !== '');
}

/** Splits at a sticky pattern, but never inside backticks or double quotes. `joint` is what stood before the piece. */
function splitKeeping(text: string, separator: RegExp): { readonly text: string; readonly joint: string }[] {
  const pieces: { text: string; joint: string }[] = [];
  let start = 0;
  let before = '';
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    const closing = char === '`' || char === '"' ? text.indexOf(char, at + 1) : -1;
    if (closing > at) {
      at = closing + 1;
      continue;
    }
    separator.lastIndex = at;
    const found = separator.exec(text)?.[0];
    if (found === undefined || found === '') {
      at += 1;
      continue;
    }
    pieces.push({ text: text.slice(start, at), joint: before });
    before = found;
    at += found.length;
    start = at;
  }
  pieces.push({ text: text.slice(start), joint: before });
  return pieces;
}

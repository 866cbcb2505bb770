// The filter language of the trace: `tool:Bash verdict:ask >2s -is:subagent "git push"`. All terms must fit; values with
// commas are alternatives; `-` turns a term around.
import { fail, ok, type Result } from '../util/result';
import { ranMs, waitedMs, wholeMs } from './times';
import { DecisionCause, TraceRow } from './traceRow';

interface Place {
  /** Characters of the text: the first, and the first behind it. */
  readonly from: number;
  readonly to: number;
}

const states = ['subagent', 'asked', 'waiting', 'running', 'denied', 'failed', 'interrupted', 'kept'] as const;
const hookStates = ['any', 'none', 'fail', 'changed'] as const;

/** Fields with a closed list of values; the others take any text. */
export const closedFields = {
  verdict: ['allow', 'ask', 'deny'],
  status: TraceRow.shape.status.options,
  cause: DecisionCause.options,
  hook: hookStates,
  is: states,
} as const;
const openFields = ['tool', 'agent'] as const;
const lengths = ['whole', 'ran', 'waited'] as const;

type ClosedField = keyof typeof closedFields;
type OpenField = (typeof openFields)[number];
type Length = (typeof lengths)[number];

export type FilterTerm = Place & { readonly not: boolean } & (
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'field'; readonly field: ClosedField | OpenField; readonly values: readonly string[] }
    /** `>2s` is about the whole time, `ran:>2s` about the call's own, `waited:>2s` about a person's. */
    | { readonly kind: 'length'; readonly of: Length; readonly than: 'longer' | 'shorter'; readonly ms: number }
  );

/** Why a filter cannot be read, and where; the message is a sentence for people. */
export interface FilterProblem extends Place {
  readonly message: string;
}

/** Names that may stand before a colon, in the order in which they are offered. */
export const filterNames = ['tool', 'verdict', 'is', 'hook', 'status', 'cause', 'agent', 'ran', 'waited'] as const;

/** Reads a filter. An empty text has no terms and fits everything. */
export function parseFilter(text: string): Result<readonly FilterTerm[], FilterProblem> {
  const terms: FilterTerm[] = [];
  let at = 0;
  for (;;) {
    at += /^\s*/.exec(text.slice(at))?.[0].length ?? 0;
    if (at >= text.length) return ok(terms);
    const word = readWord(text, at);
    if (!word.ok) return word;
    const term = termOf(word.value);
    if (!term.ok) return term;
    terms.push(term.value);
    at = word.value.to;
  }
}

interface Piece {
  readonly text: string;
  readonly quoted: boolean;
}

interface Word extends Place {
  readonly not: boolean;
  /** Before the colon; null: there is none. */
  readonly name: string | null;
  /** Alternatives, as commas outside quotes part them. */
  readonly pieces: readonly Piece[];
}

/** One word with its quotes resolved; a quote may begin at its start or behind a colon or comma. */
function readWord(text: string, from: number): Result<Word, FilterProblem> {
  const not = text[from] === '-';
  const start = not ? from + 1 : from;
  const name = /^([A-Za-z]+):(?!\/\/|\\)/.exec(text.slice(start))?.[1] ?? null;
  let at = name === null ? start : start + name.length + 1;
  const pieces: Piece[] = [];
  for (;;) {
    const piece = readPiece(text, { at, alternatives: name !== null });
    if (!piece.ok) return piece;
    pieces.push(piece.value);
    at = piece.value.to;
    if (name === null || text[at] !== ',') break;
    at += 1;
  }
  return ok({ from, to: at, not, name, pieces });
}

function readPiece(
  text: string,
  { at, alternatives }: { readonly at: number; readonly alternatives: boolean },
): Result<Piece & { readonly to: number }, FilterProblem> {
  if (text[at] !== '"') {
    const plain = (alternatives ? /^[^\s,]*/ : /^\S*/).exec(text.slice(at))?.[0] ?? '';
    return ok({ text: plain, quoted: false, to: at + plain.length });
  }
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(text.slice(at));
  if (quoted === null) return fail({ from: at, to: text.length, message: 'The quote has no end.' });
  const inside = (quoted[1] ?? '').replace(/\\(["\\])/g, '$1');
  return ok({ text: inside, quoted: true, to: at + quoted[0].length });
}

function termOf({ from, to, not, name, pieces }: Word): Result<FilterTerm, FilterProblem> {
  const place = { from, to };
  const [first] = pieces;
  if (name === null) {
    const { text, quoted } = first ?? { text: '', quoted: false };
    if (!quoted && /^[<>]/.test(text)) return lengthOf({ ...place, not, of: 'whole', text });
    if (text === '')
      return fail({
        ...place,
        message: quoted ? 'There is nothing between the quotes.' : 'Say behind “-” what you do not want.',
      });
    return ok({ ...place, not, kind: 'text', text });
  }
  const field = name.toLowerCase();
  const values = pieces.map((piece) => piece.text);
  if (isLength(field)) return lengthOf({ ...place, not, of: field, text: values.join(',') });
  if (!isField(field))
    return fail({
      from,
      to: from + (not ? 1 : 0) + name.length + 1,
      message: `There is no “${name}:”. Known: ${filterNames.join(', ')}. Put quotes around text with a colon.`,
    });
  if (values.includes('')) return fail({ ...place, message: `Say which: ${exampleOf(field)}.` });
  if (!isClosed(field)) return ok({ ...place, not, kind: 'field', field, values });
  const known: readonly string[] = closedFields[field];
  const meant = values.map((value) => known.find((one) => one.toLowerCase() === value.toLowerCase()) ?? null);
  const wrong = values.find((_, index) => meant[index] === null);
  if (wrong !== undefined)
    return fail({ ...place, message: `“${field}:${wrong}” means nothing. Known: ${known.join(', ')}.` });
  return ok({ ...place, not, kind: 'field', field, values: meant.filter((value) => value !== null) });
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, min: 60_000, h: 3_600_000 };

function lengthOf(about: Place & { not: boolean; of: Length; text: string }): Result<FilterTerm, FilterProblem> {
  const { from, to, not, of, text } = about;
  const [, sign, number, unit] = /^([<>])(\d+(?:\.\d+)?)([a-z]*)$/i.exec(text) ?? [];
  const factor = Object.hasOwn(units, unit?.toLowerCase() ?? '') ? units[unit?.toLowerCase() ?? ''] : undefined;
  if (sign === undefined || factor === undefined) {
    const example = of === 'whole' ? '>2s or <100ms' : `${of}:>2s or ${of}:<100ms`;
    return fail({ from, to, message: `A length of time is written as ${example}.` });
  }
  return ok({
    from,
    to,
    not,
    kind: 'length',
    of,
    than: sign === '>' ? 'longer' : 'shorter',
    ms: Number(number) * factor,
  });
}

function isLength(name: string): name is 'ran' | 'waited' {
  return name === 'ran' || name === 'waited';
}

function isClosed(name: string): name is ClosedField {
  return Object.hasOwn(closedFields, name);
}

function isField(name: string): name is ClosedField | OpenField {
  return isClosed(name) || openFields.some((field) => field === name);
}

function exampleOf(field: ClosedField | OpenField): string {
  if (isClosed(field)) return closedFields[field].map((value) => `${field}:${value}`).join(', ');
  return field === 'tool' ? 'tool:Bash, or tool:mcp__* for several' : 'agent:explore';
}

/** Whether a call fits all terms. `now` ends what has not ended. */
export function fitsFilter(terms: readonly FilterTerm[], row: TraceRow, now: number): boolean {
  return terms.every((term) => fits(term, row, now) !== term.not);
}

/** Whether what a filter lets through may change with time alone. */
export function changesWithTime(terms: readonly FilterTerm[]): boolean {
  return terms.some(({ kind }) => kind === 'length');
}

function fits(term: FilterTerm, row: TraceRow, now: number): boolean {
  switch (term.kind) {
    case 'text':
      return [row.name, row.title, row.what, row.because, row.agent?.name ?? ''].some((text) => holds(text, term.text));
    case 'length': {
      const length = { whole: wholeMs, ran: ranMs, waited: waitedMs }[term.of](row, now);
      return term.than === 'longer' ? length > term.ms : length < term.ms;
    }
    case 'field':
      return term.values.some((value) => fitsField(term.field, value, row));
  }
}

function fitsField(field: ClosedField | OpenField, value: string, row: TraceRow): boolean {
  switch (field) {
    case 'tool':
      return matchesName(row.name, value) || matchesName(row.title, value);
    case 'agent':
      return row.agent !== null && (holds(row.agent.name, value) || row.agent.agentId === value);
    case 'verdict':
      return row.verdict === value;
    case 'status':
      return row.status === value;
    case 'cause':
      return row.cause === value;
    case 'hook':
      return fitsHook(value, row);
    case 'is':
      return isState(value, row);
  }
}

function fitsHook(value: string, { hooks }: TraceRow): boolean {
  if (value === 'none') return hooks.runs === 0;
  if (value === 'any') return hooks.runs > 0;
  return value === 'fail' ? hooks.failed > 0 : hooks.changed > 0;
}

function isState(value: string, row: TraceRow): boolean {
  switch (value) {
    case 'subagent':
      return row.agent !== null;
    case 'asked':
      return row.prompts.length > 0;
    case 'waiting':
      return row.status === 'asking';
    case 'running':
      return row.endedAt === null;
    case 'kept':
      return row.keptBytes !== null;
    default:
      return row.status === value;
  }
}

function holds(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

/** Whole names; `*` stands for any text. Each part between stars is sought once, so hostile patterns cost nothing. */
function matchesName(name: string, pattern: string): boolean {
  const text = name.toLowerCase();
  const parts = pattern.toLowerCase().split('*');
  const head = parts[0] ?? '';
  const tail = parts.at(-1) ?? '';
  if (parts.length === 1) return text === head;
  if (!text.startsWith(head) || !text.endsWith(tail) || text.length < head.length + tail.length) return false;
  let at = head.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found === -1 || found + part.length > text.length - tail.length) return false;
    at = found + part.length;
  }
  return true;
}

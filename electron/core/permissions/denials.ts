// Keeps an agent from wearing a person down: what was denied again and again is denied without asking, and a call that
// comes again and again asks. Pure: states in, states out; times are epoch milliseconds from the caller's clock.
import type { Decision } from '#shared/permissions/decision';
import type { PermissionMode } from '#shared/permissions/modes';
import type { CallFacts } from './callFacts';
import { commandFamily } from './suggest';

/** Denials of one pattern within the window after which it is not asked any more. */
export const denialLimit = 3;
/** From the first of these denials on. */
export const denialWindowMs = 5 * 60_000;
/** Identical calls in a row within a turn of which the last one asks. */
export const repeatLimit = 3;
/** Blocks by the classifier after which a person is asked again: in a row, and in total. */
export const blocksInRow = 3;
export const blocksInTotal = 20;

/** Longest command shown as its own pattern, in characters. */
const longestPattern = 200;

interface Block {
  readonly pattern: string;
  readonly count: number;
  readonly until: number;
}

/** Times of the denials of each pattern, oldest first, and what is blocked because of them. */
export interface DenialState {
  readonly denials: ReadonlyMap<string, readonly number[]>;
  readonly blocks: ReadonlyMap<string, Block>;
}

export const noDenials: DenialState = { denials: new Map(), blocks: new Map() };

/** Adds a denial. With the third one within the window the pattern is blocked for the rest of the window. */
export function recordDenial(state: DenialState, pattern: string, now: number): DenialState {
  const recent = (state.denials.get(pattern) ?? []).filter((at) => now - at < denialWindowMs);
  const times = [...recent, now];
  const denials = new Map(state.denials).set(pattern, times);
  const first = times[times.length - denialLimit];
  if (first === undefined) return { ...state, denials };
  const block = { pattern, count: times.length, until: first + denialWindowMs };
  return { denials, blocks: new Map(state.blocks).set(pattern, block) };
}

/** What is blocked now, oldest first. */
export function activeBlocks(state: DenialState, now: number): readonly Block[] {
  return [...state.blocks.values()].filter((block) => now < block.until);
}

/** Forgets the denials of a pattern, so that it asks again. */
export function liftBlock(state: DenialState, pattern: string): DenialState {
  const denials = new Map(state.denials);
  const blocks = new Map(state.blocks);
  denials.delete(pattern);
  blocks.delete(pattern);
  return { denials, blocks };
}

/**
 * What a denial of the call stands for: the commands that ask, each by the words that name it (`Bash(git push)`), or the
 * tool's name. A compound command is one pattern of its own, so that its harmless parts are not blocked alone.
 */
export function denialPattern(facts: CallFacts, decision: Decision): string {
  if (facts.shellText === null) return facts.toolName;
  const own = facts.commands.filter((command) => !command.nested);
  const open = new Set(
    decision.parts.filter((part) => part.behavior !== 'allow' && part.kind === 'command').map((part) => part.text),
  );
  const asking = own.filter((command) => open.has(command.text));
  const named = (asking.length > 0 ? asking : own).map((command) =>
    commandFamily(command.starForms.at(-1)?.text ?? command.text),
  );
  const pattern = named.length === 0 ? facts.shellText : [...new Set(named)].sort().join(' && ');
  return `${facts.toolName}(${pattern.slice(0, longestPattern)})`;
}

/** The last call of a turn and how often it came in a row. */
export interface RepeatState {
  readonly key: string;
  readonly count: number;
}

export const noRepeats: RepeatState = { key: '', count: 0 };

/** Sorted by name at every depth, so that the order in which a model writes fields does not matter. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, field]) => [name, canonical(field)]);
}

/** Counts a call of a turn. A different call in between starts anew. */
export function recordCall(
  state: RepeatState,
  call: { readonly toolName: string; readonly input: unknown },
): RepeatState {
  const key = JSON.stringify([call.toolName, canonical(call.input)]);
  return { key, count: key === state.key ? state.count + 1 : 1 };
}

/** How often a classifier blocked calls: since it or a person allowed one, and in total. */
export interface ClassifierBlocks {
  readonly inRow: number;
  readonly total: number;
}

export const noClassifierBlocks: ClassifierBlocks = { inRow: 0, total: 0 };

/** Counts what a classifier said; anything but a block ends the row. */
export function recordClassifier(state: ClassifierBlocks, blocked: boolean): ClassifierBlocks {
  return blocked ? { inRow: state.inRow + 1, total: state.total + 1 } : { ...state, inRow: 0 };
}

/** After a person allowed a call. The total goes on, unless it was what brought the call to the person. */
export function afterPerson(state: ClassifierBlocks): ClassifierBlocks {
  return state.total >= blocksInTotal ? noClassifierBlocks : { ...state, inRow: 0 };
}

/** Whether the classifier has blocked so much that a person decides instead. */
export function asksAgain(state: ClassifierBlocks): boolean {
  return state.inRow >= blocksInRow || state.total >= blocksInTotal;
}

/** `3 minutes`, `1 minute`, `40 seconds`. */
function remaining(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  if (seconds < 60) return `${seconds} second${seconds === 1 ? '' : 's'}`;
  const minutes = Math.ceil(seconds / 60);
  return `${minutes} minute${minutes === 1 ? '' : 's'}`;
}

/**
 * The decision after both guards. They only turn an ask into a deny, or an allow into an ask: nothing becomes more
 * allowed. `repeats` counts this call with its identical predecessors.
 */
export function guardDecision(options: {
  readonly decision: Decision;
  readonly mode: PermissionMode;
  readonly repeats: number;
  readonly block: Block | null;
  readonly now: number;
}): Decision {
  const { decision, mode, repeats, block, now } = options;
  if (block !== null && decision.behavior === 'ask') {
    const detail = `the denial limit: ${block.pattern} was denied ${block.count} times within five minutes and is not asked for another ${remaining(block.until - now)}`;
    return { ...decision, behavior: 'deny', reason: { type: 'denialLimit', detail } };
  }
  if (repeats < repeatLimit || decision.behavior !== 'allow' || mode === 'bypassPermissions') return decision;
  const detail = `This is the same call ${repeats} times in a row; the agent may be going round in circles.`;
  const behavior = mode === 'dontAsk' ? 'deny' : 'ask';
  return { ...decision, behavior, reason: { type: 'safety', check: 'repeatedCall', detail } };
}

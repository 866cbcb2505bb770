// Past calls: those of the sessions here and those of Claude Code's transcripts, indexed, replayed and learned from.
import { z } from 'zod';
import { Decision } from '../permissions/decision';
import { PermissionMode } from '../permissions/modes';
import { RuleDraft, RuleEdit } from '../permissions/ruleEdits';
import { Behavior, RuleRef } from '../permissions/ruleRef';
import { SavableSource } from '../permissions/sources';
import { call } from '../rpc/contract';

const sessionId = z.string();

/** How far the index is. It can be deleted at any time and is made anew. */
export const HistoryState = z.strictObject({
  /** `idle`: all that there is has been read. */
  phase: z.enum(['idle', 'reading', 'paused', 'failed']),
  files: z.number().int().nonnegative(),
  filesDone: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
  bytesDone: z.number().int().nonnegative(),
  calls: z.number().int().nonnegative(),
  sessions: z.number().int().nonnegative(),
  /** Lines that could not be understood and were passed over. */
  skipped: z.number().int().nonnegative(),
  /** For people; empty when all is well. */
  problem: z.string(),
  /** Folder of the transcripts that are read. */
  folder: z.string(),
});
export type HistoryState = z.infer<typeof HistoryState>;

/** A call that was made once. */
export const PastCall = z.strictObject({
  id: z.string(),
  origin: z.enum(['gatehouse', 'claudeCode']),
  session: z.string(),
  /** Working folder at the time, absolute. */
  cwd: z.string(),
  /** Epoch milliseconds. */
  at: z.number(),
  tool: z.string(),
  /** As JSON; cut after 20,000 characters. */
  input: z.string(),
  /** One line that tells what it does: the command, path or host. */
  title: z.string(),
  isSubagent: z.boolean(),
  /** Null = the record does not say. */
  mode: PermissionMode.nullable(),
  /** What became of it, as far as the record says; `refused`: a person, rule or hook stopped it. */
  outcome: z.enum(['ran', 'failed', 'refused', 'unknown']),
});
export type PastCall = z.infer<typeof PastCall>;

/** A verdict that was computed, or why it cannot be. */
export const Verdict = z.enum(['allow', 'ask', 'deny', 'undetermined']);
export type Verdict = z.infer<typeof Verdict>;

/** Which calls are looked at. */
export const HistoryScope = z.strictObject({
  sessionId,
  /** `folder`: calls made in the session's folder or below. */
  where: z.enum(['folder', 'everywhere']),
  days: z.number().int().min(1).max(3_650),
});
export type HistoryScope = z.infer<typeof HistoryScope>;

/** How dangerous it is that a call is allowed now, 0 to 100, with the reason in words. */
export const Danger = z.strictObject({ score: z.number().int().min(0).max(100), reason: z.string() });
export type Danger = z.infer<typeof Danger>;

/** A past call with its verdict before and after. Equal calls are one row. */
export const ReplayRow = z.strictObject({
  call: PastCall,
  /** How many times the same call was made in the scope. */
  count: z.number().int().positive(),
  before: Verdict,
  after: Verdict,
  danger: Danger,
  /** Because of what it changed, or why it is undetermined, in words. */
  because: z.string(),
});
export type ReplayRow = z.infer<typeof ReplayRow>;

const count = z.number().int().nonnegative();
const Row = z.strictObject({ allow: count, ask: count, deny: count });

export const Replay = z.strictObject({
  calls: count,
  sessions: count,
  /** before → after, numbers of calls. */
  matrix: z.strictObject({ allow: Row, ask: Row, deny: Row }),
  undetermined: z.array(z.strictObject({ reason: z.string(), calls: count })),
  /** Changed verdicts, newly allowed first and the most dangerous of them on top; the first rows of all. */
  rows: z.array(ReplayRow),
  /** Rows that there are altogether for the filter. */
  rowsInAll: count,
  /** Milliseconds that it took. */
  took: z.number().nonnegative(),
});
export type Replay = z.infer<typeof Replay>;

export const ReplayFilter = z.strictObject({
  /** Left out: all changes. `undetermined` as either gives what could not be told. */
  before: Verdict.optional(),
  after: Verdict.optional(),
  /** Part of the title or tool. */
  text: z.string().max(1_000),
});
export type ReplayFilter = z.infer<typeof ReplayFilter>;

/** How a set of allow rules would have met the past. */
export const Reach = z.strictObject({
  /** Calls that asked and would have run. */
  covers: count,
  /** Calls that it would also speak of although they were refused at the time, or are dangerous. */
  overReach: count,
  /** Samples of what it covers, most frequent first. */
  covered: z.array(ReplayRow),
  /** The most dangerous that it would allow, worst first, at most three. */
  worst: z.array(ReplayRow),
});
export type Reach = z.infer<typeof Reach>;

/** A proposal from the past. */
export const Suggestion = z.strictObject({
  rules: z.array(z.string()),
  behavior: Behavior,
  source: SavableSource,
  edits: z.array(RuleEdit),
  reach: Reach,
  /** In words: what for. */
  because: z.string(),
  /** The same proposal narrower and broader, narrowest first; at most six. */
  variants: z.array(z.strictObject({ rules: z.array(z.string()), covers: count, overReach: count })),
});
export type Suggestion = z.infer<typeof Suggestion>;

/** How often a rule spoke of a past call. */
export const RuleUsage = z.strictObject({
  rule: RuleRef,
  matched: count,
  /** Epoch milliseconds; null = never. */
  lastUsed: z.number().nullable(),
});
export type RuleUsage = z.infer<typeof RuleUsage>;

export const historyCalls = {
  /** Starts reading if nothing has been read yet. */
  'history.state': call(z.strictObject({}), HistoryState),
  'history.pause': call(z.strictObject({ paused: z.boolean() }), HistoryState),
  /** Past calls, the newest first, for picking one. */
  'history.calls': call(
    z.strictObject({ scope: HistoryScope, text: z.string().max(1_000), offset: count, limit: count.max(500) }),
    z.strictObject({ calls: z.array(PastCall), inAll: count }),
  ),
  /** How often each rule in force spoke of a call in the scope. */
  'history.usage': call(z.strictObject({ scope: HistoryScope }), z.strictObject({ usage: z.array(RuleUsage) })),
  /** Rules as they are against the same with a draft. */
  'history.replay': call(
    z.strictObject({
      scope: HistoryScope,
      draft: RuleDraft,
      filter: ReplayFilter,
      offset: count,
      limit: count.max(500),
    }),
    Replay,
  ),
  /** All rows of a replay as a text to save. */
  'history.exportReplay': call(
    z.strictObject({
      scope: HistoryScope,
      draft: RuleDraft,
      filter: ReplayFilter,
      format: z.enum(['csv', 'json', 'markdown']),
    }),
    z.strictObject({ name: z.string(), text: z.string() }),
  ),
  /** Decides one past call anew, with everything behind it. `notFound` when it is gone. */
  'history.explain': call(z.strictObject({ scope: HistoryScope, draft: RuleDraft, id: z.string() }), Decision),
  /** What rules would have done in the past, if they were added. */
  'history.reach': call(
    z.strictObject({
      scope: HistoryScope,
      draft: RuleDraft,
      rules: z.array(z.string().min(1).max(2_000)).min(1).max(5),
      behavior: Behavior,
      source: SavableSource,
    }),
    Reach,
  ),
  /** The smallest rules that would have saved the most asks. */
  'history.suggest': call(
    z.strictObject({ scope: HistoryScope, draft: RuleDraft }),
    z.strictObject({ suggestions: z.array(Suggestion), asked: count }),
  ),
};

export const historyEvents = {
  'history.state': HistoryState,
};

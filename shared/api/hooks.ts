// The Hooks page: every hook of all sources with what is wrong with it, its runs, its changes, and trying one out.
import { z } from 'zod';
import { RuleSource } from '../permissions/sources';
import { call } from '../rpc/contract';
import { HookEventName, HookHandlerType, HookRun } from '../session/hookRun';
import { DiffHunk } from '../tools/presentation';
import { RuleStep } from './rules';

const sessionId = z.string().min(1).max(100);
const eventName = z.string().max(200);
const matcherText = z.string().max(2_000);
const sourceText = z.string().max(20_000);

/** Sources whose files the page may change. */
export const HookSource = z.enum(['userSettings', 'projectSettings', 'localSettings']);
export type HookSource = z.infer<typeof HookSource>;

/** Where a hook stands in its file: `hooks[event][group].hooks[index]`. */
export const HookPosition = z.strictObject({
  source: RuleSource,
  file: z.string().nullable(),
  event: eventName,
  group: z.number().int().nonnegative(),
  index: z.number().int().nonnegative(),
});
export type HookPosition = z.infer<typeof HookPosition>;

/** Something wrong or doubtful. error: it does not work, or not as written · warning: it may surprise · hint: good to know. */
export const HookFinding = z.strictObject({
  level: z.enum(['error', 'warning', 'hint']),
  kind: z.enum([
    'event',
    'shape',
    'matcher',
    'handler',
    'condition',
    'once',
    'missing',
    'notExecutable',
    'failsOpen',
    'unguarded',
    'twice',
    'switch',
  ]),
  text: z.string(),
});
export type HookFinding = z.infer<typeof HookFinding>;

export const HookEntry = z.strictObject({
  /** Stands for position and content; another once either changes. */
  id: z.string(),
  at: HookPosition,
  line: z.number().int().positive().nullable(),
  /** Empty: everything. */
  matcher: z.string(),
  /** Null where the type is none of those that are known. */
  type: HookHandlerType.nullable(),
  /** What runs, in one line; without headers, queries and what looks like a key. */
  label: z.string(),
  /** The handler as it stands in the file, as JSON. What looks like a credential is blanked. */
  json: z.string(),
  /** Whether `json` is all of it, so that it can be changed here. */
  whole: z.boolean(),
  /** A condition in the form of a rule; empty: none. */
  condition: z.string(),
  /** Seconds; null where it may take as long as it wants. */
  seconds: z.number().nullable(),
  background: z.boolean(),
  failure: z.enum(['passes', 'blocks']),
  /**
   * active · waits: the folder is not trusted · off: a switch or the policy takes it out · broken: it never runs, or nobody can
   * tell when · elsewhere: the same hook stands in another place, too, and runs once for both.
   */
  state: z.enum(['active', 'waits', 'off', 'broken', 'elsewhere']),
  /** Why, in words; empty when it is active. */
  because: z.string(),
  findings: z.array(HookFinding),
  /** Why it cannot be changed here; empty when it can. */
  locked: z.string(),
});
export type HookEntry = z.infer<typeof HookEntry>;

/** What there is to know of an event when a hook is written. */
export const HookEventInfo = z.strictObject({
  name: HookEventName,
  /** What a matcher looks at, in words; empty: matchers are ignored. */
  subject: z.string(),
  /** A few values for the matcher. */
  examples: z.array(z.string()),
  handlers: z.array(HookHandlerType),
  /** What exit code 2 does, in words. */
  exitTwo: z.string(),
  about: z.enum(['call', 'text', 'nothing']),
  /** Where `about` is `text`: what the text is. */
  textName: z.string(),
});
export type HookEventInfo = z.infer<typeof HookEventInfo>;

export const HookFile = z.strictObject({
  source: RuleSource,
  path: z.string().nullable(),
  exists: z.boolean(),
  hooks: z.number().int().nonnegative(),
  /** Nobody knows what it says: it is broken and was so from the start. */
  unknown: z.boolean(),
  waits: z.boolean(),
  locked: z.string(),
  /** Others share it: a change is shown before it is written. */
  shared: z.boolean(),
});
export type HookFile = z.infer<typeof HookFile>;

export const HooksView = z.strictObject({
  hooks: z.array(HookEntry),
  files: z.array(HookFile),
  events: z.array(HookEventInfo),
  folder: z.string(),
  trusted: z.boolean(),
  /** Where `disableAllHooks` is on; null: nowhere. */
  disabledBy: z
    .strictObject({ source: RuleSource, file: z.string().nullable(), line: z.number().nullable() })
    .nullable(),
  /** Only hooks of the policy count. */
  managedOnly: z.boolean(),
  /** What was skipped in the files beside single hooks, with file and line. */
  problems: z.array(z.string()),
});
export type HooksView = z.infer<typeof HooksView>;

/** A run with where it belongs. */
export const PastRun = z.strictObject({
  seq: z.number().int().positive(),
  run: HookRun,
  /** Null: it belongs to the session and to no call. */
  call: z.strictObject({ callId: z.string(), title: z.string(), summary: z.string() }).nullable(),
});
export type PastRun = z.infer<typeof PastRun>;

const written = { event: HookEventName, matcher: matcherText, /** The handler as JSON. */ handler: sourceText };

export const HookChange = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('add'), source: HookSource, ...written }),
  /** `id` as the entry had it: what was changed meanwhile is refused. */
  z.strictObject({ type: z.literal('change'), at: HookPosition, id: z.string(), ...written }),
  z.strictObject({ type: z.literal('remove'), at: HookPosition, id: z.string() }),
]);
export type HookChange = z.infer<typeof HookChange>;

/** What a hook is told of when it is tried out. */
export const HookOccasion = z.discriminatedUnion('kind', [
  /** A call of the session. */
  z.strictObject({ kind: z.literal('call'), callId: z.string() }),
  /** A past call as `history.calls` gave it; its input as JSON. */
  z.strictObject({
    kind: z.literal('typed'),
    tool: z.string().min(1).max(200),
    input: z.string().max(200_000),
    cwd: z.string().max(4_096).optional(),
    /** For events after the call: what it gave. */
    response: z.string().max(200_000).optional(),
  }),
  /** Events about no call: the prompt, the reason, the file … */
  z.strictObject({ kind: z.literal('text'), text: z.string().max(20_000) }),
]);
export type HookOccasion = z.infer<typeof HookOccasion>;

export const HookTrial = z.strictObject({
  /** False: matcher or condition do not speak of it; it ran all the same. */
  fits: z.boolean(),
  /** Why it would not have run, in words; empty when it would. */
  because: z.string(),
  run: HookRun,
  /** What the outcome would do to the call or the event, each in a sentence. */
  would: z.array(z.string()),
  /** JSON of what it would change the input to; null: nothing. */
  updatedInput: z.string().nullable(),
});
export type HookTrial = z.infer<typeof HookTrial>;

export const hookCalls = {
  'hooks.list': call(z.strictObject({ sessionId }), HooksView),
  /** Runs of the session, the newest first; `before` an event's number. */
  'hooks.runs': call(
    z.strictObject({
      sessionId,
      before: z.number().int().positive().nullable(),
      limit: z.number().int().min(1).max(200),
    }),
    z.strictObject({ runs: z.array(PastRun), more: z.boolean() }),
  ),
  /** What a change would do to its file. Nothing is written. `conflict`: the hook is not there any more; `refused` with the cause. */
  'hooks.preview': call(
    z.strictObject({ sessionId, change: HookChange }),
    z.strictObject({ file: z.string(), shared: z.boolean(), hunks: z.array(DiffHunk), findings: z.array(HookFinding) }),
  ),
  /** Writes a change; `rules.undo` takes the step back. */
  'hooks.save': call(z.strictObject({ sessionId, change: HookChange }), z.strictObject({ step: RuleStep })),
  /**
   * Runs one hook that is in force, with its input, and tells what it would do. The call itself does not run, and nothing is
   * recorded in the session. `refused`: it may not run (folder not trusted, switched off, broken).
   */
  'hooks.try': call(z.strictObject({ sessionId, at: HookPosition, id: z.string(), occasion: HookOccasion }), HookTrial),
};

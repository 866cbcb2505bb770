// What confines the commands of a session, and which settings made it so.
import { z } from 'zod';
import { RuleSource } from '../permissions/sources';
import { call } from '../rpc/contract';
import { SandboxState } from '../session/ask';
import { SandboxLimits } from './executorShell';

/** Where a value comes from. `builtIn`: Gatehouse's own, which no setting lifts. `default`: nobody set it. */
export const SandboxOrigin = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('builtIn') }),
  z.strictObject({ kind: z.literal('default') }),
  /** `path` is null for JSON given at launch, `line` where there are no lines. */
  z.strictObject({
    kind: z.literal('setting'),
    source: RuleSource,
    path: z.string().nullable(),
    line: z.number().int().positive().nullable(),
  }),
  /** A permission rule says so, such as `Edit(/srv/out/**)`. */
  z.strictObject({ kind: z.literal('rule'), rule: z.string(), source: RuleSource }),
  /** The working folders, and what the person switched on for this session. */
  z.strictObject({ kind: z.literal('session') }),
]);
export type SandboxOrigin = z.infer<typeof SandboxOrigin>;

const SandboxSwitch = z.strictObject({ on: z.boolean(), from: SandboxOrigin });
/** A path, a domain pattern or a command pattern, with where it comes from. */
const SandboxEntry = z.strictObject({ text: z.string(), from: SandboxOrigin });
export type SandboxEntry = z.infer<typeof SandboxEntry>;

export const SandboxView = z.strictObject({
  /** What commands of this session really run in now. */
  state: SandboxState,
  enabled: SandboxSwitch,
  /** No command runs where there is no sandbox. */
  failIfUnavailable: SandboxSwitch,
  /** Commands in the sandbox need no ask of their own. */
  autoAllow: SandboxSwitch,
  /** The model may ask to run a command outside. */
  allowOutside: SandboxSwitch,
  network: z.strictObject({
    /** `asks`: hosts on neither list are asked about while the command waits. */
    reach: z.enum(['off', 'listed', 'asks', 'open']),
    /** Why the lists cannot be used here; empty when they can. */
    problem: z.string(),
    allowed: z.array(SandboxEntry),
    denied: z.array(SandboxEntry),
    unixSockets: SandboxSwitch,
  }),
  writable: z.array(SandboxEntry),
  readOnly: z.array(SandboxEntry),
  hidden: z.array(SandboxEntry),
  readable: z.array(SandboxEntry),
  /** Patterns of commands that run outside. */
  excluded: z.array(SandboxEntry),
  limits: SandboxLimits,
  /** Settings that have no effect here, each with the reason, for people. */
  ignored: z.array(z.strictObject({ setting: z.string(), why: z.string(), from: SandboxOrigin })),
});
export type SandboxView = z.infer<typeof SandboxView>;

export const sandboxCalls = {
  /** `notFound`: no such session. */
  'sandbox.view': call(z.strictObject({ sessionId: z.string() }), SandboxView),
};

// What a rule can say, and a rule with the place where it stands.
import { z } from 'zod';
import { RuleSource } from './sources';

export const Behavior = z.enum(['allow', 'ask', 'deny']);
export type Behavior = z.infer<typeof Behavior>;

/** A rule as written, and where: `file` is absolute, `line` counts from 1; both absent for sources in memory. */
export const RuleRef = z.strictObject({
  text: z.string(),
  behavior: Behavior,
  source: RuleSource,
  file: z.string().optional(),
  line: z.number().int().positive().optional(),
});
export type RuleRef = z.infer<typeof RuleRef>;

// The form of the tables of why-trees: a call, its rules, and what the tree says of them.
import type { NearMissKind, RuleStanding } from '#shared/permissions/why';
import type { ReportedCase } from './reported';

export interface WhyCase extends Omit<ReportedCase, 'about'> {
  readonly fits?: readonly (readonly [standing: RuleStanding, rule: string, parts: string, because: string])[];
  readonly near?: readonly (readonly [
    kind: NearMissKind,
    rule: string,
    part: string,
    because: string,
    instead?: string,
  ])[];
  /** "decides: …" or "stands: …". */
  readonly gates?: readonly string[];
  readonly doubts?: readonly string[];
}

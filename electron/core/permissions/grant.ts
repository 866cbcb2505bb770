// A grant says: the permission step allowed this call to touch these things. Only `mintGrant` makes one.
import type { Decision } from '#shared/permissions/decision';
import type { CallFact } from '../tools/tool';
import { hostNamedBy } from './matchHost';
import type { Confinement } from './sandboxed';

declare const minted: unique symbol;

/** Allows one call's facts. `resolved` paths are real paths at decision time. */
export interface Grant {
  readonly [minted]: true;
  readonly callId: string;
  readonly facts: readonly CallFact[];
  /** Given path → real path when it was decided. */
  readonly realPaths: ReadonlyMap<string, string>;
  /** Hosts that an allow rule names in full: these may lie on a private network. */
  readonly namedHosts: ReadonlySet<string>;
  /** What its commands run in, as decided; `asIs`: nobody knew of a sandbox. */
  readonly runs: Confinement['runs'];
}

/** Makes the grant of an allowing decision; any other decision is a bug. */
export function mintGrant(options: {
  readonly decision: Decision;
  readonly callId: string;
  readonly facts: readonly CallFact[];
  readonly realPaths: ReadonlyMap<string, string>;
  /** Left out: as it is. */
  readonly runs?: Confinement['runs'] | undefined;
}): Grant {
  if (options.decision.behavior !== 'allow')
    throw new Error(`A grant needs an allow, not ${options.decision.behavior}.`);
  const { decision, callId, facts, realPaths, runs = 'asIs' } = options;
  const namedHosts: ReadonlySet<string> = new Set(
    decision.parts.flatMap(({ kind, text, behavior, reason }) =>
      kind === 'host' && behavior === 'allow' && reason.type === 'rule' && hostNamedBy(reason.rule.text) === text
        ? [text]
        : [],
    ),
  );
  return { callId, facts, realPaths, namedHosts, runs } as Grant;
}

// One call put before the engine, with given sources in force. Nothing is run, asked or written.
import type { Decision, RuleRef } from '#shared/permissions/decision';
import type { PermissionMode } from '#shared/permissions/modes';
import type { Sources } from '../../permissions/combineSources';
import { compileSources, modeInForce, placeIn, type SourcesHost } from '../../permissions/compileSources';
import { decide } from '../../permissions/decide';
import { destructiveWarning } from '../../permissions/destructive';
import type { PermissionRequest } from '../../permissions/engine';
import { explainDecision } from '../../permissions/explain';
import { gatherFacts } from '../../permissions/facts';
import type { FileView } from '../../permissions/fileView';
import { applySwitches } from '../../permissions/switches';

/** What a decision needs to know of the machine. */
export interface JudgeHost extends SourcesHost {
  readonly view: FileView;
}

export interface Judged {
  /** With its why-tree. */
  readonly decision: Decision;
  /** In words, when the call destroys something; else empty. */
  readonly warning: string;
  /** The mode that counted, where the sources have taken the wished one away. */
  readonly mode: PermissionMode;
}

/** Decides with the sources given. The second shell parser must be loaded. */
export function judge(options: {
  readonly sources: Sources;
  readonly request: PermissionRequest;
  readonly cwd: string;
  readonly mode: PermissionMode;
  readonly host: JudgeHost;
}): Judged {
  const { sources, request, host } = options;
  const { view } = host;
  const place = placeIn({ sources, cwd: options.cwd, host });
  const facts = gatherFacts(request, place, view);
  const rules = compileSources(sources, place, view);
  const mode = modeInForce(options.mode, sources);
  const { own } = request;
  const decided = applySwitches(decide({ facts, own, rules, mode }), facts, sources.switches);
  const waiting: readonly RuleRef[] = sources.trust.waitingRules;
  const why = explainDecision({ decision: decided, facts, own, rules, mode, written: sources.rules, waiting });
  return { decision: { ...decided, why }, warning: destructiveWarning(facts) ?? '', mode };
}

// One call put before the engine, with given sources in force. Nothing is run, asked or written.
import type { Decision, RuleRef } from '#shared/permissions/decision';
import type { PermissionMode } from '#shared/permissions/modes';
import { callFactsOf, onlyReads, ownOpinionOf } from '../../permissions/caseWorld';
import type { Sources } from '../../permissions/combineSources';
import { decide } from '../../permissions/decide';
import { destructiveWarning } from '../../permissions/destructive';
import type { PermissionRequest } from '../../permissions/engine';
import { explainDecision } from '../../permissions/explain';
import { gatherFacts } from '../../permissions/facts';
import type { FileView } from '../../permissions/fileView';
import { type Platform, toEnginePath } from '../../permissions/paths';
import { buildRuleSet, type SourcedRule } from '../../permissions/ruleSet';
import { applySwitches } from '../../permissions/switches';
import type { AnyTool, CallPlace } from '../../tools/tool';

/** What a decision needs to know of the machine. */
export interface JudgeHost {
  readonly home: string;
  /** Gatehouse's own data; null where it does not matter. */
  readonly data: string | null;
  readonly privateFiles: readonly string[];
  readonly platform: Platform;
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

/** A call whose tool is there, with input that has passed the tool's schema. */
export function requestOfTool(tool: AnyTool, input: unknown, place: CallPlace): PermissionRequest {
  return {
    toolName: tool.name,
    isMcp: tool.isMcp,
    isReadOnly: tool.isReadOnly(input),
    input: tool.observableInput(input, place),
    facts: tool.facts(input, place),
    own: tool.checkPermissions(input, place),
  };
}

/** A call of a tool that is not there, told from its name and the names of its fields. */
export function requestOfName(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  place: CallPlace,
): PermissionRequest {
  return {
    toolName: tool,
    isMcp: tool.startsWith('mcp__'),
    isReadOnly: onlyReads(tool),
    input,
    facts: callFactsOf({ tool, input, cwd: place.cwd, home: place.home }),
    own: ownOpinionOf(tool),
  };
}

/** A mode that a settings file has switched off counts as the default mode. */
function modeInForce(mode: PermissionMode, sources: Sources): PermissionMode {
  if (mode === 'bypassPermissions' && sources.bypassDisabled) return 'default';
  if (mode === 'auto' && sources.autoDisabled) return 'default';
  return mode;
}

const converted = new WeakMap<readonly SourcedRule[], readonly SourcedRule[]>();

function rulesOn(sources: Sources, platform: Platform): readonly SourcedRule[] {
  if (platform !== 'win32') return sources.rules;
  const known = converted.get(sources.rules);
  if (known !== undefined) return known;
  const rules = sources.rules.map((rule) =>
    rule.sourceFolder === null ? rule : { ...rule, sourceFolder: toEnginePath(rule.sourceFolder, platform) },
  );
  converted.set(sources.rules, rules);
  return rules;
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
  const { platform, view } = host;
  const engine = (path: string): string => toEnginePath(path, platform);
  const place = {
    folder: engine(sources.folder),
    cwd: engine(options.cwd),
    home: engine(host.home),
    additional: sources.additional.map(engine),
    privateFiles: host.privateFiles.map(engine),
    ...(host.data === null ? {} : { dataFolder: engine(host.data) }),
    platform,
    ignoreCase: platform === 'win32' || platform === 'darwin',
  };
  const facts = gatherFacts(request, place, view);
  const judgesShell = sources.switches.classifyAllShell;
  const rules = { ...buildRuleSet(rulesOn(sources, platform), place, view), judgesShell };
  const mode = modeInForce(options.mode, sources);
  const { own } = request;
  const decided = applySwitches(decide({ facts, own, rules, mode }), facts, sources.switches);
  const waiting: readonly RuleRef[] = sources.trust.waitingRules;
  const why = explainDecision({ decision: decided, facts, own, rules, mode, written: sources.rules, waiting });
  return { decision: { ...decided, why }, warning: destructiveWarning(facts) ?? '', mode };
}

// What a change of settings does: to the rules, and to the verdicts on dangerous calls.
import { type Behavior, describeReason, type RuleRef } from '#shared/permissions/decision';
import type { Sources } from '../../permissions/combineSources';
import type { AnyTool } from '../../tools/tool';
import { allProbes, type Probe } from '../probes/probes';
import { requestFor } from '../tests/runTests';
import { type JudgeHost, judge } from '../try/judge';

export interface RuleChange {
  /** moved: between sources · verdict: from one list to another. */
  readonly kind: 'added' | 'removed' | 'moved' | 'verdict';
  readonly before: RuleRef | null;
  readonly after: RuleRef | null;
}

export interface SettingChange {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly looser: boolean;
}

export interface Flip {
  readonly danger: string;
  readonly line: string;
  readonly before: Behavior;
  readonly after: Behavior;
  /** Why it is what it is afterwards. */
  readonly because: string;
  readonly looser: boolean;
}

export interface PolicyDiff {
  readonly rules: readonly RuleChange[];
  readonly settings: readonly SettingChange[];
  readonly flips: readonly Flip[];
  /** Probes that were tried. */
  readonly probes: number;
  /** A dangerous call or a setting is more permissive afterwards. */
  readonly looser: boolean;
}

const strictness: Readonly<Record<Behavior, number>> = { allow: 0, ask: 1, deny: 2 };

function ruleChanges(before: Sources, after: Sources): readonly RuleChange[] {
  const key = ({ source, behavior, text }: RuleRef): string => `${source} ${behavior} ${text}`;
  const olds = new Map(before.rules.map(({ ref }) => [key(ref), ref]));
  const news = new Map(after.rules.map(({ ref }) => [key(ref), ref]));
  const gone = [...olds].flatMap(([at, ref]) => (news.has(at) ? [] : [ref]));
  const come = [...news].flatMap(([at, ref]) => (olds.has(at) ? [] : [ref]));
  const changes: RuleChange[] = [];
  const left = new Set(come);
  for (const old of gone) {
    const same = [...left].filter((one) => one.text === old.text);
    const partner = same.find((one) => one.behavior === old.behavior) ?? same.find((one) => one.source === old.source);
    if (partner === undefined) changes.push({ kind: 'removed', before: old, after: null });
    else {
      left.delete(partner);
      const kind = partner.behavior === old.behavior ? 'moved' : 'verdict';
      changes.push({ kind, before: old, after: partner });
    }
  }
  return [...[...left].map((ref): RuleChange => ({ kind: 'added', before: null, after: ref })), ...changes];
}

const modeLooseness = { dontAsk: 0, plan: 0, default: 1, acceptEdits: 2, auto: 3, bypassPermissions: 4 } as const;

function settingChanges(before: Sources, after: Sources): readonly SettingChange[] {
  const changes: SettingChange[] = [];
  const from = before.defaultMode ?? 'default';
  const to = after.defaultMode ?? 'default';
  if (from !== to)
    changes.push({ name: 'defaultMode', before: from, after: to, looser: modeLooseness[to] > modeLooseness[from] });
  const flags: readonly (readonly [string, boolean, boolean])[] = [
    ['disableBypassPermissionsMode', before.bypassDisabled, after.bypassDisabled],
    ['disableAutoMode', before.autoDisabled, after.autoDisabled],
    ['blockReadsOutsideWorkingDirectories', before.switches.blockReadsOutside, after.switches.blockReadsOutside],
    ['blockWritesOutsideWorkingDirectories', before.switches.blockWritesOutside, after.switches.blockWritesOutside],
    ['denyInsteadOfPrompting', before.switches.denyInsteadOfPrompting, after.switches.denyInsteadOfPrompting],
    ['classifyAllShell', before.switches.classifyAllShell, after.switches.classifyAllShell],
  ];
  for (const [name, old, now] of flags)
    if (old !== now) changes.push({ name, before: old ? 'on' : 'off', after: now ? 'on' : 'off', looser: old });
  for (const folder of after.additional)
    if (!before.additional.includes(folder))
      changes.push({ name: 'additionalDirectories', before: '', after: folder, looser: true });
  for (const folder of before.additional)
    if (!after.additional.includes(folder))
      changes.push({ name: 'additionalDirectories', before: folder, after: '', looser: false });
  return changes;
}

/**
 * Compares two policies. Calls are judged in the mode that each policy starts in. The second shell parser must be loaded.
 */
export function diffPolicies(options: {
  readonly before: Sources;
  readonly after: Sources;
  readonly host: JudgeHost;
  readonly tools: readonly AnyTool[];
  /** Left out: all. */
  readonly probes?: readonly Probe[];
}): PolicyDiff {
  const { before, after, host, tools } = options;
  const probes = options.probes ?? allProbes();
  const verdict = (probe: Probe, sources: Sources) => {
    const cwd = sources.folder;
    const place = { sessionId: 'diff', callId: '', folder: cwd, cwd, home: host.home };
    const request = requestFor(probe, tools, place);
    if (!request.ok) throw new Error(`The probe “${probe.line}”: ${request.error}`);
    const mode = sources.defaultMode ?? 'default';
    return judge({ sources, request: request.value, cwd, mode, host }).decision;
  };
  const flips = probes.flatMap((probe): Flip[] => {
    const old = verdict(probe, before);
    const now = verdict(probe, after);
    if (old.behavior === now.behavior) return [];
    const looser = strictness[now.behavior] < strictness[old.behavior];
    const { danger, line } = probe;
    return [{ danger, line, before: old.behavior, after: now.behavior, because: describeReason(now.reason), looser }];
  });
  flips.sort(
    (one, other) => Number(other.looser) - Number(one.looser) || strictness[one.after] - strictness[other.after],
  );
  const settings = settingChanges(before, after);
  return {
    rules: ruleChanges(before, after),
    settings,
    flips,
    probes: probes.length,
    looser: flips.some((flip) => flip.looser) || settings.some((setting) => setting.looser),
  };
}

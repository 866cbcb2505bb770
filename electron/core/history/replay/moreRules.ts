// A policy with rules beside its own, for asking what they would do.
import { dirname } from 'node:path';
import type { RuleRef } from '#shared/permissions/decision';
import type { SavableSource } from '#shared/permissions/sources';
import type { Sources } from '../../permissions/combineSources';
import type { SourcedRule } from '../../permissions/ruleSet';

/** Rules as they would stand at the end of their list in a source. */
export function rulesIn(
  sources: Sources,
  more: {
    readonly rules: readonly string[];
    readonly behavior: RuleRef['behavior'];
    readonly source: SavableSource;
  },
): readonly SourcedRule[] {
  const { rules, behavior, source } = more;
  const file = source === 'session' ? undefined : sources.files.find((one) => one.source === source)?.path;
  const sourceFolder = source === 'userSettings' && file !== undefined ? dirname(file) : null;
  return rules.map((text) => ({
    ref: { text, behavior, source, ...(file === undefined ? {} : { file }) },
    sourceFolder,
  }));
}

/** The sources with rules added. A policy that lets only its own rules count takes none. */
export function withRules(sources: Sources, more: Parameters<typeof rulesIn>[1]): Sources {
  if (sources.managedOnly) return sources;
  return { ...sources, rules: [...sources.rules, ...rulesIn(sources, more)] };
}

// Switches of the settings files that narrow a decision further. Pure; they never make anything more allowed.
import type { Decision, DecisionReason } from '#shared/permissions/decision';
import type { SettingsSwitches } from '#shared/settings/schema';
import type { CallFacts, FileFact } from './callFacts';

/** A switch counts as soon as one source sets it: a repository cannot take back what its owner asked for. */
export function unitedSwitches(all: readonly SettingsSwitches[]): SettingsSwitches {
  return {
    blockReadsOutside: all.some((one) => one.blockReadsOutside),
    blockWritesOutside: all.some((one) => one.blockWritesOutside),
    denyInsteadOfPrompting: all.some((one) => one.denyInsteadOfPrompting),
    classifyAllShell: all.some((one) => one.classifyAllShell),
  };
}

function outside(facts: CallFacts, access: FileFact['access']): FileFact | undefined {
  return facts.isMcp
    ? undefined
    : facts.files.find((file) => !file.inside && !file.ownResult && file.access === access);
}

function because(file: FileFact, key: string): string {
  const verb = file.access === 'read' ? 'read' : 'changed';
  return `${file.given} lies outside the working folders, where nothing may be ${verb} (${key})`;
}

/**
 * The decision after the switches. Tools are refused outside the working folders in every mode; a shell command that
 * reads there asks whatever rules and mode say. What would ask is denied where nobody shall be asked.
 */
export function applySwitches(decision: Decision, facts: CallFacts, switches: SettingsSwitches): Decision {
  const narrowed = blockOutside(decision, facts, switches);
  if (narrowed.behavior !== 'ask' || !switches.denyInsteadOfPrompting) return narrowed;
  const detail = 'the setting denyInsteadOfPrompting: what would ask is denied';
  return { ...narrowed, behavior: 'deny', reason: { type: 'nobodyToAsk', detail } };
}

function blockOutside(decision: Decision, facts: CallFacts, switches: SettingsSwitches): Decision {
  if (decision.behavior === 'deny') return decision;
  const read = switches.blockReadsOutside ? outside(facts, 'read') : undefined;
  const written = switches.blockWritesOutside ? outside(facts, 'write') : undefined;
  const reason = (file: FileFact, key: string): DecisionReason => ({ type: 'tool', detail: because(file, key) });
  if (facts.shellText !== null) {
    if (read === undefined || decision.behavior === 'ask') return decision;
    return { ...decision, behavior: 'ask', reason: reason(read, 'blockReadsOutsideWorkingDirectories') };
  }
  if (read !== undefined)
    return { ...decision, behavior: 'deny', reason: reason(read, 'blockReadsOutsideWorkingDirectories') };
  if (written !== undefined)
    return { ...decision, behavior: 'deny', reason: reason(written, 'blockWritesOutsideWorkingDirectories') };
  return decision;
}

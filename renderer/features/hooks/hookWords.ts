// Hooks in words, found by words, and put together with their runs.
import type { HookEntry, HookFinding, HookSource, HooksView, PastRun } from '#shared/api/hooks';
import { type RuleSource, ruleSources } from '#shared/permissions/sources';
import type { HookHandlerType, HookRun } from '#shared/session/hookRun';

export const typeWords: Readonly<Record<HookHandlerType, string>> = {
  command: 'command',
  http: 'web address',
  prompt: 'prompt for a model',
  agent: 'agent',
  mcp_tool: 'MCP tool',
};

export const stateWords: Readonly<Record<HookEntry['state'], string>> = {
  active: 'active',
  waits: 'waits for trust',
  off: 'off',
  broken: 'broken',
  elsewhere: 'twice',
};

export const sourceWords: Readonly<Record<HookSource, string>> = {
  localSettings: 'Only me, in this folder',
  projectSettings: 'Everybody in this folder (shared file)',
  userSettings: 'Me, in all folders',
};

/** The origin as a badge shows it. */
export function originOf(source: RuleSource): string {
  const { label } = ruleSources[source];
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** The gravest finding; null: there is none that needs attention at a glance. */
export function gravest(findings: readonly HookFinding[]): HookFinding | null {
  return (
    findings.find(({ level }) => level === 'error') ??
    findings.find(({ level }) => level === 'warning') ??
    findings.find(({ level }) => level === 'hint') ??
    null
  );
}

/** Hooks that have every word of the search somewhere. */
export function filterHooks(hooks: readonly HookEntry[], search: string): readonly HookEntry[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return hooks.filter((hook) => {
    const text = [
      hook.at.event,
      hook.matcher,
      hook.label,
      hook.at.file ?? '',
      originOf(hook.at.source),
      stateWords[hook.state],
      ...hook.findings.map((finding) => finding.text),
    ]
      .join(' ')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export interface EventGroup {
  readonly event: string;
  readonly known: boolean;
  readonly hooks: readonly HookEntry[];
}

/** Hooks by event, in the order in which events are listed; names that are none come last. */
export function groupHooks(hooks: readonly HookEntry[], events: HooksView['events']): readonly EventGroup[] {
  const known = events.map(({ name }): string => name);
  const others = [...new Set(hooks.map(({ at }) => at.event))].filter((event) => !known.includes(event));
  return [...known, ...others]
    .map((event) => ({ event, known: known.includes(event), hooks: hooks.filter(({ at }) => at.event === event) }))
    .filter((group) => group.hooks.length > 0);
}

/** Runs of one hook: same event, matcher, file and what runs. */
export function runsOf(hook: HookEntry, runs: readonly PastRun[]): readonly PastRun[] {
  return runs.filter(
    ({ run }) =>
      run.event === hook.at.event &&
      run.matcher === hook.matcher &&
      run.source === hook.at.source &&
      (run.file ?? null) === hook.at.file &&
      run.label === hook.label,
  );
}

export function hasFailed({ outcome }: HookRun): boolean {
  return outcome === 'error' || outcome === 'timeout';
}

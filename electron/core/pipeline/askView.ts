// Puts together what a person sees when asked.
import { basename, resolve } from 'node:path';
import type { PermissionMode } from '#shared/permissions/modes';
import type { PermissionAsk, SandboxState } from '#shared/session/ask';
import type { View } from '#shared/tools/presentation';
import { newId } from '../ids';
import type { Evaluation } from '../permissions/engine';
import type { AnyTool, CallPlace } from '../tools/tool';

/** The ask for one call. `evaluation` must be an `ask`. */
export function permissionAsk(options: {
  readonly tool: AnyTool;
  readonly input: unknown;
  /** As the model sent it. */
  readonly rawInput: PermissionAsk['input'];
  readonly place: CallPlace;
  readonly mode: PermissionMode;
  /** Whether the session may go over to a mode. */
  readonly isAvailable: (mode: PermissionMode) => boolean;
  readonly view: View | undefined;
  readonly evaluation: Evaluation;
  /** The classifier's word; empty when it took no part. */
  readonly classifier: string;
  readonly sandbox: SandboxState;
  /** The sub-agent that asks; null: the session itself. */
  readonly agent: string | null;
}): PermissionAsk {
  const { tool, input, place, evaluation } = options;
  const approval = tool.approval?.();
  const modes = approval?.modes.filter(options.isAvailable);
  return {
    kind: 'permission',
    askId: newId('a'),
    title: approval?.title ?? title(tool.userFacingName(input), evaluation),
    toolName: tool.name,
    input: options.rawInput,
    view: options.view ?? tool.renderUse(input, place),
    cwd: place.cwd,
    mode: options.mode,
    ...(modes === undefined ? {} : { modes }),
    reason: evaluation.decision.reason,
    parts: [...evaluation.decision.parts],
    // Absolute, so that a real path beside a given one always means a link.
    paths: evaluation.paths.map(({ given, real, access }) => ({ given: resolve(place.cwd, given), real, access })),
    hosts: [...evaluation.hosts],
    ...(evaluation.warning === undefined ? {} : { warning: evaluation.warning }),
    ...(options.classifier === '' ? {} : { classifier: options.classifier }),
    sandbox: options.sandbox,
    agent: options.agent,
    ...(evaluation.decision.why === undefined ? {} : { why: evaluation.decision.why }),
    suggestions: [...evaluation.suggestions],
    ...(evaluation.noSuggestions === undefined ? {} : { noSuggestions: evaluation.noSuggestions }),
  };
}

function title(name: string, evaluation: Evaluation): string {
  const { parts } = evaluation.decision;
  const commands = parts.filter((part) => part.kind === 'command').length;
  if (commands > 1) return `${name} wants to run ${commands} commands`;
  if (commands === 1) return `${name} wants to run a command`;
  const written = evaluation.paths.find((path) => path.access === 'write');
  if (written !== undefined) return `${name} wants to change ${basename(written.given)}`;
  const read = evaluation.paths.find((path) => path.access === 'read');
  if (read !== undefined) return `${name} wants to read ${basename(read.given)}`;
  const host = evaluation.hosts[0];
  return host === undefined ? `${name} wants to run` : `${name} wants to reach ${host}`;
}

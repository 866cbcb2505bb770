// What would become of a call, step by step, without running anything.

import type { Trial, TriedCall, TriedStep } from '#shared/api/rules';
import { describeReason } from '#shared/permissions/decision';
import type { PermissionMode } from '#shared/permissions/modes';
import type { HookEventName } from '#shared/session/hookRun';
import { fail, ok, type Result } from '#shared/util/result';
import { labelOf } from '../../hooks/handler';
import { readHookTable } from '../../hooks/hookSettings';
import type { Sources } from '../../permissions/combineSources';
import type { PermissionRequest } from '../../permissions/engine';
import { requestOfName, requestOfTool } from '../../permissions/requestOf';
import type { SettingsInForce } from '../../permissions/settingsInForce';
import { FileStates } from '../../tools/fileStates';
import { formatInputError } from '../../tools/inputError';
import { createRegistry } from '../../tools/registry';
import type { AnyTool, CallPlace } from '../../tools/tool';
import { readCallLine } from './callLine';
import { type JudgeHost, judge } from './judge';

export interface TryOptions {
  readonly call: TriedCall;
  readonly sources: Sources;
  readonly cwd: string;
  readonly mode: PermissionMode;
  readonly host: JudgeHost;
  /** All tools there are, those of connected MCP servers too. */
  readonly tools: readonly AnyTool[];
  /** The settings files that hooks are read from. */
  readonly files: readonly SettingsInForce[];
}

type Step = TriedStep['step'];

const order: readonly Step[] = ['lookup', 'input', 'validation', 'preHook', 'permission', 'execution', 'postHook'];

function rest(steps: readonly TriedStep[]): TriedStep[] {
  return [...steps, ...order.slice(steps.length).map((step): TriedStep => ({ step, state: 'notReached', detail: '' }))];
}

/** Thrown by what would look at the disk through the executor. */
class NeedsLook extends Error {}

function needsLook(): never {
  throw new NeedsLook('This is looked at only when the call is made.');
}

/** Tools whose check asks what the model has read so far. */
const asksWhatWasRead: ReadonlySet<string> = new Set(['Edit', 'MultiEdit', 'NotebookEdit', 'Write']);

async function validationStep(tool: AnyTool, input: unknown, place: CallPlace): Promise<TriedStep> {
  const step = 'validation';
  const open: TriedStep = {
    step,
    state: 'open',
    detail: 'The tool looks at the files when the call is made: whether they are there, were read, and did not change.',
  };
  if (asksWhatWasRead.has(tool.name)) return open;
  try {
    const inspect = { stat: needsLook, preview: needsLook };
    const said = await tool.validateInput(input, { ...place, fileStates: new FileStates(), inspect });
    if (said.verdict === 'reject') return { step, state: 'stops', detail: said.message };
    return said.verdict === 'ask'
      ? { step, state: 'asks', detail: said.message }
      : { step, state: 'passes', detail: 'The tool has nothing against it.' };
  } catch (error) {
    if (error instanceof NeedsLook) return open;
    throw error;
  }
}

function hookStep(
  step: 'preHook' | 'postHook',
  options: { readonly event: HookEventName; readonly tool: string; readonly files: readonly SettingsInForce[] },
): TriedStep {
  const { event, tool, files } = options;
  const { listeners } = readHookTable({ files, command: null });
  const named = (listeners.get(event) ?? [])
    .filter(({ matches }) => matches === null || matches(tool))
    .map(({ handler }) => labelOf(handler.action));
  if (named.length === 0) return { step, state: 'passes', detail: `No ${event} hook listens to ${tool}.` };
  const effect =
    step === 'preHook' ? 'It may stop, change or allow the call' : 'It may tell the model something about the result';
  const shown = named.slice(0, 3).join('; ');
  const more = named.length > 3 ? ` and ${named.length - 3} more` : '';
  return { step, state: 'open', detail: `Would run, and was not run now: ${shown}${more}. ${effect}.` };
}

interface Looked {
  readonly steps: readonly TriedStep[];
  readonly request: PermissionRequest | null;
  readonly tool: string;
}

/** Steps 1 to 3. */
async function look(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  options: { readonly tools: readonly AnyTool[]; readonly place: CallPlace; readonly filledIn: readonly string[] },
): Promise<Looked> {
  const { tools, place, filledIn } = options;
  const found = createRegistry({
    tools: tools.filter((one) => !one.isMcp),
    mcpTools: tools.filter((one) => one.isMcp),
  }).find(tool);
  if (!found.found && (tool.startsWith('mcp__') || found.closeMatches.length === 0) && isCallable(tool)) {
    const what = tool.startsWith('mcp__')
      ? 'No connected server has this tool now, so its input cannot be checked.'
      : 'This tool is not there now, so its input cannot be checked.';
    const steps: TriedStep[] = [
      { step: 'lookup', state: 'open', detail: what },
      { step: 'input', state: 'open', detail: 'Not checked.' },
      { step: 'validation', state: 'open', detail: 'Not checked.' },
    ];
    return { steps, request: requestOfName(tool, input, place), tool };
  }
  if (!found.found) return { steps: [{ step: 'lookup', state: 'stops', detail: found.message }], request: null, tool };
  const lookup: TriedStep = {
    step: 'lookup',
    state: 'passes',
    detail: found.via === 'alias' ? `${tool} is an old name of ${found.tool.name}.` : `${found.tool.name} is there.`,
  };
  const parsed = found.tool.inputSchema().safeParse(input);
  const { name } = found.tool;
  if (!parsed.success) {
    const stop: TriedStep = { step: 'input', state: 'stops', detail: formatInputError(parsed.error, input) };
    return { steps: [lookup, stop], request: null, tool: name };
  }
  const filled = filledIn.length === 0 ? '' : ` Filled in for trying: ${filledIn.join(', ')}.`;
  const valid: TriedStep = { step: 'input', state: 'passes', detail: `It fits the tool’s schema.${filled}` };
  const validation = await validationStep(found.tool, parsed.data, place);
  const steps = [lookup, valid, validation];
  if (validation.state === 'stops') return { steps, request: null, tool: name };
  return { steps, request: requestOfTool(found.tool, parsed.data, place), tool: name };
}

/** Names that a tool may have which is not there now. */
function isCallable(tool: string): boolean {
  return /^[A-Za-z][\w-]{0,199}$/.test(tool);
}

/** The call that was typed or picked; an error when the line is none. */
export function readTried(
  call: TriedCall,
  tools: readonly AnyTool[],
): Result<{
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly filledIn: readonly string[];
}> {
  if (call.kind === 'input') return ok({ tool: call.tool, input: call.input, filledIn: [] });
  const read = readCallLine(
    call.line,
    tools.flatMap((tool) => [tool.name, ...tool.aliases]),
  );
  return read.ok ? read : fail(read.error);
}

/** Tries a call out. An error is for people: the line is no call. The second shell parser must be loaded. */
export async function tryCall(options: TryOptions): Promise<Result<Trial>> {
  const { sources, cwd, host, tools, files } = options;
  const read = readTried(options.call, tools);
  if (!read.ok) return read;
  const { tool, input, filledIn } = read.value;
  const place: CallPlace = { sessionId: 'try', callId: '', folder: sources.folder, cwd, home: host.home };
  const looked = await look(tool, input, { tools, place, filledIn });
  const common = { tool: looked.tool, input: { ...input }, cwd };
  if (looked.request === null)
    return ok({ ...common, mode: options.mode, steps: rest(looked.steps), decision: null, warning: '' });
  const { decision, warning, mode } = judge({ sources, request: looked.request, cwd, mode: options.mode, host });
  const { behavior } = decision;
  const permission: TriedStep = {
    step: 'permission',
    state: { allow: 'passes' as const, ask: 'asks' as const, deny: 'stops' as const }[behavior],
    // What lies behind it comes beside it.
    detail: `${behavior}: ${describeReason(decision.reason)}`,
  };
  const pre = hookStep('preHook', { event: 'PreToolUse', tool: looked.tool, files });
  const before = [...looked.steps, pre, permission];
  if (behavior === 'deny') return ok({ ...common, mode, steps: rest(before), decision, warning });
  const execution: TriedStep =
    behavior === 'allow'
      ? { step: 'execution', state: 'passes', detail: 'It would run. Nothing was run now.' }
      : { step: 'execution', state: 'open', detail: 'It would run if you allow it.' };
  const post = hookStep('postHook', { event: 'PostToolUse', tool: looked.tool, files });
  return ok({ ...common, mode, steps: rest([...before, execution, post]), decision, warning });
}

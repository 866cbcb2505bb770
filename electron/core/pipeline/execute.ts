// Step 6: runs the tool with what its grant buys, then maps and bounds the result.
import type { ResultBlock } from '#shared/session/events';
import type { FailureKind } from '#shared/session/toolCall';
import type { View } from '#shared/tools/presentation';
import { newId } from '../ids';
import type { Grant } from '../permissions/grant';
import { boundContent } from '../results/bound';
import { errorClass } from '../results/errorClass';
import type { ProcessedResult } from '../results/resultStore';
import {
  type AnyTool,
  type CallContext,
  type CallPlace,
  type QuestionAnswers,
  ToolFailure,
  type ToolPool,
} from '../tools/tool';
import { Abandoned, untilAborted } from './abortable';
import { changeContext } from './changeContext';
import { unexpectedFailure } from './failureKind';
import type { PipelineServices } from './services';
import { type CallEnd, interrupted, type Recorded } from './step';
import { traced } from './traced';

export interface ExecuteOptions {
  readonly services: PipelineServices;
  readonly tool: AnyTool;
  readonly input: unknown;
  readonly place: CallPlace;
  readonly grant: Grant;
  readonly signal: AbortSignal;
}

/** What a call came to: its end, and for hooks what the tool gave. */
export interface Executed extends Recorded {
  readonly outcome: 'passed' | 'stopped';
  readonly end: CallEnd;
  /** The tool's output; left out where it failed or was stopped before it had any. */
  readonly given?: { readonly output: unknown };
  /** Of the call alone, without a person's time. */
  readonly durationMs: number;
}

/** How long a tool may still take to end after a stop, beyond the executor's own grace; what comes later is dropped. */
const toolGraceMs = 10_000;
/** How long a result may still take to be kept after a stop. */
const keepGraceMs = 3_000;

/** The step never throws for what a tool does; it always brings the end of the call. */
export async function execute(options: ExecuteOptions): Promise<Executed> {
  const { services, tool, place, signal } = options;
  services.sessions.append(place.sessionId, { type: 'call.started', callId: place.callId });
  // A tool that must not be broken off does not hear of the abort; its result counts as usual.
  const heard = tool.interruptBehavior() === 'block' ? new AbortController().signal : signal;
  const context = new RunningContext(options, heard);
  const startedAt = services.now();
  const called = await run(options, context, heard);
  const { waitedMs } = context;
  context.close();
  const durationMs = Math.max(0, services.now() - startedAt - waitedMs);
  const end = await endOf(options, called, heard);
  return {
    outcome: end.status === 'succeeded' ? 'passed' : 'stopped',
    note: end.note,
    end,
    ...('output' in called ? { given: { output: called.output } } : {}),
    durationMs,
    waitedMs,
    output: traced({
      durationMs: Math.round(durationMs),
      characters: end.content.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0),
      images: end.content.filter((block) => block.type === 'image').length || undefined,
      persisted: end.persisted,
      errorClass: 'error' in called ? errorClass(called.error) : undefined,
    }),
  };
}

type Called = { readonly output: unknown } | { readonly error: unknown };

async function run({ tool, input }: ExecuteOptions, context: RunningContext, heard: AbortSignal): Promise<Called> {
  try {
    // Called at once: a stop that comes from here on is one that the tool can hear.
    return { output: await untilAborted(tool.call(input, context.made()), { signal: heard, graceMs: toolGraceMs }) };
  } catch (error) {
    return { error };
  }
}

async function endOf(options: ExecuteOptions, called: Called, heard: AbortSignal): Promise<CallEnd> {
  if ('error' in called)
    return heard.aborted ? await interruptedBy(options, called.error) : await failure(options, called.error);
  modifyContext(options, called.output);
  const end = await succeeded(options, called.output);
  if (!heard.aborted) return end;
  // What a call gave before it was stopped stays visible, to the person and to the model.
  const stopped = interrupted(true);
  return { ...end, status: 'interrupted', content: [...stopped.content, ...end.content], note: stopped.note };
}

/** What the call changes for the calls after it. A tool that cannot say it changes nothing. */
function modifyContext({ services, tool, input, place }: ExecuteOptions, output: unknown): void {
  try {
    const change = tool.contextModifier?.(output, input);
    if (change) changeContext(services, place, change);
  } catch (error) {
    services.log.error('a tool could not say what it changes', error);
  }
}

async function interruptedBy(options: ExecuteOptions, error: unknown): Promise<CallEnd> {
  const end = interrupted(true);
  if (error instanceof Abandoned) {
    const text =
      'Interrupted by the person while this ran, and it did not stop in time: it may still be at work. Check before repeating it.';
    return { ...end, content: [{ type: 'text', text }], note: 'interrupted, did not stop in time' };
  }
  if (!(error instanceof ToolFailure) || error.kind !== 'aborted') return end;
  const { view, note } = error;
  return { ...end, ...(await said(options, error)), view: view ?? null, note: note ?? end.note };
}

async function succeeded(options: ExecuteOptions, output: unknown): Promise<CallEnd> {
  const { services, tool, input } = options;
  let shown: ProcessedResult;
  try {
    const written = tool.writtenOutput(output);
    shown = await process(options, tool.mapResult(output, input), written);
  } catch (error) {
    services.log.error('a result could not be put into words', error);
    const text = `The tool ran, but its result could not be put into words because of a fault in Gatehouse (${errorClass(error)}). What it does has been done; check before repeating it.`;
    return { ...failedAs('internal', [{ type: 'text', text }]), note: errorClass(error) };
  }
  return { status: 'succeeded', ...shown, ...rendered(options, output) };
}

/** A card that cannot be drawn costs nothing but the card. */
export function rendered(
  { services, tool, input, place }: Pick<ExecuteOptions, 'services' | 'tool' | 'input' | 'place'>,
  output: unknown,
): { readonly view: View | null; readonly note: string } {
  try {
    return tool.renderResult(output, input, place);
  } catch (error) {
    services.log.error('a result could not be drawn', error);
    return { view: null, note: 'done' };
  }
}

async function failure(options: ExecuteOptions, error: unknown): Promise<CallEnd> {
  const { services } = options;
  if (error instanceof ToolFailure) {
    const end = { ...failedAs(error.kind, []), ...(await said(options, error)) };
    const view = error.view ?? { kind: 'text' as const, text: error.message };
    return { ...end, view, note: error.note ?? firstLine(error.message) };
  }
  services.log.error('a tool failed unexpectedly', error);
  const { kind, text } = unexpectedFailure(error);
  return { ...failedAs(kind, [{ type: 'text', text }]), view: { kind: 'text', text }, note: errorClass(error) };
}

function failedAs(failureKind: FailureKind, content: readonly ResultBlock[]): CallEnd {
  return { status: 'failed', failure: failureKind, content, view: null, note: '' };
}

/** What a failure says, bounded as a result is. Its images follow; the model gets them beside the error. */
async function said(options: ExecuteOptions, { message, images }: ToolFailure): Promise<ProcessedResult> {
  return await process(options, [{ type: 'text', text: message }, ...images], null);
}

/** A result within its bounds. Where it cannot be kept, head and tail stay. */
export async function process(
  { services, tool, place, signal }: Pick<ExecuteOptions, 'services' | 'tool' | 'place' | 'signal'>,
  content: readonly ResultBlock[],
  written: { readonly file: string; readonly bytes: number } | null,
): Promise<ProcessedResult> {
  const { sessionId, callId, toolUseId = callId } = place;
  const maxChars = tool.maxResultSizeChars;
  const kept = async () =>
    await services.results.process({
      sessionId,
      toolUseId,
      content,
      maxChars,
      ...(written === null ? {} : { written }),
    });
  try {
    return await untilAborted(kept(), { signal, graceMs: keepGraceMs });
  } catch (error) {
    services.log.error('a result could not be kept', error);
    return { content: boundContent(content, Math.min(maxChars, unkeptChars)) };
  }
}

/** Most of a result that goes to the model where it could not be kept. */
const unkeptChars = 20_000;

/** What a call may use while it runs; afterwards it changes nothing any more. */
class RunningContext {
  /** Time that a person took to answer the call's own questions, in milliseconds. */
  waitedMs = 0;
  private open = true;

  constructor(
    private readonly options: ExecuteOptions,
    private readonly signal: AbortSignal,
  ) {}

  close(): void {
    this.open = false;
  }

  made(): CallContext {
    const { services, place, grant } = this.options;
    const { sessionId, callId } = place;
    const { signal } = this;
    const executorUntil = (end: AbortSignal) =>
      services.executorFor(grant, { sessionId, signal: end, policy: services.sandboxPolicy(sessionId) });
    return {
      ...place,
      signal,
      fileStates: services.fileStates(sessionId),
      inspect: services.inspector(),
      executor: executorUntil(signal),
      afterStop: (ms) => executorUntil(AbortSignal.timeout(ms)),
      askPerson: (questions) => this.askPerson(questions),
      setTodos: (todos) => {
        if (this.open) services.sessions.append(sessionId, { type: 'todos.changed', todos: [...todos] });
      },
      setCwd: (cwd) => {
        if (this.open) changeContext(services, place, { cwd });
      },
      tasks: services.tasks(sessionId, callId),
      // Few tools ask for it, and putting it together is not nothing.
      get pool() {
        return poolOf(services, sessionId);
      },
      outputFile: () => services.results.outputFile(sessionId, place.toolUseId ?? callId),
      onProgress: () => undefined,
    };
  }

  private async askPerson(questions: Parameters<CallContext['askPerson']>[0]): Promise<QuestionAnswers> {
    const { services, place } = this.options;
    const { sessionId, callId } = place;
    const ask = { kind: 'question' as const, askId: newId('a'), questions: [...questions] };
    const askedAt = services.now();
    const answers = await services.asks.questions({ sessionId, callId, ask, signal: this.signal });
    this.waitedMs += services.now() - askedAt;
    if (answers === 'aborted') throw new ToolFailure('aborted', 'Interrupted before the person answered.');
    return answers;
  }
}

/** The caller's tools as they are now. */
function poolOf(services: PipelineServices, sessionId: string): ToolPool {
  const registry = services.registry(sessionId);
  const { isDeferrable } = registry.loading(services.sessions.conversation(sessionId).found());
  return { tools: registry.tools, isDeferrable };
}

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}

// Step 6: runs the tool with what its grant buys, then maps and bounds the result.
import type { ResultBlock } from '#shared/session/events';
import { newId } from '../ids';
import type { Grant } from '../permissions/grant';
import { boundContent } from '../results/bound';
import { errorClass } from '../results/errorClass';
import { type AnyTool, type CallContext, type CallPlace, type QuestionAnswers, ToolFailure } from '../tools/tool';
import type { PipelineServices } from './services';
import { type CallEnd, failed, interrupted, type StepEnd } from './step';

export interface ExecuteOptions {
  readonly services: PipelineServices;
  readonly tool: AnyTool;
  readonly input: unknown;
  readonly place: CallPlace;
  readonly grant: Grant;
  readonly signal: AbortSignal;
  /** Goes beside the result, for example that the name is an old one. */
  readonly notice: string | null;
}

/** The step never throws for what a tool does; it always brings the end of the call. */
export async function execute(options: ExecuteOptions): Promise<StepEnd<CallEnd>> {
  const { services, tool, place, signal } = options;
  services.sessions.append(place.sessionId, { type: 'call.started', callId: place.callId });
  // A tool that must not be broken off does not hear of the abort; its result counts as usual.
  const blocks = tool.interruptBehavior() === 'block';
  const heard = blocks ? new AbortController().signal : signal;
  try {
    const output = await tool.call(options.input, contextOf(options, heard));
    return heard.aborted ? brokenOff(options, output) : passed(succeeded(options, output));
  } catch (error) {
    if (heard.aborted) return stopped(interruptedBy(error));
    return stopped(failure(error, services), errorClass(error));
  }
}

function passed(end: CallEnd): StepEnd<CallEnd> {
  return { outcome: 'passed', note: end.note, value: end };
}

function stopped(end: CallEnd, name?: string): StepEnd<CallEnd> {
  return { outcome: 'stopped', note: end.note, end, ...(name === undefined ? {} : { output: { errorClass: name } }) };
}

/** What a call gave before it was stopped stays visible, to the person and to the model. */
function brokenOff(options: ExecuteOptions, output: unknown): StepEnd<CallEnd> {
  const end = interrupted(true);
  const { content, view } = succeeded(options, output);
  return stopped({ ...end, content: [...end.content, ...content], view });
}

function interruptedBy(error: unknown): CallEnd {
  const end = interrupted(true);
  if (!(error instanceof ToolFailure) || error.kind !== 'aborted') return end;
  const { message, view, note } = error;
  return { ...end, content: [{ type: 'text', text: message }], view: view ?? null, note: note ?? end.note };
}

function succeeded(options: ExecuteOptions, output: unknown): CallEnd {
  const { tool, input, place, notice } = options;
  const content: ResultBlock[] = [...boundContent(tool.mapResult(output, input), tool.maxResultSizeChars)];
  if (notice !== null) content.push({ type: 'text', text: notice });
  const { view, note } = tool.renderResult(output, input, place);
  return { status: 'succeeded', content, view, note };
}

function failure(error: unknown, services: PipelineServices): CallEnd {
  if (error instanceof ToolFailure) {
    const note = error.note ?? firstLine(error.message);
    return failed({ failure: error.kind, text: error.message, note, view: error.view });
  }
  services.log.error('a tool failed unexpectedly', error);
  const text = `The tool failed because of a fault in Gatehouse (${errorClass(error)}). The log has details. Try another way.`;
  return failed({ failure: 'internal', text, note: errorClass(error) });
}

function contextOf(options: ExecuteOptions, signal: AbortSignal): CallContext {
  const { services, place, grant } = options;
  const { sessionId, callId } = place;
  return {
    ...place,
    signal,
    fileStates: services.fileStates(sessionId),
    inspect: services.inspector(),
    executor: services.executorFor(grant, { sessionId, signal, policy: services.sandboxPolicy(sessionId) }),
    async askPerson(questions): Promise<QuestionAnswers> {
      const ask = { kind: 'question' as const, askId: newId('a'), questions: [...questions] };
      const answers = await services.asks.questions({ sessionId, callId, ask, signal });
      if (answers === 'aborted') throw new ToolFailure('aborted', 'Interrupted before the person answered.');
      return answers;
    },
    setTodos(todos) {
      services.sessions.append(sessionId, { type: 'todos.changed', todos: [...todos] });
    },
    setCwd(cwd) {
      services.sessions.append(sessionId, { type: 'cwd.changed', cwd });
    },
    tasks: services.tasks(sessionId, callId),
    outputFile: () => services.results.outputFile(sessionId, place.toolUseId ?? callId),
    onProgress: () => undefined,
  };
}

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}

import { z } from 'zod';
import type { OperationAnswers } from '#shared/api/executor';
import type { ResultBlock } from '#shared/session/events';
import type { FailureKind } from '#shared/session/toolCall';
import type { OutputCapture, OutputOutcome } from '../../executor/output';
import { refusedHostNotices } from '../../executor/refusedHosts';
import { buildTool } from '../buildTool';
import { semanticInteger } from '../semanticInput';
import { type Tool, ToolFailure } from '../tool';
import { counted, duration, grouped, oneLine } from '../wording';
import promptText from './repl.prompt.md';

const defaultTimeoutMs = 120_000;
const maxTimeoutMs = 600_000;
const memoryMiB = 1_024;
/** Characters of printed output that the model gets, of a success and of a failure. */
const maxPrintedChars = 30_000;
const maxFailureChars = 10_000;
/** Sessions of which is known that they ran code. */
const keptSessions = 1_000;

const inputSchema = () =>
  z.strictObject({
    code: z
      .string()
      .max(200_000)
      .refine((code) => code.trim() !== '', 'expected code')
      .describe('The JavaScript.'),
    description: z
      .string()
      .optional()
      .describe('What the code does, in 5 to 10 words, for the person who reads along. "Count rows by country"'),
    timeout: semanticInteger(1)
      .optional()
      .describe(`Milliseconds until the code is stopped; ${defaultTimeoutMs} when left out, at most ${maxTimeoutMs}.`),
  });

export type ReplInput = z.infer<ReturnType<typeof inputSchema>>;

export interface ReplOutput {
  /** What was printed, plain. */
  readonly printed: string;
  /** What the model is told besides: the value, notices. */
  readonly asides: readonly string[];
  /** Printed output with escapes, then the value. */
  readonly terminal: string;
  readonly hiddenChars: number;
  readonly note: string;
  readonly written: OutputOutcome['written'];
}

export interface ReplOptions {
  /** Why there is no JavaScript here; empty when there is. */
  readonly whyNot: () => string;
}

type Evaluated = Extract<OperationAnswers['repl.run'], { kind: 'evaluated' }>;

/** Runs JavaScript in a session that keeps its variables. */
export function createReplTool(options: ReplOptions): Tool<ReplInput, ReplOutput> {
  const ranBefore = new Set<string>();
  const lost = (session: string, fresh: boolean): boolean => {
    const again = ranBefore.delete(session);
    ranBefore.add(session);
    const [oldest] = ranBefore;
    if (ranBefore.size > keptSessions && oldest !== undefined) ranBefore.delete(oldest);
    return again && fresh;
  };

  return buildTool<ReplInput, ReplOutput>({
    name: 'REPL',
    searchHint: 'run JavaScript, Node.js session, compute, parse data, try out code',
    prompt: promptText
      .replaceAll('{defaultTimeout}', grouped(defaultTimeoutMs))
      .replaceAll('{maxTimeout}', grouped(maxTimeoutMs))
      .replaceAll('{memory}', grouped(memoryMiB)),
    icon: 'terminal',
    inputSchema,
    shouldDefer: true,
    isEnabled: () => options.whyNot() === '',
    unavailableReason: () => options.whyNot(),
    isOpenWorld: () => true,
    maxResultSizeChars: maxPrintedChars + 22_000,
    facts: (input, place) => [{ kind: 'code', language: 'javascript', code: input.code, cwd: place.cwd }],
    async call(input, context) {
      const timeoutMs = Math.min(input.timeout ?? defaultTimeoutMs, maxTimeoutMs);
      const { code } = input;
      const running = await context.executor.startCode({
        session: context.sessionId,
        code,
        cwd: context.cwd,
        timeoutMs,
        memoryMiB,
        outputFile: await context.outputFile(),
      });
      const result = await running.ended;
      if (result.kind === 'failure') throw new ToolFailure('tool', result.message, { note: 'not started' });
      return outcomeOf({
        code,
        timeoutMs,
        result,
        capture: running.capture,
        lost: lost(context.sessionId, result.fresh),
      });
    },
    mapResult: blocksOf,
    writtenOutput: (output) => output.written,
    getToolUseSummary: (input) => oneLine(input.description ?? input.code),
    getActivityDescription: (input) => `Running ${oneLine(input.description ?? input.code, 80)}`,
    extractSearchText: (output) => [output.printed, ...output.asides].join('\n'),
    toAutoClassifierInput: (input) => input.code,
    renderUse: (input) => ({ kind: 'text', text: input.code, language: 'javascript' }),
    renderResult: (output, input) => ({ view: viewOf(input.code, output), note: output.note }),
  });
}

/** The output of code that ended well; throws ToolFailure for all others. */
function outcomeOf(ended: {
  readonly code: string;
  readonly timeoutMs: number;
  readonly result: Evaluated;
  readonly capture: OutputCapture;
  /** Variables of earlier calls were gone when it began. */
  readonly lost: boolean;
}): ReplOutput {
  const { code, timeoutMs, result, capture, lost } = ended;
  const { written } = capture.outcome;
  const notices = [...capture.outcome.notices, ...refusedHostNotices(result.refusedHosts)];
  const shown = capture.terminal();
  const size = counted(capture.totalChars, 'character');
  const began = lost
    ? ['The session had started anew before this call: variables of earlier calls were not there any more.']
    : [];
  if (result.outcome === 'value') {
    const value = result.text === null ? [] : [`Value: ${result.text}`];
    const silent = result.text === null && capture.totalChars === 0 ? ['The code ran and printed nothing.'] : [];
    return {
      printed: capture.plain(maxPrintedChars).trimEnd(),
      asides: [...value, ...silent, ...began, ...notices],
      terminal: [shown.text, ...(result.text === null ? [] : [`\u001b[2m=>\u001b[0m ${result.text}`])].join(''),
      hiddenChars: shown.hiddenChars,
      note: `${duration(result.durationMs)} · ${size}`,
      written,
    };
  }
  const said = why(result, timeoutMs);
  const printed = capture.plain(maxFailureChars).trim();
  const text = [
    said.text,
    ...(printed === '' ? [] : [`Printed until then:\n${printed}`]),
    ...(written === null ? [] : [`All that it printed is in ${written.file}.`]),
    ...(result.ended === null ? [] : ['The session starts anew with the next call; its variables are gone.']),
    ...began,
    ...notices,
  ].join('\n\n');
  throw new ToolFailure(said.kind, text, {
    note: `${said.note} · ${size}`,
    view: viewOf(code, { terminal: `${shown.text}${said.shown}`, hiddenChars: shown.hiddenChars }),
  });
}

interface Why {
  readonly kind: FailureKind;
  readonly text: string;
  readonly note: string;
  readonly shown: string;
}

function why({ outcome, text, ended, exitCode, durationMs }: Evaluated, timeoutMs: number): Why {
  if (outcome === 'error')
    return { kind: 'tool', text: text ?? 'An error without words.', note: 'error', shown: text ?? '' };
  switch (ended) {
    case 'timeout':
      return {
        kind: 'timeout',
        text: `The code was stopped at its timeout of ${duration(timeoutMs)}. Let it do less, or set a longer timeout (at most ${grouped(maxTimeoutMs)} ms).`,
        note: `timed out after ${duration(timeoutMs)}`,
        shown: '',
      };
    case 'aborted':
      return {
        kind: 'aborted',
        text: `The code was interrupted after ${duration(durationMs)} and may have done part of its work. Do not run it again by yourself; wait for what the person says.`,
        note: `interrupted after ${duration(durationMs)}`,
        shown: '',
      };
    case 'memory':
      return {
        kind: 'tool',
        text: `The code was stopped because it held more than ${grouped(memoryMiB)} MiB. Work on smaller parts.`,
        note: 'out of memory',
        shown: '',
      };
    case 'full':
      return {
        kind: 'tool',
        text: 'The code was stopped because it printed far too much.',
        note: 'too much output',
        shown: '',
      };
    case 'badAnswer':
      return {
        kind: 'tool',
        text: 'The session was ended because it did not answer as it should; the code may have used its file descriptors.',
        note: 'session lost',
        shown: '',
      };
    default:
      return {
        kind: 'tool',
        text: `The code ended its own process (exit code ${exitCode ?? 'unknown'}). Leave out process.exit.`,
        note: `exit ${exitCode ?? 'unknown'}`,
        shown: '',
      };
  }
}

/** Where a file holds what was printed, the first text gives way to a preview of it; the value stays. */
function blocksOf({ printed, asides, written }: ReplOutput): ResultBlock[] {
  const said = asides.join('\n\n');
  const parts = [printed, said].filter((text) => text !== '');
  const texts = written === null ? [parts.join('\n\n')] : parts;
  return texts.map((text) => ({ type: 'text', text }));
}

function viewOf(code: string, { terminal, hiddenChars }: Pick<ReplOutput, 'terminal' | 'hiddenChars'>) {
  return { kind: 'terminal' as const, command: code, output: terminal, hiddenChars };
}

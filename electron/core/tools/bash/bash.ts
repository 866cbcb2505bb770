import { z } from 'zod';
import type { BackgroundTask } from '#shared/session/backgroundTask';
import { buildTool } from '../buildTool';
import { semanticBoolean, semanticInteger } from '../semanticInput';
import { type CallContext, type RunningCommand, type Tool, ToolFailure } from '../tool';
import { counted, duration, grouped, oneLine } from '../wording';
import { backgroundText, endedWithin, hasRoom, requireRoom } from './background';
import promptText from './bash.prompt.md';
import { isSearchOrRead } from './commandShape';
import { carryCwd, resetCwd } from './finalCwd';
import { type BashLimits, bashLimits } from './limits';
import { type BashOutput, outcomeBlocks, outcomeOf, outcomeView } from './outcome';

const inputSchema = (limits: BashLimits) => () =>
  z.strictObject({
    command: z
      .string()
      .refine((command) => command.trim() !== '', 'expected a command')
      .refine((command) => !command.includes('\0'), 'expected a command without a NUL character')
      .describe('The command line, run by bash.'),
    description: z
      .string()
      .optional()
      .describe('What the command does, in 5 to 10 words, for the person who reads along. "Run the unit tests"'),
    timeout: semanticInteger(1)
      .optional()
      .describe(
        `Milliseconds until the command is stopped or moved to the background; ${limits.defaultTimeoutMs} when left out, at most ${limits.maxTimeoutMs}.`,
      ),
    run_in_background: semanticBoolean()
      .optional()
      .describe(
        'True lets the command go on by itself and answers at once with a task id: for servers, watchers, long builds.',
      ),
    dangerouslyDisableSandbox: semanticBoolean()
      .optional()
      .describe(
        'True asks the person to let this one command run outside of the sandbox. Only after it failed because of the sandbox; say why in the description.',
      ),
  });

export type BashInput = z.infer<ReturnType<ReturnType<typeof inputSchema>>>;

export interface BashOptions {
  /** The static classifier of shell text; unknown must give false. */
  readonly isReadOnlyCommand: (command: string) => boolean;
  /** Whether a command may be moved to the background at its timeout; left out: none may. */
  readonly mayGoOnInBackground?: (command: string) => boolean;
  readonly limits?: BashLimits;
  /** The folders a session works in, its own first; left out: its own alone. */
  readonly workingFolders?: (sessionId: string) => readonly string[];
}

/** Runs commands. */
export function createBashTool(options: BashOptions): Tool<BashInput, BashOutput> {
  const { limits = bashLimits(), mayGoOnInBackground = () => false } = options;
  const isReadOnly = (input: BashInput) =>
    input.run_in_background !== true &&
    input.dangerouslyDisableSandbox !== true &&
    options.isReadOnlyCommand(input.command);

  async function runInBackground(input: BashInput, context: CallContext): Promise<BashOutput> {
    requireRoom(context);
    const { command } = input;
    const outputFile = await context.outputFile();
    const running = await context.executor.start({ command, cwd: context.cwd, timeoutMs: null, outputFile });
    return movedOutput({ task: adopt(input, context, { running, outputFile }), running, movedAfterMs: null });
  }

  async function runToEnd(input: BashInput, context: CallContext): Promise<BashOutput> {
    const { command } = input;
    const timeoutMs = Math.min(input.timeout ?? limits.defaultTimeoutMs, limits.maxTimeoutMs);
    const movable = limits.background && hasRoom(context) && mayGoOnInBackground(command);
    const outputFile = await context.outputFile();
    const limit = movable ? null : timeoutMs;
    const running = await context.executor.start({
      command,
      cwd: context.cwd,
      timeoutMs: limit,
      outputFile,
      keepAboveChars: limits.maxOutputChars,
    });
    const result = movable ? await endedWithin(running.ended, timeoutMs) : await running.ended;
    if (result === null) {
      const task = adopt(input, context, { running, outputFile });
      return movedOutput({ task, running, movedAfterMs: timeoutMs });
    }
    if (result.kind === 'failure' && (result.reason === 'missing' || result.reason === 'notFolder')) {
      throw lostCwd(result.message, context);
    }
    const cwdLine = result.kind === 'failure' ? null : await nextCwd(result.finalCwd, context);
    try {
      const output = outcomeOf({
        command,
        timeoutMs,
        longestMs: limits.maxTimeoutMs,
        longestChars: limits.maxOutputChars,
        result,
        capture: running.capture,
        keepable: outputFile !== null,
      });
      return cwdLine === null ? output : { ...output, asides: [...output.asides, cwdLine] };
    } catch (error) {
      throw withCwdLine(error, cwdLine);
    }
  }

  async function nextCwd(reported: string | null, context: CallContext): Promise<string | null> {
    if (!limits.carriesCwd) return null;
    const folders = [context.folder, ...(options.workingFolders?.(context.sessionId) ?? [])];
    return await carryCwd({ reported, folders, context });
  }

  return buildTool<BashInput, BashOutput>({
    name: 'Bash',
    searchHint: 'run shell commands, programs, builds, tests, git, servers in the background',
    prompt: promptText
      .replaceAll('{defaultTimeout}', grouped(limits.defaultTimeoutMs))
      .replaceAll('{maxTimeout}', grouped(limits.maxTimeoutMs))
      .replaceAll('{maxOutput}', grouped(limits.maxOutputChars)),
    icon: 'terminal',
    inputSchema: inputSchema(limits),
    isConcurrencySafe: isReadOnly,
    isReadOnly,
    canBeReadOnly: () => true,
    isOpenWorld: () => true,
    isSearchOrReadCommand: (input) => isSearchOrRead(input.command),
    // Room for the lines about exit code, folder and sandbox around it.
    maxResultSizeChars: limits.maxOutputChars + 2_000,
    validateInput: (input) =>
      Promise.resolve(
        input.run_in_background === true && !limits.background
          ? {
              verdict: 'reject' as const,
              errorCode: 'backgroundOff',
              message: 'Background tasks are switched off here. Run the command without run_in_background.',
            }
          : { verdict: 'ok' as const },
      ),
    facts: ({ command, dangerouslyDisableSandbox }, { cwd }) => [
      { kind: 'command', command, cwd, ...(dangerouslyDisableSandbox === true ? { outside: true as const } : {}) },
    ],
    call: (input, context) => (input.run_in_background === true ? runInBackground : runToEnd)(input, context),
    mapResult: outcomeBlocks,
    writtenOutput: (output) => output.written,
    getToolUseSummary: (input) => oneLine(input.command),
    getActivityDescription: (input) => `Running ${oneLine(input.command, 80)}`,
    extractSearchText: (output) => output.modelText,
    toAutoClassifierInput: (input) => input.command,
    renderUse: (input) => ({ kind: 'terminal', command: input.command }),
    renderResult: (output, input) => ({
      // A task that has just begun has not "no output".
      view:
        output.goesOn && output.terminal === ''
          ? { kind: 'terminal', command: input.command }
          : outcomeView(input.command, output),
      note: output.note,
    }),
  });
}

function adopt(
  input: BashInput,
  context: CallContext,
  started: { readonly running: RunningCommand; readonly outputFile: string | null },
): BackgroundTask {
  const { command, description = '' } = input;
  try {
    return context.tasks.adopt({ command, description, ...started });
  } catch (error) {
    started.running.stop();
    throw error;
  }
}

function movedOutput(about: {
  readonly task: BackgroundTask;
  readonly running: RunningCommand;
  readonly movedAfterMs: number | null;
}): BashOutput {
  const { task, running, movedAfterMs } = about;
  const shown = running.capture.terminal();
  const after = movedAfterMs === null ? '' : ` after ${duration(movedAfterMs)}`;
  return {
    modelText: backgroundText(about),
    asides: [],
    terminal: shown.text,
    hiddenChars: shown.hiddenChars,
    exitCode: null,
    note:
      movedAfterMs === null
        ? `runs in the background as ${task.taskId}`
        : `moved to the background as ${task.taskId}${after} · ${counted(running.capture.totalChars, 'character')} until then`,
    // The file goes on growing; it is no result that could be kept as it is.
    written: null,
    image: null,
    goesOn: true,
  };
}

/** A folder that was removed must not keep every later command from running. */
function lostCwd(message: string, context: CallContext): ToolFailure {
  if (context.cwd === context.folder) return new ToolFailure('tool', message, { note: 'not started' });
  return new ToolFailure('tool', `${message}\n${resetCwd(context)}. The command was not run.`, { note: 'not started' });
}

function withCwdLine(error: unknown, line: string | null): unknown {
  if (!(error instanceof ToolFailure) || line === null) return error;
  const { view, note } = error;
  return new ToolFailure(error.kind, `${error.message}\n\n${line}`, {
    ...(view === undefined ? {} : { view }),
    ...(note === undefined ? {} : { note }),
  });
}

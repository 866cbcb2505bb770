import { z } from 'zod';
import { buildTool } from '../buildTool';
import { semanticInteger } from '../semanticInput';
import type { Tool } from '../tool';
import { oneLine } from '../wording';
import prompt from './bash.prompt.md';
import { isSearchOrRead } from './commandShape';
import { type BashOutput, maxOutputChars, outcomeOf, outcomeView } from './outcome';

const defaultTimeoutMs = 120_000;
/** Longer wishes are cut to this, not refused. */
const maxTimeoutMs = 600_000;

const inputSchema = () =>
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
        `Milliseconds until the command is stopped; ${defaultTimeoutMs} when left out, at most ${maxTimeoutMs}.`,
      ),
  });

export type BashInput = z.infer<ReturnType<typeof inputSchema>>;

/** Runs commands. `isReadOnlyCommand` is the static classifier of shell text; unknown must give false. */
export function createBashTool(options: {
  readonly isReadOnlyCommand: (command: string) => boolean;
}): Tool<BashInput, BashOutput> {
  const isReadOnly = (input: BashInput) => options.isReadOnlyCommand(input.command);
  return buildTool<BashInput, BashOutput>({
    name: 'Bash',
    searchHint: 'run shell commands, programs, builds, tests, git',
    prompt,
    icon: 'terminal',
    inputSchema,
    isConcurrencySafe: isReadOnly,
    isReadOnly,
    canBeReadOnly: () => true,
    isOpenWorld: () => true,
    isSearchOrReadCommand: (input) => isSearchOrRead(input.command),
    // Room for the cut output and the lines about exit code and sandbox around it.
    maxResultSizeChars: maxOutputChars + 2_000,
    facts: (input, place) => [{ kind: 'command', command: input.command, cwd: place.cwd }],
    async call(input, context) {
      const timeoutMs = Math.min(input.timeout ?? defaultTimeoutMs, maxTimeoutMs);
      const { command } = input;
      const running = await context.executor.start({ command, cwd: context.cwd, timeoutMs, outputFile: null });
      return outcomeOf({ command, timeoutMs, result: await running.ended, capture: running.capture });
    },
    mapResult: (output) => [{ type: 'text', text: output.modelText }],
    getToolUseSummary: (input) => oneLine(input.command),
    getActivityDescription: (input) => `Running ${oneLine(input.command, 80)}`,
    extractSearchText: (output) => output.modelText,
    toAutoClassifierInput: (input) => input.command,
    renderUse: (input) => ({ kind: 'terminal', command: input.command }),
    renderResult: (output, input) => ({ view: outcomeView(input.command, output), note: output.note }),
  });
}

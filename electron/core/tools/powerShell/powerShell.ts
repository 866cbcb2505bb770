import { z } from 'zod';
import { type BashOutput, maxOutputChars, outcomeBlocks, outcomeOf, outcomeView } from '../bash/outcome';
import { buildTool } from '../buildTool';
import { semanticInteger } from '../semanticInput';
import type { Tool } from '../tool';
import { grouped, oneLine } from '../wording';
import promptText from './powerShell.prompt.md';

const defaultTimeoutMs = 120_000;
const maxTimeoutMs = 600_000;
/** What Windows takes for one command line, encoded as it is sent. */
const longestCommandChars = 11_500;

const inputSchema = () =>
  z.strictObject({
    command: z
      .string()
      .max(longestCommandChars)
      .refine((command) => command.trim() !== '', 'expected a command')
      .refine((command) => !command.includes('\0'), 'expected a command without a NUL character')
      .describe('The command line, run by PowerShell.'),
    description: z
      .string()
      .optional()
      .describe('What the command does, in 5 to 10 words, for the person who reads along. "List stopped services"'),
    timeout: semanticInteger(1)
      .optional()
      .describe(
        `Milliseconds until the command is stopped; ${defaultTimeoutMs} when left out, at most ${maxTimeoutMs}.`,
      ),
  });

export type PowerShellInput = z.infer<ReturnType<typeof inputSchema>>;

export interface PowerShellOptions {
  readonly platform: 'linux' | 'darwin' | 'win32' | 'other';
}

/** Runs commands on Windows. */
export function createPowerShellTool(options: PowerShellOptions): Tool<PowerShellInput, BashOutput> {
  const isThere = options.platform === 'win32';
  return buildTool<PowerShellInput, BashOutput>({
    name: 'PowerShell',
    searchHint: 'run PowerShell commands and cmdlets on Windows',
    prompt: promptText
      .replaceAll('{defaultTimeout}', grouped(defaultTimeoutMs))
      .replaceAll('{maxTimeout}', grouped(maxTimeoutMs)),
    icon: 'terminal',
    inputSchema,
    isEnabled: () => isThere,
    unavailableReason: () => (isThere ? '' : 'PowerShell is offered on Windows only; here Bash does its work.'),
    isDestructive: () => true,
    isOpenWorld: () => true,
    maxResultSizeChars: maxOutputChars + 2_000,
    // Binds the grant to this very text; what it does nobody here can tell.
    facts: (input, place) => [{ kind: 'command', command: input.command, cwd: place.cwd }],
    checkPermissions: () => ({
      behavior: 'ask',
      detail: 'No parser here understands PowerShell, so what the command does cannot be told.',
    }),
    async call(input, context) {
      const { command } = input;
      const timeoutMs = Math.min(input.timeout ?? defaultTimeoutMs, maxTimeoutMs);
      const { cwd } = context;
      const outputFile = await context.outputFile();
      const running = await context.executor.start({ command, cwd, timeoutMs, outputFile, shell: 'powershell' });
      const result = await running.ended;
      return outcomeOf({
        command,
        timeoutMs,
        longestMs: maxTimeoutMs,
        result,
        capture: running.capture,
        keepable: outputFile !== null,
      });
    },
    mapResult: outcomeBlocks,
    writtenOutput: (output) => output.written,
    getToolUseSummary: (input) => oneLine(input.command),
    getActivityDescription: (input) => `Running ${oneLine(input.command, 80)}`,
    extractSearchText: (output) => output.modelText,
    toAutoClassifierInput: (input) => input.command,
    renderUse: (input) => ({ kind: 'terminal', command: input.command }),
    renderResult: (output, input) => ({ view: outcomeView(input.command, output), note: output.note }),
  });
}

// The command line of `gatehouse check`.
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { PermissionMode } from '#shared/permissions/modes';
import { fail, ok, type Result } from '#shared/util/result';
import { takeWords } from './takeWords';

export const checkUsage = `gatehouse check --tool NAME --input JSON [options]
  Decides one call with the rules that are in force in a folder, and says why. Nothing is run or changed.

  --tool NAME       the tool: Bash, Read, Edit, WebFetch, mcp__server__tool …
  --input JSON      its input: '{"command":"git push"}'
  --cwd DIR         the working folder; the current one without it
  --mode MODE       ${PermissionMode.options.join(', ')}; what the settings say without it
  --settings X      more settings: a file, or JSON such as '{"permissions":{"deny":["Bash(rm:*)"]}}'
  --trusted         decide as if you trust the folder, as without this option; what you answered in the workspace is
                    not read
  --untrusted       decide as long as the folder is not trusted: what came with it can only restrict
  --json            the answer as one line of JSON

gatehouse check --cases FILE
  Decides each line of FILE in a world of its own and prints {"id","decision","reason","expect","ok"} for it.

Exit code: 0 allow, 1 ask, 2 deny, 3 bad usage; with --cases 0 when all passed, 1 when some failed.`;

export interface CallOptions {
  readonly kind: 'call';
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly cwd: string | null;
  readonly mode: PermissionMode | null;
  readonly settings: string | null;
  readonly trusted: boolean;
  readonly json: boolean;
}

export type CheckOptions = { readonly kind: 'help' } | { readonly kind: 'cases'; readonly file: string } | CallOptions;

const Input = z.record(z.string(), z.unknown());

function readInput(text: string): Result<Readonly<Record<string, unknown>>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return fail(`--input is not JSON: ${cause}. Give an object in single quotes, such as '{"command":"git status"}'.`);
  }
  const input = Input.safeParse(value);
  return input.success && !Array.isArray(value)
    ? ok(input.data)
    : fail('--input must be a JSON object with the fields of the tool, such as \'{"command":"git status"}\'.');
}

function readMode(text: string): PermissionMode | null {
  const mode = PermissionMode.safeParse(text === 'manual' ? 'default' : text);
  return mode.success ? mode.data : null;
}

/** Reads the words behind `check`. An error names the fact, the cause and what to write instead. */
export function readCheckOptions(args: readonly string[]): Result<CheckOptions> {
  const taken = takeWords(parse, args);
  if (!taken.ok) return taken;
  const values = taken.value;
  if (values.help === true) return ok({ kind: 'help' });
  const { tool, input, cases } = values;
  if (cases !== undefined) {
    const other = Object.keys(values).find((name) => name !== 'cases' && name !== 'json');
    if (other !== undefined)
      return fail(`--${other} does not go with --cases: each case of the file says for itself. Leave it out.`);
    return ok({ kind: 'cases', file: cases });
  }
  if (tool === undefined || tool.trim() === '')
    return fail('--tool is missing. Name the tool that is called, such as --tool Bash, or give --cases FILE.');
  if (input === undefined)
    return fail(`--input is missing. Give the input of ${tool} as JSON, such as '{"command":"git status"}'.`);
  if (values.trusted === true && values.untrusted === true)
    return fail('--trusted and --untrusted contradict each other. Give one of them, or none to decide as if trusted.');
  const read = readInput(input);
  if (!read.ok) return read;
  const mode = values.mode === undefined ? null : readMode(values.mode);
  if (values.mode !== undefined && mode === null)
    return fail(`There is no mode “${values.mode}”. Modes: ${PermissionMode.options.join(', ')}.`);
  return ok({
    kind: 'call',
    tool,
    input: read.value,
    cwd: values.cwd ?? null,
    mode,
    settings: values.settings ?? null,
    trusted: values.untrusted !== true,
    json: values.json === true,
  });
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      tool: { type: 'string' },
      input: { type: 'string' },
      cwd: { type: 'string' },
      mode: { type: 'string' },
      settings: { type: 'string' },
      trusted: { type: 'boolean' },
      untrusted: { type: 'boolean' },
      json: { type: 'boolean' },
      cases: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  }).values;
}

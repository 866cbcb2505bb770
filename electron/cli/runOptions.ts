// The command line of `gatehouse run`.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PermissionMode } from '#shared/permissions/modes';
import { fail, ok, type Result } from '#shared/util/result';
import { type Launch, takeLaunch } from '../core/launchOptions';

export const outputForms = ['text', 'json', 'stream-json'] as const;
export type OutputForm = (typeof outputForms)[number];

export const runUsage = `gatehouse run -p "PROMPT" [FOLDER] [options]
  One turn without a page, with the rules that are in force in the folder. Nobody is asked: what would ask is denied.

  -p TEXT                the prompt; without it, or beside it, what is piped in
  FOLDER, --cwd DIR      the working folder; the current one without it
  --model ID             the model; "rehearsal" for the scripted one
  --allowedTools RULES   rules that allow, for this run: "Bash(npm test) Edit(src/**)"
  --disallowedTools RULES
  --permission-mode MODE ${PermissionMode.options.join(', ')}
  --settings FILE|JSON   more settings
  --add-dir DIR          one more working folder
  --allow-bypass         lets a settings file choose bypassPermissions
  --max-turns N          ends after N messages of the model
  --continue             goes on with the last session of the folder
  --resume SESSION       goes on with this one; the start of its name is enough. Where a hook put a call off, that call is
                         decided and run first, and no prompt is needed
  --output FORM          ${outputForms.join(', ')}
  --data DIR             Gatehouse's data folder, where the session is kept

Exit code: 0 done or put off by a hook (stop reason tool_deferred), 1 the turn failed, 3 bad usage, 130 stopped by Ctrl-C.`;

/** Which session the turn belongs to. */
export type SessionChoice =
  | { readonly kind: 'new' }
  | { readonly kind: 'last' }
  | { readonly kind: 'named'; readonly name: string };

export interface RunOptions {
  /** Empty: it is piped in. */
  readonly prompt: string;
  /** Absolute. */
  readonly folder: string;
  readonly model: string | null;
  readonly maxMessages: number | null;
  readonly session: SessionChoice;
  readonly output: OutputForm;
  /** Absolute; null for the usual place. */
  readonly data: string | null;
  readonly launch: Launch;
}

const shortNames: ReadonlyMap<string, string> = new Map([
  ['-c', '--continue'],
  ['-r', '--resume'],
  ['-h', '--help'],
]);

interface Split {
  readonly prompt: string | null;
  readonly rest: readonly string[];
}

/** Takes the prompt out, which may hold anything, before other words are looked at. */
function takePrompt(args: readonly string[]): Result<Split> {
  const rest: string[] = [];
  let prompt: string | null = null;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    const [name = '', ...value] = word.split('=');
    if (name !== '-p' && name !== '--prompt' && name !== '--print') {
      rest.push(shortNames.get(word) ?? word);
      continue;
    }
    if (prompt !== null) return fail('-p is given twice. Put the whole prompt into one.');
    if (value.length > 0) prompt = value.join('=');
    else prompt = at + 1 < args.length && args[at + 1]?.startsWith('--') !== true ? (args[++at] ?? '') : '';
  }
  return ok({ prompt, rest });
}

function readForm(text: string): OutputForm | null {
  return outputForms.find((form) => form === text) ?? null;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      cwd: { type: 'string' },
      model: { type: 'string' },
      'max-turns': { type: 'string' },
      continue: { type: 'boolean' },
      resume: { type: 'string' },
      output: { type: 'string' },
      'output-format': { type: 'string' },
      data: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
}

/** Reads the words behind `run`. An error names the fact, the cause and what to write instead. */
export function readRunOptions(args: readonly string[], cwd: string): Result<RunOptions | 'help'> {
  const split = takePrompt(args);
  if (!split.ok) return split;
  const taken = takeLaunch(split.value.rest, { cwd });
  if (!taken.ok) return taken;
  const { launch, rest } = taken.value;
  try {
    const { values, positionals } = parse(rest);
    if (values.help === true) return ok('help');
    return interpret({ values, positionals, launch, prompt: split.value.prompt ?? '', cwd });
  } catch (error) {
    if (error instanceof TypeError) return fail(error.message);
    throw error;
  }
}

function interpret(given: {
  readonly values: ReturnType<typeof parse>['values'];
  readonly positionals: readonly string[];
  readonly launch: Launch;
  readonly prompt: string;
  readonly cwd: string;
}): Result<RunOptions> {
  const { values, positionals, launch, prompt, cwd } = given;
  const folders = [...positionals, ...(values.cwd === undefined ? [] : [values.cwd])];
  if (launch.startFolder !== null) folders.push(launch.startFolder);
  if (folders.length > 1) return fail(`More than one folder is named: ${folders.join(', ')}. A run works in one.`);
  const folder = resolve(cwd, folders[0] ?? '.');
  if (!isFolder(folder))
    return fail(
      `${folders[0] ?? folder} is no folder.${positionals.length > 0 ? ' A prompt stands behind -p, in quotes.' : ' Name one that exists.'}`,
    );
  const form = values.output ?? values['output-format'] ?? 'text';
  const output = readForm(form);
  if (output === null) return fail(`--output ${form}: there is no such form. Forms: ${outputForms.join(', ')}.`);
  const turns = values['max-turns'];
  if (turns !== undefined && !/^[1-9]\d{0,5}$/.test(turns))
    return fail(`--max-turns ${turns} is no number of messages. Give one from 1 on.`);
  if (values.continue === true && values.resume !== undefined)
    return fail('--continue and --resume name two sessions. Give one of them.');
  if (values.resume?.trim() === '') return fail('--resume needs the name of a session.');
  return ok({
    prompt,
    folder,
    model: values.model?.trim() || null,
    maxMessages: turns === undefined ? null : Number(turns),
    session:
      values.resume !== undefined
        ? { kind: 'named', name: values.resume }
        : { kind: values.continue === true ? 'last' : 'new' },
    output,
    data: values.data === undefined ? null : resolve(cwd, values.data),
    launch: { ...launch, startFolder: folder },
  });
}

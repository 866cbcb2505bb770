// Shell commands as core and executor speak of them: how they are confined, what they print, how they end.
import { z } from 'zod';

export const absolutePath = z.string().min(1).max(10_000);

/** `listed`: only through a proxy that asks the core about each host. */
export const SandboxNetwork = z.enum(['off', 'listed', 'open']);
export type SandboxNetwork = z.infer<typeof SandboxNetwork>;

/** What a command and all it starts may take; left out: as much as there is. */
export const SandboxLimits = z.strictObject({
  memoryBytes: z.number().int().positive().optional(),
  processes: z.number().int().positive().optional(),
  /** Of one file that is written. */
  fileBytes: z.number().int().positive().optional(),
});
export type SandboxLimits = z.infer<typeof SandboxLimits>;

/** How a command is confined. `writable` are the folders that may be written; everything else is read-only. */
export const SandboxPolicy = z.strictObject({
  enabled: z.boolean(),
  network: SandboxNetwork,
  writable: z.array(absolutePath),
  /** Places within the writable ones that stay read-only; they need not exist. */
  readOnly: z.array(absolutePath).optional(),
  /** Files and folders that must not be visible inside, for example where the API key is kept. */
  hidden: z.array(absolutePath),
  /** Places within the hidden ones that can be read all the same. */
  readable: z.array(absolutePath).optional(),
  limits: SandboxLimits.optional(),
  /** Commands of one name share a network of their own, such as a session's server and what asks it; else each has its own. */
  networkName: z.string().max(200).optional(),
  /** With `listed`: a proxy of the person's own on this machine that allowed connections go through. */
  ownProxy: z.strictObject({ kind: z.enum(['http', 'socks']), port: z.number().int().min(1).max(65_535) }).optional(),
  /** Sockets in the file system may be opened; they reach programs outside of the sandbox. */
  unixSockets: z.boolean().optional(),
});
export type SandboxPolicy = z.infer<typeof SandboxPolicy>;

/**
 * Names that sandbox, executor and the checks of commands rely on: a command's own variables never change them. What a
 * loader or bash itself reads runs code before the command does.
 */
const kept =
  /^(?:HOME|PWD|OLDPWD|CDPATH|TMPDIR|TERM|SHELL|SHLVL|USER|LOGNAME|ENV|IFS|PS[0-4]|PROMPT_COMMAND|SHELLOPTS|GLOBIGNORE|POSIXLY_CORRECT|UID|EUID|PPID|_|(?:BASH|LD|DYLD|GATEHOUSE)(?:_.*|[A-Z]*)|GCONV_PATH|LOCPATH)$/;

/** Whether a command may be given a variable of this name. */
export function isSettableVariable(name: string): boolean {
  return /^[A-Za-z_]\w{0,199}$/.test(name) && !kept.test(name);
}

/** Characters that all variables given to a command may have, names and values. */
export const maxVariableChars = 65_536;

const Variables = z
  .record(
    z.string().refine(isSettableVariable),
    z.string().refine((value) => !value.includes('\0')),
  )
  .refine((variables) => JSON.stringify(variables).length <= 2 * maxVariableChars);

export const RunShell = z.strictObject({
  op: z.literal('shell.run'),
  /** Names the stream of `shell.data` events. */
  streamId: z.string(),
  command: z.string().min(1),
  /** bash when left out. */
  shell: z.literal('powershell').optional(),
  cwd: absolutePath,
  /** Where `cwd` led when this was allowed: it runs there, or is refused with `changed`. */
  real: absolutePath.optional(),
  /** null: it runs until it ends or is cancelled. */
  timeoutMs: z.number().int().min(1).max(86_400_000).nullable(),
  columns: z.number().int().min(20).max(500),
  sandbox: SandboxPolicy,
  /** Beside what every command is given. */
  variables: Variables.optional(),
  /**
   * Where the plain text of everything printed goes. The file must not exist yet; it is made when the text is longer than
   * `keepAboveChars`, or when the stream is detached, and holds at most `maxBytes`.
   */
  output: z
    .strictObject({
      file: absolutePath,
      maxBytes: z.number().int().min(1),
      keepAboveChars: z.number().int().nonnegative(),
    })
    .optional(),
});

/** A host that a command was not let to, `why` in words for people and the model. */
export const RefusedHost = z.strictObject({ host: z.string(), port: z.number().int(), why: z.string() });
export type RefusedHost = z.infer<typeof RefusedHost>;

/** Refused hosts that a result names at most. */
export const maxRefusedHosts = 20;

/** What became of a command's output beside what was streamed. */
export const ShellOutput = z.strictObject({
  /** The file that holds the plain text, where one was kept. */
  written: z.strictObject({ file: z.string(), bytes: z.number().int().nonnegative() }).optional(),
  /** Bytes of plain text beyond the file's limit: counted, not written. */
  droppedBytes: z.number().int().nonnegative().optional(),
  /** Why the text could not be written, in words for people; what was written before stays. */
  writeProblem: z.string().optional(),
  /** Ended because the file had reached its limit. */
  full: z.boolean().optional(),
  /** NUL bytes and bytes that are no UTF-8, each shown as U+FFFD. */
  nonTextBytes: z.number().int().nonnegative().optional(),
  /** Head and tail of the plain text, together at least `keepAboveChars`; only when pieces were left out of the stream. */
  plain: z.strictObject({ head: z.string(), tail: z.string(), totalChars: z.number().int().nonnegative() }).optional(),
  /** The output was one image and nothing else. */
  image: z.strictObject({ mediaType: z.string(), base64: z.string() }).optional(),
});
export type ShellOutput = z.infer<typeof ShellOutput>;

/** Why a command was ended: it, with all that it had started, took more than it may. */
export const LimitReached = z.strictObject({
  what: z.enum(['memory', 'processes', 'fileSize']),
  /** Bytes, or a number of processes. */
  allowed: z.number().int().positive(),
});
export type LimitReached = z.infer<typeof LimitReached>;

export const ShellResult = z.strictObject({
  kind: z.literal('exit'),
  /** null when it was ended by a signal. */
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  timedOut: z.boolean(),
  aborted: z.boolean(),
  /** Total characters of output, escapes and all. */
  outputChars: z.number().int().nonnegative(),
  /** Absent when there is nothing to tell. */
  output: ShellOutput.optional(),
  durationMs: z.number().nonnegative(),
  /** Which confinement was really in place. */
  sandboxed: z.boolean(),
  /** It was ended because somebody outside put something else at this protected place, and the sandbox could hold it no more. */
  replaced: z.string().optional(),
  /** Absent when none was reached. */
  limit: LimitReached.optional(),
  /** Each once, at most `maxRefusedHosts`; absent when there are none. */
  refusedHosts: z.array(RefusedHost).optional(),
  /**
   * Real path of the folder in which the shell ended, as the command's own shell reports it: the command can make it any
   * existing folder. Null when it was not reported.
   */
  finalCwd: z.string().nullable(),
});
export type ShellResult = z.infer<typeof ShellResult>;

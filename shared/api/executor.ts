// Contract between core (client) and executor process (server). Every operation carries a single-use grant token
// that is bound to exactly this operation; the executor refuses anything else.
import { z } from 'zod';
import type { Contract } from '../rpc/contract';
import { call } from '../rpc/contract';
import { DiffHunk } from '../tools/presentation';

const absolutePath = z.string().min(1).max(10_000);

/** How a command is confined. `writable` are the folders that may be written; everything else is read-only. */
export const SandboxPolicy = z.strictObject({
  enabled: z.boolean(),
  network: z.boolean(),
  writable: z.array(absolutePath),
  /** Files and folders that must not be visible inside, for example where the API key is kept. */
  hidden: z.array(absolutePath),
});
export type SandboxPolicy = z.infer<typeof SandboxPolicy>;

export const RunShell = z.strictObject({
  op: z.literal('shell.run'),
  /** Names the stream of `shell.data` events. */
  streamId: z.string(),
  command: z.string().min(1),
  cwd: absolutePath,
  /** null: it runs until it ends or is cancelled. */
  timeoutMs: z.number().int().min(1).max(86_400_000).nullable(),
  columns: z.number().int().min(20).max(500),
  sandbox: SandboxPolicy,
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
export const StatFile = z.strictObject({ op: z.literal('file.stat'), path: absolutePath });
/** Reads a window of lines (`firstLine` from 1) of a text file, or a whole image; at most `maxBytes` of it are returned. */
export const ReadFile = z.strictObject({
  op: z.literal('file.read'),
  path: absolutePath,
  firstLine: z.number().int().min(1),
  maxLines: z.number().int().min(1),
  maxBytes: z.number().int().min(1).max(20_000_000),
  /** Of the first line only these characters (UTF-16 code units, from 1), for lines that are longer than a page. */
  columns: z.strictObject({ first: z.number().int().min(1), max: z.number().int().min(1).max(1_000_000) }).optional(),
});
/** Writes a whole file atomically, creating folders. `expect` guards against changes since it was read. */
export const WriteFile = z.strictObject({
  op: z.literal('file.write'),
  path: absolutePath,
  content: z.string(),
  expect: z.union([z.literal('absent'), z.strictObject({ hash: z.string() })]),
  /** True computes the change without writing. */
  dryRun: z.boolean(),
});
/** Replaces text in a file, keeping BOM and line endings; `hash` is what the file had when it was read. */
export const EditFile = z.strictObject({
  op: z.literal('file.edit'),
  path: absolutePath,
  edits: z.array(z.strictObject({ oldString: z.string(), newString: z.string(), replaceAll: z.boolean() })).min(1),
  hash: z.string(),
  dryRun: z.boolean(),
});
export const GlobFiles = z.strictObject({
  op: z.literal('search.glob'),
  root: absolutePath,
  pattern: z.string().min(1).max(2_000),
  limit: z.number().int().min(1).max(10_000),
});
export const GrepFiles = z.strictObject({
  op: z.literal('search.grep'),
  root: absolutePath,
  pattern: z.string().min(1).max(10_000),
  glob: z.string().optional(),
  fileType: z.string().optional(),
  ignoreCase: z.boolean(),
  multiline: z.boolean(),
  mode: z.enum(['content', 'files_with_matches', 'count']),
  before: z.number().int().min(0).max(1_000),
  after: z.number().int().min(0).max(1_000),
  lineNumbers: z.boolean(),
  offset: z.number().int().min(0),
  limit: z.number().int().min(1).max(100_000),
});

export const Operation = z.discriminatedUnion('op', [
  RunShell,
  StatFile,
  ReadFile,
  WriteFile,
  EditFile,
  GlobFiles,
  GrepFiles,
]);
export type Operation = z.infer<typeof Operation>;
export type OperationName = Operation['op'];
export type OperationOf<N extends OperationName> = Extract<Operation, { op: N }>;

/**
 * Proof that the permission step allowed exactly this operation, once. `mac` is HMAC-SHA256, hex, over the canonical JSON
 * of `{nonce, expiresAt, operation}`; `expiresAt` is epoch milliseconds.
 */
export const GrantToken = z.strictObject({ nonce: z.string(), expiresAt: z.number(), mac: z.string() });
export type GrantToken = z.infer<typeof GrantToken>;

/** An expected failure of a file or search operation. */
export const OperationFailure = z.strictObject({
  kind: z.literal('failure'),
  reason: z.enum([
    'missing',
    'isFolder',
    'notFolder',
    'denied',
    'tooLarge',
    'binary',
    'changed',
    'noMatch',
    'notUnique',
    'exists',
    'isLink',
    'notText',
    'badPattern',
    'io',
  ]),
  /** errno name such as EACCES where there is one. */
  errno: z.string().optional(),
  message: z.string(),
});
export type OperationFailure = z.infer<typeof OperationFailure>;

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
  /** Head and tail of the plain text, at most 32 Ki characters each; only when pieces were left out of the stream. */
  plain: z.strictObject({ head: z.string(), tail: z.string(), totalChars: z.number().int().nonnegative() }).optional(),
  /** The output was one image and nothing else. */
  image: z.strictObject({ mediaType: z.string(), base64: z.string() }).optional(),
});
export type ShellOutput = z.infer<typeof ShellOutput>;

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
  /**
   * Real path of the folder in which the shell ended, as the command's own shell reports it: the command can make it any
   * existing folder. Null when it was not reported.
   */
  finalCwd: z.string().nullable(),
});
export type ShellResult = z.infer<typeof ShellResult>;

const fileFacts = { size: z.number().int().nonnegative(), mtimeMs: z.number(), hash: z.string() };
export const StatResult = z.strictObject({
  kind: z.literal('stat'),
  exists: z.boolean(),
  type: z.enum(['file', 'folder', 'other', 'none']),
  size: z.number().int().nonnegative(),
  mtimeMs: z.number(),
  isLink: z.boolean(),
  realPath: z.string(),
  /** sha256 of the bytes, hex; empty for what is no file or larger than 64 MiB. */
  hash: z.string(),
});
export const ReadResult = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('text'),
    text: z.string(),
    firstLine: z.number().int(),
    lines: z.number().int(),
    totalLines: z.number().int(),
    truncated: z.boolean(),
    /** Length of the line whose columns were asked for. */
    lineChars: z.number().int().nonnegative().optional(),
    ...fileFacts,
  }),
  z.strictObject({ kind: z.literal('image'), mediaType: z.string(), base64: z.string(), ...fileFacts }),
  z.strictObject({ kind: z.literal('binary'), guess: z.string(), ...fileFacts }),
  OperationFailure,
]);
export const ChangeResult = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('changed'),
    created: z.boolean(),
    replacements: z.number().int().nonnegative(),
    hunks: z.array(DiffHunk),
    added: z.number().int().nonnegative(),
    removed: z.number().int().nonnegative(),
    hunksTruncated: z.boolean(),
    ...fileFacts,
  }),
  OperationFailure,
]);
export const GlobResult = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('files'), files: z.array(z.string()), truncated: z.boolean() }),
  OperationFailure,
]);
export const GrepResult = z.discriminatedUnion('kind', [
  /** `lines` as ripgrep prints them for the mode, paths relative to root. `total` counts before offset and limit. */
  z.strictObject({
    kind: z.literal('lines'),
    lines: z.array(z.string()),
    total: z.number().int().nonnegative(),
    truncated: z.boolean(),
  }),
  OperationFailure,
]);

export interface OperationAnswers {
  'shell.run': z.infer<typeof ShellResult> | OperationFailure;
  'file.stat': z.infer<typeof StatResult> | OperationFailure;
  'file.read': z.infer<typeof ReadResult>;
  'file.write': z.infer<typeof ChangeResult>;
  'file.edit': z.infer<typeof ChangeResult>;
  'search.glob': z.infer<typeof GlobResult>;
  'search.grep': z.infer<typeof GrepResult>;
}

const granted = <Op extends z.ZodType>(operation: Op) => z.strictObject({ grant: GrantToken, operation });
const nothing = z.strictObject({});

export const executorContract = {
  calls: {
    /** First call: the key that grants are signed with (hex). Refused a second time. Answers with the sandbox probe's outcome. */
    'executor.start': call(
      z.strictObject({ grantKey: z.string().length(64) }),
      z.strictObject({
        pid: z.number().int(),
        sandbox: z.strictObject({ available: z.boolean(), kind: z.string(), reason: z.string() }),
      }),
    ),
    /** Answers when the process is not stuck. */
    'executor.ping': call(nothing, nothing),
    'shell.run': call(granted(RunShell), z.union([ShellResult, OperationFailure])),
    /** The core has taken this many characters of a stream off the wire. */
    'shell.ack': call(z.strictObject({ streamId: z.string(), chars: z.number().int().positive() }), nothing),
    /** The command has become a background task: its file is made now, kept up to date, and ends the command when full. */
    'shell.detach': call(z.strictObject({ streamId: z.string() }), nothing),
    'file.stat': call(granted(StatFile), z.union([StatResult, OperationFailure])),
    'file.read': call(granted(ReadFile), ReadResult),
    'file.write': call(granted(WriteFile), ChangeResult),
    'file.edit': call(granted(EditFile), ChangeResult),
    'search.glob': call(granted(GlobFiles), GlobResult),
    'search.grep': call(granted(GrepFiles), GrepResult),
  },
  events: {
    /**
     * Output as it came, escapes and all, at most 64 Ki characters an event; never cut inside a surrogate pair. `from` is
     * its offset in UTF-16 code units; a flood is skipped ahead, which shows as a gap.
     */
    'shell.data': z.strictObject({ streamId: z.string(), from: z.number().int().nonnegative(), text: z.string() }),
  },
} satisfies Contract;
export type ExecutorContract = typeof executorContract;

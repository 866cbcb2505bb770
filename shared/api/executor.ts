// Contract between core (client) and executor process (server). Every operation carries a single-use grant token
// that is bound to exactly this operation; the executor refuses anything else.
import { z } from 'zod';
import type { Contract } from '../rpc/contract';
import { call } from '../rpc/contract';
import { FileContent } from '../session/fileChange';
import { DiffHunk } from '../tools/presentation';
import { LanguageServerResult, QueryLanguageServer, ReplResult, RunRepl } from './executorCode';
import { absolutePath, RunShell, ShellResult } from './executorShell';

export {
  LanguageDiagnostic,
  LanguageLocation,
  LanguageServerResult,
  ReplResult,
} from './executorCode';
export {
  isSettableVariable,
  LimitReached,
  maxVariableChars,
  RefusedHost,
  SandboxLimits,
  SandboxPolicy,
  ShellOutput,
  ShellResult,
} from './executorShell';

/** Where the path led when this was allowed: it is done there, or refused with `changed`. Left out: links are followed. */
const real = absolutePath.optional();
export const StatFile = z.strictObject({ op: z.literal('file.stat'), path: absolutePath });
/**
 * Reads a window of lines (`firstLine` from 1) of a text file, or a whole image; at most `maxBytes` of it are returned.
 * `shown` asks for what has another form to be looked at; without it images come as they are and PDF counts as binary.
 */
export const ReadFile = z.strictObject({
  op: z.literal('file.read'),
  path: absolutePath,
  real,
  firstLine: z.number().int().min(1),
  maxLines: z.number().int().min(1),
  maxBytes: z.number().int().min(1).max(20_000_000),
  /** Of the first line only these characters (UTF-16 code units, from 1), for lines that are longer than a page. */
  columns: z.strictObject({ first: z.number().int().min(1), max: z.number().int().min(1).max(1_000_000) }).optional(),
  shown: z
    .strictObject({
      /** Images are scaled down and encoded anew until they fit: pixels of the longer edge, bytes. */
      image: z.strictObject({
        maxEdge: z.number().int().min(1).max(8_000),
        maxBytes: z.number().int().min(1).max(20_000_000),
      }),
      /** Pages of a PDF, from 1, both included. Left out: all, where there are at most `unasked`, else none. */
      pages: z.strictObject({ first: z.number().int().min(1), last: z.number().int().min(1) }).optional(),
      unasked: z.number().int().min(1).max(20),
      /** Images of one notebook at most. In a notebook `firstLine` and `maxLines` count cells. */
      notebookImages: z.number().int().min(0).max(20),
    })
    .optional(),
});
/**
 * Both sides of a change are kept in this folder under their SHA-256, so that the change can be taken back. What is larger
 * than `maxBytes` is not. Until the core says that it has written the change down, `pending/<changeId>.json` tells of it.
 */
const keep = z
  .strictObject({
    folder: absolutePath,
    changeId: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/),
    callId: z.string(),
    maxBytes: z.number().int().min(0).max(100_000_000),
  })
  .optional();
/** Writes a whole file atomically, creating folders. `expect` guards against changes since it was read. */
export const WriteFile = z.strictObject({
  op: z.literal('file.write'),
  path: absolutePath,
  real,
  content: z.string(),
  expect: z.union([z.literal('absent'), z.strictObject({ hash: z.string() })]),
  /** True computes the change without writing. */
  dryRun: z.boolean(),
  keep,
});
/** Replaces text in a file, keeping BOM and line endings; `hash` is what the file had when it was read. */
export const EditFile = z.strictObject({
  op: z.literal('file.edit'),
  path: absolutePath,
  real,
  edits: z.array(z.strictObject({ oldString: z.string(), newString: z.string(), replaceAll: z.boolean() })).min(1),
  hash: z.string(),
  dryRun: z.boolean(),
  keep,
});
/**
 * Changes one cell of a notebook; every byte outside of it stays. `insert` puts a new cell behind `cellId`, or first where
 * that is left out. `hash` is what the file had when it was read.
 */
export const EditCell = z.strictObject({
  op: z.literal('file.editCell'),
  path: absolutePath,
  real,
  mode: z.enum(['replace', 'insert', 'delete']),
  cellId: z.string().min(1).max(1_000).optional(),
  /** Of a new cell, or what a replaced one becomes. */
  cellType: z.enum(['code', 'markdown', 'raw']).optional(),
  source: z.string(),
  hash: z.string(),
  dryRun: z.boolean(),
  keep,
});
/** The entries of one folder. `ignore`: wildcards for names (`*`, `?`); with a slash at the end only folders are meant. */
export const ListFolder = z.strictObject({
  op: z.literal('file.list'),
  path: absolutePath,
  real,
  ignore: z.array(z.string().min(1).max(1_000)).max(100),
  limit: z.number().int().min(1).max(10_000),
});
export const GlobFiles = z.strictObject({
  op: z.literal('search.glob'),
  root: absolutePath,
  real,
  pattern: z.string().min(1).max(2_000),
  limit: z.number().int().min(1).max(10_000),
});
export const GrepFiles = z.strictObject({
  op: z.literal('search.grep'),
  root: absolutePath,
  real,
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

/** Fetches one page of the web and makes it readable; redirects are followed within its host only. */
export const FetchPage = z.strictObject({
  op: z.literal('web.fetch'),
  /** http or https, without credentials. http becomes https unless the host lies on a private network. */
  url: z.string().min(1).max(8_192),
  /** Whether the host may lie on this machine or a private network; otherwise such an address is refused. */
  privateAllowed: z.boolean(),
  /** Most bytes of the body, as sent and after decompression. */
  maxBytes: z.number().int().min(1).max(50_000_000),
  /** Most characters of readable text that come back. */
  maxChars: z.number().int().min(1).max(2_000_000),
  /** For the whole way, redirects included, without the time that reading the page takes. */
  timeoutMs: z.number().int().min(1).max(300_000),
});

export const Operation = z.discriminatedUnion('op', [
  RunShell,
  StatFile,
  ReadFile,
  WriteFile,
  EditFile,
  EditCell,
  ListFolder,
  GlobFiles,
  GrepFiles,
  FetchPage,
  RunRepl,
  QueryLanguageServer,
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
    /** Needs a password. */
    'locked',
    /** Not what it claims to be, or too costly to find out. */
    'damaged',
    'io',
  ]),
  /** errno name such as EACCES where there is one. */
  errno: z.string().optional(),
  message: z.string(),
});
export type OperationFailure = z.infer<typeof OperationFailure>;

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
export const NotebookCell = z.strictObject({
  /** Its own id, or `cell-N` (N from 0) where the file gives none. */
  id: z.string(),
  type: z.string(),
  source: z.string(),
  /** Characters of the source that are not in `source`. */
  sourceCut: z.number().int().nonnegative(),
  executionCount: z.number().int().nullable(),
  outputs: z.array(
    z.discriminatedUnion('kind', [
      /** `cut`: characters that are left out. */
      z.strictObject({ kind: z.literal('text'), text: z.string(), cut: z.number().int().nonnegative() }),
      z.strictObject({ kind: z.literal('image'), mediaType: z.string(), base64: z.string() }),
      /** What is there and not shown, and why. */
      z.strictObject({ kind: z.literal('omitted'), what: z.string() }),
    ]),
  ),
});
export type NotebookCell = z.infer<typeof NotebookCell>;
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
    /** Why a file that is named as a notebook is shown as text, a sentence. */
    noNotebook: z.string().optional(),
    ...fileFacts,
  }),
  z.strictObject({
    kind: z.literal('image'),
    mediaType: z.string(),
    base64: z.string(),
    /** Only with `shown`: pixels of what is given, and of the file where that is larger or of another form. */
    width: z.number().int().optional(),
    height: z.number().int().optional(),
    original: z.strictObject({ mediaType: z.string(), width: z.number().int(), height: z.number().int() }).optional(),
    ...fileFacts,
  }),
  z.strictObject({
    kind: z.literal('pdf'),
    totalPages: z.number().int().nonnegative(),
    /** Those asked for that exist, in order. `cut`: the page has more text. */
    pages: z.array(z.strictObject({ page: z.number().int(), text: z.string(), cut: z.boolean() })),
    ...fileFacts,
  }),
  z.strictObject({
    kind: z.literal('notebook'),
    language: z.string(),
    totalCells: z.number().int().nonnegative(),
    /** Of `cells`, from 1. */
    firstCell: z.number().int(),
    cells: z.array(NotebookCell),
    ...fileFacts,
  }),
  z.strictObject({ kind: z.literal('binary'), guess: z.string(), ...fileFacts }),
  OperationFailure,
]);
/** What was kept of a change. `path` with its folder's links resolved; `problem` says why a side could not be kept, else empty. */
export const KeptChange = z.strictObject({
  path: z.string(),
  before: FileContent.nullable(),
  after: FileContent,
  /** Null for what is no text. */
  lines: z.strictObject({ added: z.number().int().nonnegative(), removed: z.number().int().nonnegative() }).nullable(),
  problem: z.string(),
});
export type KeptChange = z.infer<typeof KeptChange>;
export const ChangeResult = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('changed'),
    created: z.boolean(),
    replacements: z.number().int().nonnegative(),
    hunks: z.array(DiffHunk),
    added: z.number().int().nonnegative(),
    removed: z.number().int().nonnegative(),
    hunksTruncated: z.boolean(),
    /** Only where `keep` was asked for. */
    kept: KeptChange.optional(),
    ...fileFacts,
  }),
  OperationFailure,
]);
export const ListResult = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('entries'),
    /** Folders first, then by name; at most `limit`. */
    entries: z.array(
      z.strictObject({
        /** As it is on disk; bytes that are no UTF-8 are U+FFFD. */
        name: z.string(),
        type: z.enum(['file', 'folder', 'link', 'other']),
        /** Bytes of a file. */
        size: z.number().int().nonnegative(),
        /** Where a link points, as it says itself. */
        target: z.string().optional(),
      }),
    ),
    /** Entries that no pattern ignores; a lower bound with `more`. */
    total: z.number().int().nonnegative(),
    ignored: z.number().int().nonnegative(),
    /** There are more than were counted. */
    more: z.boolean(),
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

/** An expected failure of a fetch. */
export const FetchFailure = z.strictObject({
  kind: z.literal('failure'),
  reason: z.enum([
    'badUrl',
    'privateAddress',
    'forbiddenAddress',
    'notFound',
    'unreachable',
    'certificate',
    'timeout',
    'tooLarge',
    'badRedirect',
    'badAnswer',
    'unreadable',
  ]),
  /** Fact and cause, in words. */
  message: z.string(),
});
export type FetchFailure = z.infer<typeof FetchFailure>;

/** `url` is where the answer came from in the end, `bytes` the body's size after decompression. */
const answered = {
  url: z.string(),
  status: z.number().int(),
  mediaType: z.string(),
  bytes: z.number().int().nonnegative(),
};
export const FetchResult = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('text'),
    ...answered,
    /** Empty where the page has none. */
    title: z.string(),
    /** `markdown`: made readable from HTML, links absolute. `plain`: as it was sent. */
    form: z.enum(['markdown', 'plain']),
    text: z.string(),
    /** Characters of the whole text; `text` is its start. */
    totalChars: z.number().int().nonnegative(),
  }),
  z.strictObject({ kind: z.literal('image'), ...answered, base64: z.string() }),
  /** Nothing that can be shown as text or image. */
  z.strictObject({ kind: z.literal('binary'), ...answered }),
  /** The page lies on another host, or another port; nothing was asked of it. */
  z.strictObject({ kind: z.literal('redirect'), from: z.string(), to: z.string(), status: z.number().int() }),
  FetchFailure,
]);
export type FetchResult = z.infer<typeof FetchResult>;

export interface OperationAnswers {
  'shell.run': z.infer<typeof ShellResult> | OperationFailure;
  'file.stat': z.infer<typeof StatResult> | OperationFailure;
  'file.read': z.infer<typeof ReadResult>;
  'file.write': z.infer<typeof ChangeResult>;
  'file.edit': z.infer<typeof ChangeResult>;
  'file.editCell': z.infer<typeof ChangeResult>;
  'file.list': z.infer<typeof ListResult>;
  'search.glob': z.infer<typeof GlobResult>;
  'search.grep': z.infer<typeof GrepResult>;
  'web.fetch': FetchResult;
  'repl.run': ReplResult | OperationFailure;
  'lsp.query': LanguageServerResult;
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
        sandbox: z.strictObject({
          available: z.boolean(),
          kind: z.string(),
          reason: z.string(),
          /** Why a policy's network cannot be `listed` here, cause and remedy; empty when it can. */
          noListed: z.string(),
        }),
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
    'file.editCell': call(granted(EditCell), ChangeResult),
    'file.list': call(granted(ListFolder), ListResult),
    'search.glob': call(granted(GlobFiles), GlobResult),
    'search.grep': call(granted(GrepFiles), GrepResult),
    'repl.run': call(granted(RunRepl), z.union([ReplResult, OperationFailure])),
    /** The session is over: its JavaScript process ends. */
    'repl.end': call(z.strictObject({ session: z.string() }), nothing),
    /**
     * Says whether a command may connect to the host of an ask. `privateAllowed`: also where it leads to this machine or a
     * private network; `why` goes to the program and into the result. An ask that is gone is no error.
     */
    'network.answer': call(
      z.strictObject({
        askId: z.string(),
        allowed: z.boolean(),
        privateAllowed: z.boolean(),
        why: z.string().max(1_000),
      }),
      nothing,
    ),
    'lsp.query': call(granted(QueryLanguageServer), LanguageServerResult),
    'web.fetch': call(granted(FetchPage), FetchResult),
  },
  events: {
    /**
     * Output as it came, escapes and all, at most 64 Ki characters an event; never cut inside a surrogate pair. `from` is
     * its offset in UTF-16 code units; a flood is skipped ahead, which shows as a gap.
     */
    'shell.data': z.strictObject({ streamId: z.string(), from: z.number().int().nonnegative(), text: z.string() }),
    /**
     * The command of a stream wants to connect to a host and waits. `host`: a name in lower case, ASCII, without a dot at its
     * end, or an address. With `address` the host was allowed, and leads to this address of a private network.
     */
    'network.ask': z.strictObject({
      askId: z.string(),
      streamId: z.string(),
      host: z.string(),
      port: z.number().int().min(1).max(65_535),
      address: z.string().optional(),
    }),
    /** Nobody waits for the answer any more. */
    'network.gone': z.strictObject({ askId: z.string() }),
  },
} satisfies Contract;
export type ExecutorContract = typeof executorContract;

// JavaScript sessions and language servers as core and executor speak of them.
import { z } from 'zod';
import { absolutePath, RefusedHost, RunShell, SandboxPolicy, ShellOutput } from './executorShell';

/** Runs JavaScript in the session's own node process, which keeps its variables from one call to the next. */
export const RunRepl = z.strictObject({
  op: z.literal('repl.run'),
  /** Names the stream of `shell.data` events. */
  streamId: z.string(),
  /** Whose process: the id of a session. */
  session: z.string().min(1).max(200),
  code: z.string().min(1).max(200_000),
  cwd: absolutePath,
  timeoutMs: z.number().int().min(1).max(3_600_000),
  /** Beyond this much memory, in MiB and with all that the code started, the process is ended. */
  memoryMiB: z.number().int().min(64).max(65_536),
  sandbox: SandboxPolicy,
  output: RunShell.shape.output,
});

const languagePosition = {
  /** From 1. */
  line: z.number().int().min(1).max(10_000_000),
  /** In UTF-16 code units from 1; 0: where `symbol` stands in the line. */
  column: z.number().int().min(0).max(10_000_000),
  symbol: z.string().max(1_000),
};
/** Asks a language server about one file. Servers are started as they are needed and kept for later questions. */
export const QueryLanguageServer = z.strictObject({
  op: z.literal('lsp.query'),
  server: z.strictObject({
    name: z.string().min(1).max(200),
    command: z.string().min(1).max(4_096),
    args: z.array(z.string().max(4_096)).max(50),
  }),
  /** The folder that the server looks after. */
  root: absolutePath,
  path: absolutePath,
  /** As the protocol names languages, for example `typescript`. */
  languageId: z.string().min(1).max(100),
  query: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('definition'), ...languagePosition }),
    z.strictObject({ kind: z.literal('references'), ...languagePosition }),
    z.strictObject({ kind: z.literal('hover'), ...languagePosition }),
    z.strictObject({ kind: z.literal('symbols') }),
    z.strictObject({ kind: z.literal('diagnostics') }),
  ]),
  timeoutMs: z.number().int().min(1).max(600_000),
  sandbox: SandboxPolicy,
});

/** What came of code in a session's JavaScript process. */
export const ReplResult = z.strictObject({
  kind: z.literal('evaluated'),
  /** `value`: text of what the last expression gave, null for undefined. `ended`: there is no outcome, see `ended`. */
  outcome: z.enum(['value', 'error', 'ended']),
  text: z.string().nullable(),
  /** Why the process is gone, and its variables with it; null when it lives on. */
  ended: z.enum(['timeout', 'aborted', 'memory', 'full', 'exit', 'badAnswer']).nullable(),
  exitCode: z.number().int().nullable(),
  /** A new process ran this code: there were no variables of earlier calls. */
  fresh: z.boolean(),
  outputChars: z.number().int().nonnegative(),
  output: ShellOutput.optional(),
  durationMs: z.number().nonnegative(),
  sandboxed: z.boolean(),
  /** Each once, at most `maxRefusedHosts`; absent when there are none. */
  refusedHosts: z.array(RefusedHost).optional(),
});
export type ReplResult = z.infer<typeof ReplResult>;

/** A place in a file: lines from 1, columns in UTF-16 code units from 1. `path` is absolute, or an address that is no file. */
export const LanguageLocation = z.strictObject({
  path: z.string(),
  line: z.number().int().min(1),
  column: z.number().int().min(1),
});
export type LanguageLocation = z.infer<typeof LanguageLocation>;
export const LanguageDiagnostic = z.strictObject({
  line: z.number().int().min(1),
  column: z.number().int().min(1),
  severity: z.enum(['error', 'warning', 'information', 'hint']),
  message: z.string(),
  /** Empty where the server names none. */
  code: z.string(),
  source: z.string(),
});
export type LanguageDiagnostic = z.infer<typeof LanguageDiagnostic>;
export const LanguageServerResult = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('locations'), locations: z.array(LanguageLocation), total: z.number().int() }),
  z.strictObject({ kind: z.literal('hover'), text: z.string() }),
  z.strictObject({
    kind: z.literal('symbols'),
    /** In the file's order; `depth` 0 is the outermost. */
    symbols: z.array(
      z.strictObject({
        name: z.string(),
        symbolKind: z.string(),
        line: z.number().int().min(1),
        depth: z.number().int().nonnegative(),
      }),
    ),
    total: z.number().int(),
  }),
  z.strictObject({
    kind: z.literal('diagnostics'),
    diagnostics: z.array(LanguageDiagnostic),
    total: z.number().int(),
    /** False: the server had not said anything about the file when the time to wait was over. */
    heard: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal('failure'),
    reason: z.enum([
      'file',
      'position',
      'missing',
      'refused',
      'crashed',
      'timeout',
      'badAnswer',
      'unsupported',
      'serverError',
    ]),
    /** Fact and cause, in words. */
    message: z.string(),
  }),
]);
export type LanguageServerResult = z.infer<typeof LanguageServerResult>;

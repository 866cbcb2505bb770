// Where results that are too long for the model are kept (spec 5).
import type { ResultBlock } from '#shared/session/events';
import type { PersistedResult } from '#shared/session/toolCall';

/** A call's result after processing: what the model gets, and the file that holds the rest. */
export interface ProcessedResult {
  readonly content: readonly ResultBlock[];
  readonly persisted?: PersistedResult;
}

export interface ResultStore {
  /**
   * Where the output of a call is to be written while it runs: a new name in the session's folder of results, which exists
   * afterwards. Null when no file can be made; then only head and tail are kept and the result says so.
   */
  outputFile(sessionId: string, toolUseId: string): Promise<string | null>;
  /**
   * Bounds what a tool returned. Text over `maxChars` goes to a file and the model gets size, path and the first 4,096
   * characters. `written` names a file that already holds the whole text (a command's output): it stands for the first
   * text block, and the other blocks, such as a line about the exit code, follow. Never rejects: what cannot be written is
   * said in the result, with head and tail.
   */
  process(result: {
    readonly sessionId: string;
    readonly toolUseId: string;
    readonly content: readonly ResultBlock[];
    readonly maxChars: number;
    readonly written?: { readonly file: string; readonly bytes: number };
  }): Promise<ProcessedResult>;
  /** Whether a path is a persisted result of any session. */
  isResultFile(path: string): boolean;
  /** The folder of one session's results, which may be read without asking; null when there is no such session. */
  sessionFolder(sessionId: string): string | null;
  /** The folder that holds them all, absolute. */
  readonly folder: string;
}

// What a host must give to the core. The core reads no environment, no home folder and starts no process itself.
import { join } from 'node:path';
import type { Capability } from '#shared/api/host';
import type { KeyState } from '#shared/api/settings';
import type { Transport, Unsubscribe } from '#shared/rpc/transport';
import type { Launch } from './launchOptions';
import type { StatedBashLimits } from './tools/bash/limits';

/** A started executor process. */
export interface ExecutorProcess {
  readonly pid: number | undefined;
  readonly transport: Transport;
  /** Fires once, however it ended. */
  onExit(listener: (how: { readonly code: number | null; readonly signal: string | null }) => void): Unsubscribe;
  /** SIGTERM, or SIGKILL with `force`. Its own children end with it. */
  kill(force: boolean): void;
}

/** Keeps the API key. Its value is read only to build a model client. */
export interface Secrets {
  apiKey(): string | null;
  /** Throws with a reason for people when it cannot be kept. */
  setApiKey(key: string | null, remember: boolean): void;
  state(): KeyState;
}

/** Writes to the host's log. Never pass secrets or file contents. */
export interface Log {
  info(message: string, facts?: Readonly<Record<string, unknown>>): void;
  warn(message: string, facts?: Readonly<Record<string, unknown>>): void;
  error(message: string, error: unknown): void;
}

export interface CorePorts {
  readonly host: Launch & {
    /** "Gatehouse desktop" or "loopback server". */
    readonly label: string;
    readonly version: string;
    readonly platform: 'linux' | 'darwin' | 'win32' | 'other';
    readonly capabilities: readonly Capability[];
    readonly runsAsRoot: boolean;
  };
  readonly paths: {
    /** Gatehouse's own data: database, results, backups. */
    readonly data: string;
    readonly home: string;
    /** `~/.claude`, or where CLAUDE_CONFIG_DIR points. */
    readonly claudeConfig: string;
    /** `managed-settings.json` of this system; its drop-in folder lies beside it. */
    readonly managedSettings: string;
    /** Files no tool may touch, for example where the key is kept. */
    readonly privateFiles: readonly string[];
  };
  /** Values taken from the environment by the door. */
  readonly environment: {
    readonly baseUrl: string;
    readonly model: string;
    readonly maxToolConcurrency: string;
    /** Times in a row that Stop hooks may make a turn go on. */
    readonly stopHookBlockCap: string;
    /** Timeouts and habits of shell commands; left out: the usual ones. */
    readonly bash?: StatedBashLimits;
    /** ENABLE_TOOL_SEARCH and GATEHOUSE_FEATURES as they stand; left out: neither is set. */
    readonly tools?: { readonly search: string; readonly features: string };
    /** All variables but the model's own keys, for hooks. Never logged, never given to the executor. */
    readonly variables: Readonly<Record<string, string>>;
  };
  /**
   * There where nobody can be asked: what would ask is denied with its reason. Such a core works beside others on the same
   * data folder, and its first request to the model does not wait for the executor. `maxMessages` of the model a turn may
   * have; null: as many as a turn may have at most.
   */
  readonly headless?: { readonly maxMessages: number | null };
  launchExecutor(): ExecutorProcess;
  readonly secrets: Secrets;
  /** Keeps sign-ins to MCP servers over a restart; left out: they last as long as the core. */
  readonly signIns?: { read(): string | null; write(secret: string | null): void };
  /** Path of the SQLite addon when not the one in node_modules. */
  readonly sqliteBinding: string | undefined;
  /** Path of the built thread that looks through past calls; left out: the core does it itself, between its other work. */
  readonly historyThread?: string;
  /** Path of the built thread that searches and reads conversations; left out as above. */
  readonly searchThread?: string;
  /** Path of the built thread that looks into files of results; left out: they are listed, but cannot be opened. */
  readonly resultsThread?: string;
  /** Shows a file in the system's file browser (capability `revealFile`). */
  readonly revealFile?: (file: string) => Promise<void>;
  readonly desktop?: {
    pickFolder(): Promise<string | null>;
    openExternal(url: string): Promise<void>;
  };
  readonly log: Log;
}

/** The built programs of the core's threads, in the folder of all that was built. */
export function threadFiles(
  dist: string,
): Required<Pick<CorePorts, 'historyThread' | 'searchThread' | 'resultsThread'>> {
  return {
    historyThread: join(dist, 'historyWorker.mjs'),
    searchThread: join(dist, 'searchWorker.mjs'),
    resultsThread: join(dist, 'resultsWorker.mjs'),
  };
}

// What a command needs from outside, handed in by the door so that no command touches the process.
import type { CorePorts } from '../core/ports';
import type { NodeSurroundings } from '../node/nodePorts';

/** Signals that end a command before its time. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

export interface CliHost {
  readonly paths: CorePorts['paths'];
  readonly platform: CorePorts['host']['platform'];
  /** The folder that the program was started in, absolute. */
  readonly cwd: string;
  readonly surroundings: NodeSurroundings;
  /** Writes lines to standard output; each call ends with a line end. */
  out(text: string): void;
  /** The same for standard error. */
  err(text: string): void;
  /**
   * What is piped in, whole; null where nothing is. `patienceMs`: how long to wait for its first byte, null for as long
   * as it takes.
   */
  input(options: { readonly patienceMs: number | null }): Promise<string | null>;
  /** Calls `listener` at the first signal instead of ending the process. The value stops listening. */
  onStop(listener: (signal: StopSignal) => void): () => void;
}

/** How a command ends. */
export const exitCodes = { allow: 0, ask: 1, deny: 2, failed: 1, badUsage: 3 } as const;

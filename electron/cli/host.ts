// What a command needs from outside, handed in by the door so that no command touches the process.
import type { CorePorts } from '../core/ports';

export interface CliHost {
  readonly paths: CorePorts['paths'];
  readonly platform: CorePorts['host']['platform'];
  /** The folder that the program was started in, absolute. */
  readonly cwd: string;
  /** Writes lines to standard output; each call ends with a line end. */
  out(text: string): void;
  /** The same for standard error. */
  err(text: string): void;
}

/** How a command ends. */
export const exitCodes = { allow: 0, ask: 1, deny: 2, badUsage: 3 } as const;

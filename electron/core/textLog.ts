import type { Log } from './ports';

/** A log of single lines: time, level, message, facts as JSON. `info` lines are left out unless `verbose`. */
export function textLog(write: (line: string) => void, options: { readonly verbose: boolean }): Log {
  const line = (level: string, message: string, facts: unknown): void => {
    const detail = facts === undefined ? '' : ` ${JSON.stringify(facts)}`;
    write(`${new Date().toISOString()} ${level} ${message}${detail}\n`);
  };
  return {
    info: (message, facts) => {
      if (options.verbose) line('info', message, facts);
    },
    warn: (message, facts) => line('warn', message, facts),
    error: (message, error) => {
      line(
        'error',
        message,
        error instanceof Error
          ? { name: error.name, message: error.message, stack: error.stack }
          : { error: String(error) },
      );
    },
  };
}

import { withoutSecrets } from './export/redact';
import type { Log } from './ports';

/** A log is read in a terminal and passed on to others: longer facts than this are cut, in characters. */
const maxLine = 20_000;

/**
 * A log of single lines: time, level, message, facts as JSON. `info` lines are left out unless `verbose`. What is recognised
 * as a secret is taken out, and nothing in a line can move a terminal's cursor, turn text around or begin a line of its own.
 */
export function textLog(write: (line: string) => void, options: { readonly verbose: boolean }): Log {
  const line = (level: string, message: string, facts: unknown): void => {
    const detail = facts === undefined ? '' : ` ${JSON.stringify(facts)}`;
    const text = withoutSecrets(`${message}${detail}`.slice(0, maxLine));
    write(`${new Date().toISOString()} ${level} ${text.replace(unsafe, escaped)}\n`);
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

const unsafe = /\p{Cc}|\p{Bidi_Control}|[\u2028\u2029\u200b\ufeff]/gu;
const escaped = (character: string): string => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;

// Runs ripgrep without a shell and reads its lines one by one.
import { spawn } from 'node:child_process';
import { rgPath } from '@vscode/ripgrep';
import type { CancelSignal } from '#shared/rpc/contract';

/** In a packed app the program lies outside of the archive. */
const program = rgPath.replace(/\bapp\.asar\b(?!\.unpacked)/, 'app.asar.unpacked');
/** Its messages are for people; the first lines say it all. */
const longestMessage = 4_000;

export interface RipgrepEnd {
  /** 0 found, 1 nothing found, 2 error; null when it was stopped. */
  readonly code: number | null;
  readonly message: string;
}

/** Arguments that every search has: no config file, hidden files too, never inside `.git`. */
export const commonArgs = ['--no-config', '--hidden', '--no-messages', '--color', 'never'] as const;
/** Goes last: of several globs the last one that fits decides. */
export const notGit = ['--glob', '!**/.git'] as const;

/**
 * Runs ripgrep in a folder. `onLine` gets each line and answers whether to go on. Lines longer than the bound of the
 * arguments must not come: the caller limits columns.
 */
export function ripgrep(options: {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly signal: CancelSignal;
  readonly onLine: (line: string) => 'more' | 'stop';
}): Promise<RipgrepEnd> {
  const { args, cwd, signal, onLine } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { cwd, env: {}, stdio: ['ignore', 'pipe', 'pipe'] });
    let rest = '';
    let message = '';
    let stopped = false;
    const stop = () => {
      stopped = true;
      child.kill('SIGKILL');
    };
    const stopListening = signal.onCancel(stop);
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (stopped) return;
        if (onLine(line) === 'stop') stop();
      }
    });
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (text: string) => {
      if (message.length < longestMessage) message += text;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      stopListening();
      if (!stopped && rest !== '') onLine(rest);
      resolve({ code: stopped ? null : code, message: message.slice(0, longestMessage).trim() });
    });
  });
}

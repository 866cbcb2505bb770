// Runs programs for the other files of this folder.
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Runs a program to its end. With `capture` its output is collected, else shown as it comes.
 * Never rejects: a program that cannot start ends with code 127 and says so in `output`.
 */
export function run({ command, args = [], cwd, env = process.env, capture = false, timeout = undefined }) {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env,
      timeout,
      stdio: ['ignore', capture ? 'pipe' : 'inherit', capture ? 'pipe' : 'inherit'],
    });
    let output = '';
    const collect = (chunk) => {
      output += chunk;
    };
    child.stdout?.setEncoding('utf8').on('data', collect);
    child.stderr?.setEncoding('utf8').on('data', collect);
    const finish = (code, signal) => resolve({ code, signal, output, seconds: (performance.now() - started) / 1000 });
    child.on('error', (error) => {
      output += error.message;
      finish(127, null);
    });
    child.on('close', (code, signal) => finish(code ?? 1, signal));
  });
}

/** Where a program is, by the folders of PATH; undefined when it is in none. */
export function findProgram({ name, path = process.env.PATH ?? '' }) {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  for (const folder of path.split(delimiter).filter(Boolean)) {
    for (const ending of endings) {
      const candidate = join(folder, name + ending);
      try {
        accessSync(candidate, constants.X_OK);
        return candidate;
      } catch {
        // Not here: the next folder may have it.
      }
    }
  }
  return undefined;
}

/** npm as it was called by the person, so that one version does all of the work. */
export function npmCommand(env = process.env) {
  const script = env.npm_execpath;
  if (script?.endsWith('.js') || script?.endsWith('.cjs')) return { command: process.execPath, args: [script] };
  return { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', args: [] };
}

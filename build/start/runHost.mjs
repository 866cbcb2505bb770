// Starts a host and lives exactly as long as it does.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** How often to look whether npm, which started us, is still there. */
const parentCheckInterval = 500;

/**
 * Who started this process: its parent, and that one's parent where Linux tells. npm runs scripts through a shell, and
 * the shell outlives a killed npm.
 */
function ancestors(self) {
  try {
    const status = readFileSync(`/proc/${self.ppid}/status`, 'utf8');
    return `${self.ppid} ${/^PPid:\s*(\d+)$/m.exec(status)?.[1]}`;
  } catch {
    return String(self.ppid);
  }
}

/**
 * Runs the host until it ends; resolves to {code, signal}. Its output is passed on line by line; `onReady` gets the
 * address of its `READY <url>` line. Signals are passed on. With `followParent` the host also ends when the process
 * that started this one is gone, however that happened: a killed `npm start` leaves nothing running.
 */
export function runHost({
  command,
  args,
  cwd,
  env,
  onReady = () => {},
  followParent = false,
  process: self = process,
}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['inherit', 'pipe', 'inherit'] });
    createInterface({ input: child.stdout }).on('line', (line) => {
      self.stdout.write(`${line}\n`);
      const ready = /^READY (\S+)$/.exec(line);
      if (ready) onReady(ready[1]);
    });

    const passOn = {};
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
      passOn[signal] = () => {
        // A terminal sends Ctrl-C to the whole group: the host has it already.
        if (signal !== 'SIGINT' || !self.stdin.isTTY) child.kill(signal);
      };
      self.on(signal, passOn[signal]);
    }
    const starters = ancestors(self);
    const watch = followParent
      ? setInterval(() => {
          if (ancestors(self) !== starters) child.kill('SIGTERM');
        }, parentCheckInterval)
      : undefined;

    const finish = (result) => {
      clearInterval(watch);
      for (const [signal, listener] of Object.entries(passOn)) self.off(signal, listener);
      resolve(result);
    };
    child.on('error', (error) => {
      self.stderr.write(`${command} could not be started: ${error.message}\n`);
      finish({ code: 127, signal: null });
    });
    child.on('close', (code, signal) => finish({ code, signal }));
  });
}

/** Ends this process the way the host ended. */
export function endLike({ code, signal }) {
  if (signal !== null) process.kill(process.pid, signal);
  else process.exitCode = code ?? 1;
}

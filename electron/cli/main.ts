#!/usr/bin/env node
// The door for terminals and scripts: no window, no server, one answer.
import nodeModule from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostPaths, platformOf } from '../core/hostPaths';
import { optimiseLate, optimiseRarely } from '../node/rareOptimising';
import type { StopSignal } from './host';
import { loadKept } from './keptCode';
import { readPiped } from './piped';

const signalNumbers: Readonly<Record<StopSignal, number>> = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

/** The first signal is the command's to answer; who sends a second one does not want to wait for that. */
function onStop(listener: (signal: StopSignal) => void): () => void {
  let first = true;
  const heard = (signal: StopSignal): void => {
    if (!first) process.exit(128 + signalNumbers[signal]);
    first = false;
    listener(signal);
  };
  const signals = Object.keys(signalNumbers) as StopSignal[];
  for (const signal of signals) process.on(signal, heard);
  return () => {
    for (const signal of signals) process.off(signal, heard);
  };
}

// A reader that closes early, such as head, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
  throw error;
});

const surroundings = {
  dist: fileURLToPath(new URL('.', import.meta.url)),
  env: process.env,
  home: homedir(),
  platform: platformOf(process.platform),
  runsAsRoot: process.getuid?.() === 0,
};

// Before anything is loaded: compiled code counts only where the engine is set as it was when the code was compiled.
optimiseRarely();
optimiseLate();
// Node 22 can keep compiled code between starts, too, where none came with the program.
if ('enableCompileCache' in nodeModule && typeof nodeModule.enableCompileCache === 'function')
  nodeModule.enableCompileCache();
const { runCli } = loadKept(join(surroundings.dist, 'cli/verbs.cjs')) as typeof import('./verbs');
process.exitCode = await runCli(process.argv.slice(2), {
  paths: hostPaths(surroundings),
  platform: surroundings.platform,
  cwd: process.cwd(),
  surroundings,
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
  input: (options) => readPiped(process.stdin, options),
  onStop,
});

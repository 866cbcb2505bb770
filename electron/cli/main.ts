#!/usr/bin/env node
// The door for terminals and scripts: no window, no server, one answer.
import { homedir } from 'node:os';
import { hostPaths, platformOf } from '../core/hostPaths';
import { runCli } from './run';

const platform = platformOf(process.platform);

// A reader that closes early, such as head, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
  throw error;
});

process.exitCode = await runCli(process.argv.slice(2), {
  paths: hostPaths({ env: process.env, home: homedir(), platform }),
  platform,
  cwd: process.cwd(),
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
});

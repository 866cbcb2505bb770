// `gatehouse check`: would this call run, and why.

import { checkCall } from './checkCall';
import { checkCases } from './checkCases';
import { checkUsage, readCheckOptions } from './checkOptions';
import type { CliHost } from './host';
import { exitCodes } from './host';

/** Runs `check` with the words behind it. The value is the exit code. */
export async function check(args: readonly string[], host: CliHost): Promise<number> {
  const options = readCheckOptions(args);
  if (!options.ok) {
    host.err(`${options.error}\n\n${checkUsage}`);
    return exitCodes.badUsage;
  }
  switch (options.value.kind) {
    case 'help':
      host.out(checkUsage);
      return 0;
    case 'cases':
      return await checkCases(options.value.file, host);
    case 'call':
      return await checkCall(options.value, host);
  }
}

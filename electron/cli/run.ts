// Finds the verb and runs it.
import { check } from './check';
import { type CliHost, exitCodes } from './host';

type Verb = (args: readonly string[], host: CliHost) => Promise<number>;

const verbs: ReadonlyMap<string, Verb> = new Map<string, Verb>([['check', check]]);

const usage = `gatehouse check --tool NAME --input JSON   would this call run, and why
gatehouse check --cases FILE               decides the cases of a file

gatehouse check --help says more. The workspace itself starts with: npm start`;

/** Runs one command line (without program and script). The value is the exit code. */
export async function runCli(args: readonly string[], host: CliHost): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    host.out(usage);
    return name === undefined ? exitCodes.badUsage : 0;
  }
  const verb = verbs.get(name);
  if (verb === undefined) {
    host.err(`There is no command “${name}”. Known: ${[...verbs.keys()].join(', ')}.\n\n${usage}`);
    return exitCodes.badUsage;
  }
  return await verb(rest, host);
}

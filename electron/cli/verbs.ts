// Finds the verb and runs it. Each verb is loaded when it is asked for, so that the others cost it nothing.
import './plainChecks';
import { type CliHost, exitCodes } from './host';

type Verb = (args: readonly string[], host: CliHost) => Promise<number>;

const verbs: ReadonlyMap<string, () => Promise<Verb>> = new Map([
  ['run', async () => (await import('./run')).run],
  ['trace', async () => (await import('./trace')).trace],
  ['export', async () => (await import('./export')).exportVerb],
  ['check', async () => (await import('./check')).check],
  ['lint', async () => (await import('./lint')).lint],
  ['test', async () => (await import('./test')).test],
  ['diff', async () => (await import('./diff')).diff],
  ['replay', async () => (await import('./replay')).replay],
  ['doctor', async () => (await import('./doctor')).doctor],
]);

const usage = `gatehouse run -p "…" [folder]              one turn without a page
gatehouse trace SESSION CALL|last          what became of a call, step by step
gatehouse trace export SESSION             a session's trace for other programs
gatehouse export SESSION                   a conversation as Markdown, JSON or one HTML page
gatehouse check --tool NAME --input JSON   would this call run, and why
gatehouse check --cases FILE               decides the cases of a file
gatehouse lint [folder]                    what is wrong with the rules of a folder
gatehouse test [folder]                    runs the tests of its rules
gatehouse diff REV REV                     what a change of settings makes of dangerous calls
gatehouse replay --settings-draft FILE     what it would have made of past calls
gatehouse doctor [folder]                  whether commands can be confined here, and how they are

gatehouse VERB --help says more. The workspace itself starts with: npm start`;

/** Runs one command line (without program and script). The value is the exit code. */
export async function runCli(args: readonly string[], host: CliHost): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    host.out(usage);
    return name === undefined ? exitCodes.badUsage : 0;
  }
  const load = verbs.get(name);
  if (load === undefined) {
    host.err(`There is no command “${name}”. Known: ${[...verbs.keys()].join(', ')}.\n\n${usage}`);
    return exitCodes.badUsage;
  }
  const verb = await load();
  return await verb(rest, host);
}

// How a call would be confined, for the decision about it: inside, outside because somebody wants that, or not at all.

import type { CallFact } from '../tools/tool';
import type { CallFacts, CommandFact } from './callFacts';
import type { CommandPattern } from './matchCommand';

/** What the commands of a session run in. */
export interface CommandSandbox {
  /** There is a sandbox, and it is on. */
  readonly active: boolean;
  /** Why no command may run, with the remedy; empty when they may. */
  readonly refusal: string;
  /** A command in the sandbox needs no ask of its own. */
  readonly autoAllow: boolean;
  /** The model may ask to run a command outside. */
  readonly allowOutside: boolean;
  /** Commands that run outside, `where` in words for people. */
  readonly excluded: readonly { readonly text: string; readonly where: string; readonly pattern: CommandPattern }[];
}

/** How one call would be confined. */
export interface Confinement {
  /** Why it may not run at all, with the remedy; empty when it may. */
  readonly refusal: string;
  /** `asIs`: there is no sandbox, or nothing that one confines. */
  readonly runs: 'inside' | 'outside' | 'asIs';
  /** Why it runs outside; `detail` is a sentence for people. */
  readonly outside: { readonly kind: 'wanted' | 'excluded'; readonly detail: string } | null;
  /** What would only ask because no rule allows it runs. */
  readonly autoAllows: boolean;
}

const unconfined: Confinement = { refusal: '', runs: 'asIs', outside: null, autoAllows: false };

/** How the call would be confined. Pure. */
export function confinementOf(
  asked: readonly CallFact[],
  facts: CallFacts,
  sandbox: CommandSandbox | null,
): Confinement {
  const runsProgram = asked.some((fact) => fact.kind === 'command' || fact.kind === 'code');
  if (sandbox === null || !runsProgram) return unconfined;
  const { refusal } = sandbox;
  if (!sandbox.active) return { ...unconfined, refusal };
  const outside = outsideOf(asked, facts, sandbox);
  const runs = outside === null ? 'inside' : 'outside';
  // What no parser understood may be what a rule denies.
  const isUnderstood =
    facts.shellText !== null &&
    facts.shellProblems.length === 0 &&
    facts.commands.every((command) => command.never === null);
  return { refusal, runs, outside, autoAllows: sandbox.autoAllow && outside === null && isUnderstood };
}

function outsideOf(
  asked: readonly CallFact[],
  facts: CallFacts,
  { allowOutside, excluded }: CommandSandbox,
): Confinement['outside'] {
  const wanted = asked.some((fact) => fact.kind === 'command' && fact.outside === true);
  if (wanted && allowOutside)
    return {
      kind: 'wanted',
      detail: 'The model wants to run this outside of the sandbox: with your rights, your files and the network.',
    };
  // What is not understood whole never leaves the sandbox by itself.
  if (facts.shellProblems.length > 0) return null;
  for (const { text, where, pattern } of excluded) {
    const command = facts.commands.find((one) => isMeant(pattern, one));
    if (command !== undefined)
      return {
        kind: 'excluded',
        detail: `${command.text} runs outside of the sandbox, and with it the whole line: ${text} is in sandbox.excludedCommands (${where}).`,
      };
  }
  return null;
}

/** As an allow rule would know it; words that the shell fills in do not matter, but whether the name is sure does. */
function isMeant(pattern: CommandPattern, command: CommandFact): boolean {
  if (command.nested || command.never !== null) return false;
  if (pattern.exact) return command.exactForms.some((form) => pattern.matches(form));
  return command.starForms.some(
    ({ text, beyond }) =>
      // Among the exact forms it stands without variables that may change what runs.
      command.exactForms.includes(text) && (beyond === 0 || pattern.head.length > beyond) && pattern.matches(text),
  );
}

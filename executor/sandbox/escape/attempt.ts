// What an attempt to get out of the sandbox is. The lists are data; `escape.test.ts` runs each of them twice.
import type { SandboxPolicy } from '#shared/api/executor';

/** In the order of the table. */
export const kinds = [
  'writing outside',
  'protected places',
  'secrets',
  'other processes',
  'outliving the call',
  'network and sockets',
  'kernel and privileges',
  'terminal and devices',
  'limits',
  'programs that run code',
] as const;
export type Kind = (typeof kinds)[number];

/**
 * An attempt gets out when a word of it is heard outside: a file beside the folder changes, a listener hears the token, a
 * secret or the word REACHED is printed, the victim suffers, a process is left. Without a sandbox that must happen, or
 * the attempt proves nothing here; in the sandbox it must not.
 *
 * Without a sandbox nothing holds it, and who runs the tests may be root: a script touches its world and its own processes
 * alone, asks for rights on what belongs to the machine without using them, or sets what is set already.
 *
 * Every script runs in its own world, with these variables: PLACE (the world's folder), OUT (`outside` in it, where
 * nothing may change), HOME (`home` in it), TOKEN (what listeners wait for), and those of the listeners, see `listeners.ts`.
 */
export interface Attempt {
  readonly kind: Kind;
  readonly name: string;
  /** For bash, begins in `work` of the world. */
  readonly script: string;
  /** What the command itself prints where it is held: it was this that held it, not a lack of programs. */
  readonly held: RegExp;
  /** What a person does later, in the same folder and outside of the sandbox. */
  readonly later?: string;
  /** Programs without which it cannot be tried. */
  readonly needs?: readonly string[];
  /** A process outside: VICTIM is its number. */
  readonly victim?: true;
  /** `work` is a repository with one commit. */
  readonly repository?: true;
  /** `network` is off when left out; where hosts are asked about, none is allowed. */
  readonly policy?: Partial<Pick<SandboxPolicy, 'limits' | 'unixSockets' | 'network'>> & {
    /** Of the world. */
    readonly writable?: readonly string[];
  };
  /** How long the command may run; 10 seconds when left out. */
  readonly timeoutMs?: number;
}

/** A list of attempts of one kind. */
export function attemptsOf(kind: Kind, list: readonly Omit<Attempt, 'kind'>[]): readonly Attempt[] {
  return list.map((attempt) => ({ kind, ...attempt }));
}

import { z } from 'zod';
import { call } from '../rpc/contract';

/** A command or skill that can be typed as `/name`. */
export const TypedCommand = z.strictObject({
  name: z.string(),
  kind: z.enum(['command', 'skill']),
  source: z.enum(['user', 'project']),
  description: z.string(),
  /** What is typed behind the name: "[file]". Empty: nothing in particular. */
  argumentHint: z.string(),
  file: z.string(),
  /** Rules that count while its turn runs. */
  allows: z.array(z.string()),
  denies: z.array(z.string()),
});
export type TypedCommand = z.infer<typeof TypedCommand>;

export const commandCalls = {
  /**
   * What can be typed in a session, by name, as the files are now. `waiting`: files of its folder, memory and agents
   * included, that count once the folder is trusted. `problems`: what was left out and why.
   */
  'commands.list': call(
    z.strictObject({ sessionId: z.string().min(1).max(100) }),
    z.strictObject({ commands: z.array(TypedCommand), waiting: z.array(z.string()), problems: z.array(z.string()) }),
  ),
};

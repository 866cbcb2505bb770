import { join } from 'node:path';
import { z } from 'zod';
import { runGit } from '../../worktrees/runGit';
import { gitCommands, isWorktreeName, waysTo, worktreeAt, worktreeNamed } from '../../worktrees/worktrees';
import { buildTool } from '../buildTool';
import { rejection } from '../changeTarget';
import type { Validation, ValidationContext } from '../tool';
import prompt from './enterWorktree.prompt.md';

const inputSchema = () =>
  z.strictObject({
    name: z
      .string()
      .refine(isWorktreeName, 'expected 1 to 40 letters, digits, ".", "_" or "-", beginning with a letter or digit')
      .describe('Name of the new worktree: letters, digits, ".", "_", "-". Its branch is called worktree-<name>.'),
  });

type Input = z.infer<ReturnType<typeof inputSchema>>;

export interface WorktreeOptions {
  /** Why there can be none; empty when there can. */
  readonly whyNot: () => string;
  /** Makes the folder of worktrees, out of sight of the checkout's `git status`. Never rejects. */
  readonly prepare: (folder: string) => Promise<void>;
}

/** Makes a worktree and moves the session's commands into it. */
export function createEnterWorktreeTool({ whyNot, prepare }: WorktreeOptions) {
  return buildTool<Input, { readonly cwd: string }>({
    name: 'EnterWorktree',
    searchHint: 'git worktree, work on a branch apart',
    prompt,
    icon: 'terminal',
    inputSchema,
    shouldDefer: true,
    isEnabled: () => whyNot() === '',
    unavailableReason: whyNot,
    facts: ({ name }, { folder }) => [
      { kind: 'command', command: gitCommands.add(worktreeNamed(folder, name)), cwd: folder },
    ],
    validateInput: (input, context) => checked(input, context),
    async call({ name }, context) {
      const worktree = worktreeNamed(context.folder, name);
      await prepare(context.folder);
      await runGit(context, gitCommands.add(worktree));
      context.setCwd(worktree.path);
      return { cwd: worktree.path };
    },
    mapResult: ({ cwd }, { name }) => [
      {
        type: 'text',
        text: `The worktree is made, on the new branch worktree-${name}. Commands start in ${cwd} from now on; use paths below it. Leave it with ExitWorktree.`,
      },
    ],
    getToolUseSummary: ({ name }) => name,
    getActivityDescription: ({ name }) => `Making the worktree ${name}`,
    toAutoClassifierInput: ({ name }) => `make a git worktree called ${name} below the folder and work there`,
    renderUse: ({ name }, { folder }) => ({
      kind: 'terminal',
      command: gitCommands.add(worktreeNamed(folder, name)),
    }),
    renderResult: ({ cwd }, { name }) => ({ view: { kind: 'text', text: cwd }, note: `on branch worktree-${name}` }),
  });
}

async function checked({ name }: Input, { folder, cwd, inspect }: ValidationContext): Promise<Validation> {
  const present = worktreeAt(folder, cwd);
  if (present !== null)
    return rejection(
      'inWorktree',
      `The session works in the worktree ${present.name} already. Leave it with ExitWorktree first.`,
    );
  const git = await inspect.stat(join(folder, '.git'));
  if (git.kind === 'failure' || !git.exists || git.isLink)
    return rejection(
      'noRepository',
      `${folder} is not the top folder of a git checkout, so it can have no worktrees here.`,
    );
  for (const way of waysTo(folder)) {
    const found = await inspect.stat(way);
    if (found.kind === 'stat' && found.exists && (found.isLink || found.type !== 'folder'))
      return rejection(
        'notFolder',
        `${way} is a link or no folder. Worktrees are made in it only when it is a folder.`,
      );
  }
  const { path } = worktreeNamed(folder, name);
  const there = await inspect.stat(path);
  if (there.kind === 'failure' || there.exists)
    return rejection('exists', `${path} exists already. Choose another name, or go on in it with cd in Bash.`);
  return { verdict: 'ok' };
}

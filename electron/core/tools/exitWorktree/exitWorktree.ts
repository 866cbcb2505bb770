import { z } from 'zod';
import { runGit } from '../../worktrees/runGit';
import { gitCommands, type Worktree, worktreeAt } from '../../worktrees/worktrees';
import { buildTool } from '../buildTool';
import { rejection } from '../changeTarget';
import type { WorktreeOptions } from '../enterWorktree/enterWorktree';
import { semanticBoolean } from '../semanticInput';
import { type CallContext, type CallPlace, ToolFailure } from '../tool';
import prompt from './exitWorktree.prompt.md';

const inputSchema = () =>
  z.strictObject({
    action: z.enum(['keep', 'remove']).describe('"keep" leaves folder and branch; "remove" deletes both.'),
    discard_changes: semanticBoolean()
      .optional()
      .describe('With "remove": delete uncommitted changes and unmerged commits too. The person is asked.'),
  });

type Input = z.infer<ReturnType<typeof inputSchema>>;

interface Output {
  readonly worktree: Worktree;
  readonly folder: string;
  readonly removed: boolean;
}

/** Goes back to the main checkout; what nobody else has is deleted only with the person's word. */
export function createExitWorktreeTool({ whyNot }: Pick<WorktreeOptions, 'whyNot'>) {
  return buildTool<Input, Output>({
    name: 'ExitWorktree',
    searchHint: 'leave a git worktree, keep or remove it',
    prompt,
    icon: 'terminal',
    inputSchema,
    shouldDefer: true,
    isEnabled: () => whyNot() === '',
    unavailableReason: whyNot,
    isDestructive: discards,
    facts: (input, place) =>
      commandsOf(input, place).map((command) => ({ kind: 'command', command, cwd: place.folder })),
    checkPermissions: (input) =>
      discards(input)
        ? { behavior: 'ask', detail: 'it deletes changes that nobody else has' }
        : { behavior: 'allow', detail: 'It deletes nothing that is not kept elsewhere.' },
    validateInput: (_input, { folder, cwd }) =>
      Promise.resolve(
        worktreeAt(folder, cwd) === null
          ? rejection('notInWorktree', 'The session works in no worktree, so there is none to leave.')
          : { verdict: 'ok' },
      ),
    async call(input, context) {
      const { folder, cwd } = context;
      const worktree = worktreeAt(folder, cwd);
      if (worktree === null) throw new ToolFailure('validation', 'The session works in no worktree any more.');
      const removed = input.action === 'remove';
      if (removed) await remove(input, worktree, context);
      context.setCwd(folder);
      return { worktree, folder, removed };
    },
    mapResult: ({ worktree, folder, removed }) => [
      {
        type: 'text',
        text: `Commands start in ${folder} again. The worktree ${worktree.name} and its branch ${worktree.branch} are ${
          removed ? 'deleted' : `kept in ${worktree.path}`
        }.`,
      },
    ],
    getToolUseSummary: (input) => (discards(input) ? 'remove, with all changes' : input.action),
    getActivityDescription: () => 'Leaving the worktree',
    toAutoClassifierInput: (input) =>
      `leave the git worktree: ${input.action}${discards(input) ? ', discarding changes' : ''}`,
    renderUse(input, place) {
      const commands = commandsOf(input, place);
      return commands.length === 0
        ? { kind: 'text', text: 'Back to the main checkout; folder and branch stay.' }
        : { kind: 'terminal', command: commands.join('\n') };
    },
    renderResult: ({ worktree, removed }) => ({
      view: { kind: 'text', text: worktree.path },
      note: removed ? 'worktree and branch deleted' : 'worktree kept',
    }),
  });
}

function discards({ action, discard_changes: discard }: Input): boolean {
  return action === 'remove' && discard === true;
}

function commandsOf(input: Input, { folder, cwd }: Pick<CallPlace, 'folder' | 'cwd'>): readonly string[] {
  const worktree = worktreeAt(folder, cwd);
  if (worktree === null || input.action === 'keep') return [];
  if (discards(input)) return [gitCommands.discard(worktree)];
  return [gitCommands.uncommitted(worktree), gitCommands.unmerged(worktree), gitCommands.remove(worktree)];
}

async function remove(input: Input, worktree: Worktree, context: CallContext): Promise<void> {
  if (discards(input)) {
    await runGit(context, gitCommands.discard(worktree));
    return;
  }
  const uncommitted = await runGit(context, gitCommands.uncommitted(worktree));
  if (uncommitted !== '') throw kept('has changes that are not committed', uncommitted);
  const unmerged = await runGit(context, gitCommands.unmerged(worktree));
  if (unmerged !== '') throw kept('has commits that no other branch has', unmerged);
  await runGit(context, gitCommands.remove(worktree));
}

function kept(why: string, what: string): ToolFailure {
  const next =
    'Commit and merge them, keep the worktree with "keep", or, if the person wants them gone, repeat with discard_changes.';
  return new ToolFailure('validation', `Nothing was deleted: the worktree ${why}.\n\n${what}\n\n${next}`, {
    note: 'kept',
  });
}

// The git worktree of a sub-agent: made before it begins, removed behind it where it left nothing, kept where it did.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { runGit } from '../../worktrees/runGit';
import {
  gitCommands,
  isInWorktrees,
  type Worktree,
  waysTo,
  worktreeAt,
  worktreeNamed,
} from '../../worktrees/worktrees';
import { rejection } from '../changeTarget';
import {
  type CallContext,
  type CallFact,
  type CallPlace,
  ToolFailure,
  type Validation,
  type ValidationContext,
} from '../tool';
import { oneLine } from '../wording';

type Place = Pick<CallPlace, 'callId' | 'folder' | 'cwd'>;

/** What became of it, for the model and the card. */
export interface WorktreeEnd {
  readonly path: string;
  readonly branch: string;
  readonly kept: boolean;
  /** Why it was kept: a clause. */
  readonly why: string;
}

/** Its name follows from the call, so that everybody who judges the call knows the command that will run. */
export function agentWorktree({ callId, folder }: Place): Worktree {
  return worktreeNamed(folder, `agent-${createHash('sha256').update(callId).digest('hex').slice(0, 10)}`);
}

/** The command that makes it, from the commit that the caller works on. */
export function addCommand(place: Place): string {
  return gitCommands.add(agentWorktree(place), worktreeAt(place.folder, place.cwd)?.branch);
}

/** The commands that look at it and remove it; only the last two can need a rule, and the last deletes what others have. */
const settling = {
  uncommitted: () => 'git status --porcelain --untracked-files=all',
  unmerged: ({ branch }: Worktree) =>
    `git log --no-decorate --oneline --max-count=20 HEAD ${branch} --not --exclude=${branch} --branches --tags --remotes`,
  remove: ({ below }: Worktree) => `git worktree remove ${below}`,
  forget: ({ branch }: Worktree) => `git branch --quiet -D ${branch}`,
} as const;

/** What an agent with a worktree touches before and after its own calls. Looking at it happens in it. */
export function worktreeFacts(place: Place): readonly CallFact[] {
  const worktree = agentWorktree(place);
  const { uncommitted, unmerged, remove, forget } = settling;
  const run = (command: string, cwd: string): CallFact => ({ kind: 'command', command, cwd });
  return [
    run(addCommand(place), place.folder),
    run(uncommitted(), worktree.path),
    run(unmerged(worktree), worktree.path),
    run(remove(worktree), place.folder),
    run(forget(worktree), place.folder),
  ];
}

/** Why there can be none here. */
export async function checkWorktree(context: ValidationContext): Promise<Validation> {
  const { folder, inspect } = context;
  const no = (why: string) => rejection('noWorktree', `${why} Leave \`isolation\` out.`);
  if (isInWorktrees(folder)) return no('An agent that works in a worktree starts no agents with a worktree.');
  const git = await inspect.stat(join(folder, '.git'));
  if (git.kind === 'failure' || !git.exists || git.isLink)
    return no(`${folder} is not the top folder of a git checkout, so an agent can have no worktree here.`);
  for (const way of waysTo(folder)) {
    const found = await inspect.stat(way);
    if (found.kind === 'stat' && found.exists && (found.isLink || found.type !== 'folder'))
      return no(`${way} is a link or no folder, so no worktree is made in it.`);
  }
  const { path } = agentWorktree(context);
  const there = await inspect.stat(path);
  return there.kind === 'failure' || there.exists ? no(`${path} exists already.`) : { verdict: 'ok' };
}

/** Most of a stopped call's grace that looking and removing may take together. */
const settleMs = 6_000;

/** Removes it where it holds nothing that is not elsewhere too. What cannot be told or removed is kept. */
export async function settleWorktree(
  { folder, signal, executor, afterStop }: CallContext,
  worktree: Worktree,
): Promise<WorktreeEnd> {
  const { path, branch } = worktree;
  const kept = (why: string): WorktreeEnd => ({ path, branch, kept: true, why });
  const usable = signal.aborted ? afterStop?.(settleMs) : executor;
  if (usable === undefined) return kept('it was stopped');
  const context = { folder, executor: usable };
  try {
    if ((await runGit(context, settling.uncommitted(), path)) !== '')
      return kept('it has changes that are not committed');
    if ((await runGit(context, settling.unmerged(worktree), path)) !== '')
      return kept('it has commits that no other branch has');
    await runGit(context, settling.remove(worktree));
    await runGit(context, settling.forget(worktree));
    return { path, branch, kept: false, why: '' };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    return kept(`git could not remove it: ${oneLine(error.message.split('\n').at(-1) ?? '', 200)}`);
  }
}

/** One sentence on where its work is. */
export function worktreeInWords({ path, branch, kept, why }: WorktreeEnd): string {
  if (!kept) return 'It left no changes, so its worktree and branch are deleted.';
  return `Its worktree is kept, because ${why}: ${path}, branch ${branch}.`;
}

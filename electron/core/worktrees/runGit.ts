import { type CallContext, ToolFailure } from '../tools/tool';
import { headOf } from '../tools/wording';

/** A checkout of a large repository takes its time. */
const timeoutMs = 120_000;
const maxChars = 4_000;

/** Runs one granted git command in the session's folder or in `cwd` and returns what it printed. Throws ToolFailure when it fails. */
export async function runGit(
  context: Pick<CallContext, 'executor' | 'folder'>,
  command: string,
  cwd = context.folder,
): Promise<string> {
  const running = await context.executor.start({ command, cwd, timeoutMs, outputFile: null });
  const result = await running.ended;
  if (result.kind === 'failure') throw new ToolFailure('tool', result.message, { note: 'git was not started' });
  const text = headOf(running.capture.plain(maxChars).trim(), maxChars);
  if (result.exitCode === 0) return text;
  const why = result.timedOut ? 'it took longer than two minutes' : text === '' ? 'it said nothing' : text;
  throw new ToolFailure('tool', `This did not succeed: ${command}\n\n${why}`, { note: 'git failed' });
}

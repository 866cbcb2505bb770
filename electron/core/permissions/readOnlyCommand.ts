import { judgeReadOnly } from './readOnly';
import { analyseShell, maxCommandLength } from './shell/analyse';
import { secondParser } from './shell/treeSitter';
import type { ShellRedirect } from './shell/walk';

/**
 * The static classifier of shell text: true only when every command of the line is known to change nothing and no
 * redirect writes a file. It serves scheduling and display; permission is decided by `decide` alone.
 */
export function isReadOnlyCommand(command: string): boolean {
  const known = answers.get(command);
  if (known !== undefined) return known;
  const answer = judge(command);
  // What was said before the second parser was there must not stay.
  if (secondParser() === null || command.length > maxCommandLength) return answer;
  const oldest = answers.size >= maxAnswers ? answers.keys().next().value : undefined;
  if (oldest !== undefined) answers.delete(oldest);
  answers.set(command, answer);
  return answer;
}

/** Asked several times for one call. */
const answers = new Map<string, boolean>();
const maxAnswers = 500;

function judge(command: string): boolean {
  const { parts, redirects, problems } = analyseShell({ command, cwd: '/', home: '/' });
  const commands = parts.filter((part) => !part.nested);
  return (
    problems.length === 0 &&
    commands.length > 0 &&
    commands.every((part) => judgeReadOnly(part, '/').yes) &&
    !redirects.some(writesFile)
  );
}

function writesFile({ operator, target }: ShellRedirect): boolean {
  if (!operator.includes('>')) return false;
  const duplicates = operator.endsWith('&') && /^(\d+-?|-)$/.test(target.value);
  return !duplicates && target.value !== '/dev/null';
}

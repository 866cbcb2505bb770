import { judgeReadOnly } from './readOnly';
import { analyseShell } from './shell/analyse';
import type { ShellRedirect } from './shell/walk';

/**
 * The static classifier of shell text: true only when every command of the line is known to change nothing and no
 * redirect writes a file. It serves scheduling and display; permission is decided by `decide` alone.
 */
export function isReadOnlyCommand(command: string): boolean {
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

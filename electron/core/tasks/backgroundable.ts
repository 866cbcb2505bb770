// Whether a command that reaches its timeout may go on in the background instead of being stopped.
import { analyseShell } from '../permissions/shell/analyse';
import { isPlainSequence } from '../tools/bash/commandShape';

/**
 * False for commands that only wait, for anything with git (a repository left half changed is worse than a stopped
 * command), and for what is more than plain commands one after the other: loops and jobs of their own may never end.
 */
export function mayGoOnInBackground(command: string): boolean {
  const { parts, problems } = analyseShell({ command, cwd: '/', home: '/' });
  if (parts.length === 0 || problems.length > 0 || !isPlainSequence(command)) return false;
  if (parts.some((part) => part.words[0]?.literal === false)) return false;
  const names = parts.map((part) => (part.words[0]?.value ?? '').replace(/^.*\//, ''));
  return names[0] !== 'sleep' && !names.includes('git') && !/\bgit\b/.test(command);
}

// Which commands and skills fit what has been typed so far.
import type { TypedCommand } from '#shared/api/commands';

/** Most that are shown. */
const maxShown = 50;

/** Whether a text may become a typed command: a slash and a part of a name, nothing else. */
export function isCommandStart(text: string): boolean {
  return /^\/[\w:.-]*$/.test(text);
}

/** Names that begin with what was typed come first, then those that contain it, then descriptions that do. */
export function commandMatches(text: string, commands: readonly TypedCommand[]): readonly TypedCommand[] {
  if (!isCommandStart(text)) return [];
  const typed = text.slice(1).toLowerCase();
  const rank = ({ name, description }: TypedCommand): number => {
    const at = name.toLowerCase().indexOf(typed);
    if (at === 0) return 0;
    if (at > 0) return 1;
    return description.toLowerCase().includes(typed) ? 2 : 3;
  };
  return commands
    .filter((command) => rank(command) < 3)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, maxShown);
}

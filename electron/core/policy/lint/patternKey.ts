// Forms of command patterns that can be compared as texts.
import type { CommandPattern } from '../../permissions/matchCommand';

/** The text that equal patterns share, however they were written: `git push:*` and `git push *`. */
export function patternKey({ exact, head, pieces }: CommandPattern): string {
  if (exact) return `=${head}`;
  return pieces.length === 0 ? `${head} *` : `~${pieces.join('*')}`;
}

/** `git` of `git *`: what matches is the word alone or goes on behind a blank. Null for other patterns. */
export function prefixOf({ exact, head, pieces }: CommandPattern): string | null {
  return !exact && pieces.length === 0 ? head : null;
}

/** `git` of `git*`: what matches goes on anyhow. Null for other patterns. */
export function beginningOf({ exact, head, pieces }: CommandPattern): string | null {
  return !exact && pieces.length === 2 && pieces[1] === '' && head !== '' ? head : null;
}

/** Whether everything that a pattern matches has its head as a word of its own in front: `a b` has, `a b*` has not. */
export function endsWholeWord({ exact, head, endsAtWord }: CommandPattern): boolean {
  return exact || endsAtWord || head.endsWith(' ');
}

const reserved: ReadonlySet<string> = new Set(
  'time if while until for case select do done then else elif fi esac function coproc in ! { }'.split(' '),
);

/** One command of words that mean themselves: no quotes, operators, variables or patterns. */
export function isPlainCommand(text: string): boolean {
  if (!/^[\w@%+=:,./-]+( [\w@%+=:,./-]+)*$/.test(text)) return false;
  const [name = ''] = text.split(' ', 1);
  return !name.includes('=') && !reserved.has(name);
}

/** Wrappers that allow rules look through. */
const wrappers = ['nohup', 'noglob', 'builtin', 'xargs', 'time', 'command', 'nice', 'stdbuf', 'timeout'];

/** Whether what a pattern matches may begin with a wrapper, whose length a rule's fixed beginning has to pass. */
export function mayBeginWithWrapper(pattern: CommandPattern): boolean {
  const blank = pattern.head.indexOf(' ');
  const word = blank === -1 ? pattern.head : pattern.head.slice(0, blank);
  const whole = blank !== -1 || pattern.exact || pattern.endsAtWord;
  return wrappers.some((name) => (whole ? name === word : name.startsWith(word)));
}

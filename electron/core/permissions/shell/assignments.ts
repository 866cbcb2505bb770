// Variables that may stand before an allowed command, because their value cannot make it do something else.
import type { ShellWord } from './words';

const free: ReadonlySet<string> = new Set(
  (
    'CI NODE_ENV LANGUAGE TZ TERM COLORTERM NO_COLOR FORCE_COLOR COLUMNS LINES GOOS GOARCH CGO_ENABLED GO111MODULE ' +
    'RUST_LOG RUST_BACKTRACE PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE GIT_TERMINAL_PROMPT ANTHROPIC_API_KEY LS_COLORS ' +
    'GREP_COLORS CLICOLOR CHARSET TIME_STYLE BLOCK_SIZE'
  ).split(' '),
);

const locales: ReadonlySet<string> = new Set(['LANG', 'LC_ALL', 'LC_CTYPE']);
const knownLocale = /^(C|POSIX|C\.(UTF-8|utf8)|en_US\.(UTF-8|utf8))$/;

/** A leading `NAME=value`. `word` is null for arrays and indexed names. */
export interface ShellAssignment {
  readonly name: string;
  readonly text: string;
  readonly append: boolean;
  readonly word: ShellWord | null;
}

/**
 * Whether an assignment changes nothing that matters. Quoted, empty and appended values are not taken for safe: they
 * are rare, and each is a way to hide something.
 */
export function isSafeAssignment(assignment: ShellAssignment): boolean {
  const { name, word, append } = assignment;
  if (append || word === null || !word.literal || word.text !== word.value) return false;
  if (locales.has(name)) return knownLocale.test(word.value);
  return free.has(name) && /^[A-Za-z0-9_+,=.:@%-]+$/.test(word.value) && !/^[.:]/.test(word.value);
}

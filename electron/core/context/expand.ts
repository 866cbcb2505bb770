// A command's or skill's text with its arguments in place.

import { folderOf, type Skill } from './definitions';
import { splitOutside } from './frontMatter';

/** Longest text with its arguments, in characters. */
const maxExpanded = 100_000;

/**
 * `$ARGUMENTS` is all of them as typed, `$1` to `$99` and `$ARGUMENTS[0]` single ones, `$name` those that the head names.
 * Where the text takes none, they follow it.
 */
export function expandSkill(about: {
  readonly skill: Skill;
  readonly args: string;
  readonly sessionId: string;
}): string {
  const { skill, args, sessionId } = about;
  const typed = args.trim();
  const words = splitOutside(typed, /\s/).map(unquoted);
  const names = new Map(skill.argumentNames.map((name, index) => [name, words[index] ?? '']));
  let used = false;
  const filled = skill.body.replaceAll(
    /\$(?:\{(CLAUDE_SKILL_DIR|CLAUDE_SESSION_ID)\}|ARGUMENTS(?:\[(\d{1,2})\])?|(\d{1,2})(?!\d)|([A-Za-z_]\w*))/g,
    (whole: string, variable?: string, index?: string, position?: string, name?: string) => {
      if (variable === 'CLAUDE_SKILL_DIR') return folderOf(skill);
      if (variable === 'CLAUDE_SESSION_ID') return sessionId;
      if (name !== undefined && !names.has(name)) return whole;
      if (position === '0') return whole;
      used = true;
      if (name !== undefined) return names.get(name) ?? '';
      if (position !== undefined) return words[Number(position) - 1] ?? '';
      return index === undefined ? typed : (words[Number(index)] ?? '');
    },
  );
  const whole = used || typed === '' ? filled : `${filled}\n\nArguments: ${typed}`;
  return whole.length > maxExpanded ? `${whole.slice(0, maxExpanded)}\n(cut after ${maxExpanded} characters)` : whole;
}

/** What the model gets: where the text comes from, how to read it, the text. */
export function skillText(about: {
  readonly skill: Skill;
  /** As typed. */
  readonly args: string;
  readonly sessionId: string;
}): string {
  const { skill } = about;
  const text = expandSkill(about);
  const lines = [
    `The ${skill.kind} ${skill.name}, from ${skill.file}${skill.kind === 'skill' ? ` (its own files lie in ${folderOf(skill)})` : ''}:`,
    '',
    text,
  ];
  if (/(^|\s)!`[^`\n]+`/.test(text))
    lines.push('', 'Where it says !`command`, run that command with Bash first and read its output in that place.');
  if (skill.fork) {
    const kind = skill.agent === null ? '' : ` of the kind ${skill.agent}`;
    lines.push(
      '',
      `This is work for a sub-agent: start one${kind} with the Agent tool and give it the text above whole.`,
    );
  }
  if (/(^|\s)@[\w./~-]/.test(text)) lines.push('', 'Where it says @path, read that file first.');
  return lines.join('\n');
}

/** `/name rest` as typed; null for everything else, such as a path. */
export function typedCommand(text: string): { readonly name: string; readonly args: string } | null {
  const found = /^\/([A-Za-z0-9][A-Za-z0-9_:.-]{0,79})(?:\s+([\s\S]*))?$/.exec(text.trim());
  return found === null ? null : { name: found[1] ?? '', args: found[2] ?? '' };
}

function unquoted(word: string): string {
  return (
    /^"(.*)"$|^'(.*)'$/s
      .exec(word)
      ?.slice(1)
      .find((one) => one !== undefined) ?? word
  );
}

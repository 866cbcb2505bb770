// What the rehearsal model says about a step that is over, from the real content of its results.
import type { FinishedStep } from './progress';
import type { PastResult } from './request';
import type { Step } from './steps';

/** Longest piece of a result that is quoted, in characters. */
const longestQuote = 160;

/** A step as words that follow "to": "run `npm test`". */
export function stepInWords(step: Step): string {
  switch (step.kind) {
    case 'read':
      return `read ${step.files.map((file) => `\`${file}\``).join(', ')}`;
    case 'run':
      return `run \`${step.command}\``;
    case 'find':
      return `find “${step.text}” in \`${step.path}\``;
    case 'list':
      return `list \`${step.pattern}\``;
    case 'replace':
      return `replace “${step.from}” with “${step.to}” in \`${step.file}\``;
    case 'write':
      return `write \`${step.file}\``;
    case 'ask':
      return `ask “${step.question}”`;
    case 'plan':
      return 'put up a list of tasks';
    case 'use':
      return `use ${step.tool}`;
    case 'count':
      return `count to ${step.upTo}`;
    case 'unknown':
      return `“${step.text}”`;
  }
}

/** One line on a step that went well. */
export function commentOn({ step, results }: FinishedStep): string {
  const [first] = results;
  const text = first?.text ?? '';
  switch (step.kind) {
    case 'read':
      return step.files.map((file, index) => readComment(file, results[index])).join('; ');
    case 'run':
      return runComment(step.command, text);
    case 'find': {
      const lines = found(text);
      return foundNothing.test(text) || lines.length === 0
        ? `“${step.text}” was not found in \`${step.path}\``
        : `“${step.text}” in \`${step.path}\`: ${amount(lines.length, 'line')}, the first is ${quote(lines[0])}`;
    }
    case 'list': {
      const files = found(text);
      return foundNothing.test(text) || files.length === 0
        ? `no file fits \`${step.pattern}\``
        : `\`${step.pattern}\`: ${amount(files.length, 'file')}, the first is ${quote(files[0])}`;
    }
    case 'replace':
      return `\`${step.file}\` is changed: “${step.from}” is now “${step.to}”`;
    case 'write':
      return `\`${step.file}\` is written, ${amount(step.text.trimEnd().split('\n').length, 'line')}`;
    case 'ask':
      return `your answer: ${quote(/→ (.+)$/m.exec(text)?.[1] ?? text)}`;
    case 'plan':
      return `the list is up, ${amount(step.items.length, 'task')}`;
    case 'use': {
      const lines = nonEmpty(text);
      const said = first?.isImage === true ? 'an image' : lines.length === 0 ? 'nothing' : quote(lines[0]);
      return `${step.tool} gave ${said}${lines.length > 1 ? ` and ${amount(lines.length - 1, 'more line')}` : ''}`;
    }
    case 'count':
    case 'unknown':
      return '';
  }
}

/** A paragraph on the step that ended the chain. */
export function haltComment({ step, results }: FinishedStep): string {
  const culprit = results.find((result) => result.isError) ?? results[0];
  const text = culprit?.text ?? '';
  const code = exitCodeOf(text);
  const what = sentenceCase(stepInWords(step));
  if (interrupted.test(text)) return `${what}: that was interrupted, so I stop here.`;
  if (denied.test(text)) return `${what}: that was denied, so I stop here. I was told: ${quote(text)}`;
  if (step.kind === 'run' && code !== null)
    return `${what}: the command ended with exit code ${code}, so I stop here. ${lastLineComment(text)}`;
  return `${what}: that failed, so I stop here. I was told: ${quote(text)}`;
}

// How results begin, as the tools word them: the words of a program further down mean nothing here.
const interrupted = /^\W*(?:the (?:command|call) was |request )?interrupted\b/i;
const denied = /^\W*(?:permission denied\b|denied\b|the person (?:denied|declined|did not)\b)/i;
const foundNothing = /^\W*(?:no (?:matches|match|files|lines|results)|nothing)\b/i;
const printedNothing = /\bprinted nothing\.$|^\(no output\)$/;
const emptyFile = /\bis empty\.$/;

/** Exit code that a line of a command's result names; null when none does. */
function exitCodeOf(text: string): number | null {
  const code = /^exit code (-?\d+)\b/im.exec(text)?.[1];
  return code === undefined ? null : Number(code);
}

/** Lines of the whole file when Read says that it showed only a part; null when it showed all. */
export function linesWhenPartial(readResult: string): number | null {
  const total = /^\[PARTIAL: .* of ([\d,]+)\b/m.exec(readResult)?.[1];
  return total === undefined ? null : Number(total.replaceAll(',', ''));
}

/** Lines of a file as Read shows them, without their numbers. */
export function linesIn(readResult: string): readonly string[] {
  const numbered = readResult.split('\n').flatMap((line) => {
    const match = /^\s*\d+(?:→|\t|: |\|)(.*)$/.exec(line);
    return match?.[1] === undefined ? [] : [match[1]];
  });
  return numbered.length > 0 ? numbered : readResult.split('\n');
}

function readComment(file: string, result: PastResult | undefined): string {
  if (result === undefined) return `\`${file}\` gave no result`;
  if (result.isImage) return `\`${file}\` is an image`;
  const lines = linesIn(result.text);
  const first = lines.find((line) => line.trim() !== '');
  if (first === undefined || (lines.length === 1 && emptyFile.test(first))) return `\`${file}\` is empty`;
  return `\`${file}\`: ${amount(linesWhenPartial(result.text) ?? lines.length, 'line')}, beginning with ${quote(first)}`;
}

function runComment(command: string, text: string): string {
  const code = exitCodeOf(text) ?? 0;
  const kept = text.includes('<persisted-output>')
    ? 'Its output is long and was kept in a file.'
    : lastLineComment(text);
  return `\`${command}\` ended with exit code ${code}. ${kept}`.trim();
}

function lastLineComment(text: string): string {
  const lines = nonEmpty(text).filter((line) => !/^exit code -?\d+\b/i.test(line));
  const last = lines.at(-1);
  return last === undefined || printedNothing.test(last) ? 'It printed nothing.' : `Its last line is ${quote(last)}.`;
}

/** What a search found, without the lines in brackets that say something about it. */
function found(text: string): string[] {
  return nonEmpty(text).filter((line) => !/^\[(?:Paths start from|Lines|The first) .*\]$/.test(line));
}

function nonEmpty(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

function quote(text: string | undefined): string {
  const flat = (text ?? '').replace(/\s+/g, ' ').trim();
  const short = flat.length > longestQuote ? `${[...flat].slice(0, longestQuote).join('')}…` : flat;
  return `“${short}”`;
}

function amount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

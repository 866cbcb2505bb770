// A conversation as Markdown.
import type { WrittenCall, WrittenConversation, WrittenEntry } from './conversationDocument';
import { oneLine, outcomeText, type Reading, readable, seen, spanText, timeText } from './conversationText';

/** Writes it. */
export function markdownOf(conversation: WrittenConversation, { remark, longest }: Reading): string {
  const { title, folder, model, startedAt, endedAt, entries } = conversation;
  const parts = [
    `# ${inline(title)}`,
    [
      `- Folder: ${code(folder)}`,
      `- Time: ${spanText(startedAt, endedAt)}`,
      ...(model === '' ? [] : [`- Model: ${inline(model)}`]),
      `- ${inline(remark)}`,
    ].join('\n'),
  ];
  let last: WrittenEntry['kind'] | null = null;
  for (const entry of entries) {
    parts.push(...entryParts(entry, last, longest));
    last = entry.kind;
  }
  return `${parts.join('\n\n')}\n`;
}

function entryParts(entry: WrittenEntry, last: WrittenEntry['kind'] | null, longest: number): string[] {
  switch (entry.kind) {
    case 'person':
      return [`## You · ${timeText(entry.at)}`, quoted(seen(entry.text))];
    case 'answer':
      return [...(last === 'answer' || last === 'call' ? [] : ['## Model']), plainMarkdown(seen(entry.text))];
    case 'summary':
      return ['## Summary of what came before', plainMarkdown(seen(entry.text))];
    case 'notice':
      return [`> **${inline(entry.level)}:** ${inline(entry.text)}`];
    case 'call':
      return [...(last === 'answer' || last === 'call' ? [] : ['## Model']), callText(entry, longest)];
  }
}

function callText(call: WrittenCall, longest: number): string {
  const { tool, what, change, output, agent } = call;
  const lines = [`**${inline(tool)}** ${what === '' ? '' : `${code(oneLine(what))} `}— ${outcomeText(call)}`];
  if (change !== null) {
    const diff = change.hunks.map(
      ({ oldStart, newStart, lines: changed }) =>
        `@@ -${oldStart} +${newStart} @@\n${changed.map(({ sign, text }) => `${sign}${seen(text)}`).join('\n')}`,
    );
    lines.push('', fenced(readable(diff.join('\n'), longest), 'diff'));
  } else if (output.trim() !== '') lines.push('', fenced(seen(readable(output, longest)), 'text'));
  for (const inner of agent?.calls ?? []) lines.push('', indented(callText(inner, longest)));
  return lines.join('\n');
}

/** A frame that nothing within can end. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n+$/, '')}\n${fence}`;
}

function code(text: string): string {
  const line = oneLine(text);
  if (line === '') return '``';
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const frame = '`'.repeat(longest + 1);
  return longest === 0 ? `${frame}${line}${frame}` : `${frame} ${line} ${frame}`;
}

const inline = (text: string): string => oneLine(text).replace(/[\\`*_[\]<>#|~]/g, (sign) => `\\${sign}`);

const quoted = (text: string): string =>
  plainMarkdown(text)
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');

const indented = (text: string): string =>
  `- ${text
    .split('\n')
    .map((line, index) => (index === 0 || line === '' ? line : `  ${line}`))
    .join('\n')}`;

/** What is Markdown stays so; marks of HTML become plain signs, but for those in code, which are plain already. */
function plainMarkdown(text: string): string {
  let fence: string | null = null;
  const lines = text.split('\n').map((line) => {
    const [, mark = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== null) {
      if (mark.startsWith(fence) && line.trim() === mark) fence = null;
      return line;
    }
    if (mark !== '') {
      fence = mark;
      return line;
    }
    return line
      .split(/(`+[^`]*`+)/)
      .map((part, index) => (index % 2 === 1 ? part : part.replace(/<(?=[A-Za-z/!?])/g, '\\<')))
      .join('');
  });
  // A block of code that was never ended would swallow all that follows.
  return fence === null ? lines.join('\n') : `${lines.join('\n')}\n${fence}`;
}

// The next assistant message: at most one step's calls, with a sentence before them.

import { rehearsalPhrases } from '#shared/session/rehearsal';
import { commentOn, haltComment, linesIn, linesWhenPartial, stepInWords } from './comments';
import type { Progress } from './progress';
import { progressOf } from './progress';
import type { RehearsalRequest } from './request';
import type { Step } from './steps';

export type ReplyBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

export interface Reply {
  readonly blocks: readonly ReplyBlock[];
  readonly stopReason: 'end_turn' | 'tool_use';
}

type Call = Extract<ReplyBlock, { type: 'tool_use' }>;

/** Decides the answer to a request from its messages and tools alone. */
export function replyTo(request: RehearsalRequest): Reply {
  const progress = progressOf(request.messages);
  const texts: string[] = [];
  if (progress.halted !== null) {
    texts.push(haltComment(progress.halted));
    if (progress.todo.length > 0) texts.push(`Not done because of that:\n\n${bullets(progress.todo.map(stepInWords))}`);
    return say(texts);
  }
  const last = progress.done.at(-1);
  if (last !== undefined && progress.prepared === null) texts.push(sentence(commentOn(last)));
  for (const step of progress.todo) {
    if (step.kind === 'count') {
      texts.push(counted(step.upTo));
      continue;
    }
    if (step.kind === 'unknown') return say([...texts, notUnderstood(step.text, progress)]);
    const next = callsFor(step, progress, request);
    if (typeof next === 'string') return say([...texts, next]);
    const missing = next.calls.find((call) => !request.tools.some((tool) => tool.name === call.name));
    if (missing !== undefined)
      return say([
        ...texts,
        `I would need the tool ${missing.name} to ${stepInWords(step)}, and it is not available here.`,
      ]);
    return {
      blocks: [{ type: 'text', text: [...texts, next.says].join('\n\n') }, ...next.calls],
      stopReason: 'tool_use',
    };
  }
  if (progress.done.length === 0 && progress.todo.length === 0) return say([helpText()]);
  return say([...texts, summary(progress)]);
}

function say(texts: readonly string[]): Reply {
  return { blocks: [{ type: 'text', text: texts.filter((text) => text !== '').join('\n\n') }], stopReason: 'end_turn' };
}

type ToolStep = Exclude<Step, { kind: 'count' | 'unknown' }>;

/** The calls of a step and the sentence before them, or the reason why there is nothing to call. */
function callsFor(
  step: ToolStep,
  progress: Progress,
  { tools }: RehearsalRequest,
): { readonly says: string; readonly calls: readonly Call[] } | string {
  switch (step.kind) {
    case 'read': {
      const names = inWords(step.files.map((file) => `\`${file}\``));
      const says = step.files.length === 1 ? `I read ${names}.` : `I read ${names} at the same time.`;
      return { says, calls: step.files.map((file) => call('Read', { file_path: file })) };
    }
    case 'run':
      return {
        says: `I run \`${step.command}\`.`,
        calls: [call('Bash', { command: step.command, description: `Run ${firstLine(step.command)}` })],
      };
    case 'find':
      return {
        says: `I look for “${step.text}” in \`${step.path}\`.`,
        calls: [call('Grep', { pattern: escapePattern(step.text), path: step.path, output_mode: 'content' })],
      };
    case 'list':
      return {
        says: `I list the files that fit \`${step.pattern}\`.`,
        calls: [call('Glob', { pattern: step.pattern })],
      };
    case 'replace':
      return callsForReplace(step, progress);
    case 'write':
      return {
        says: `I write \`${step.file}\`.`,
        calls: [call('Write', { file_path: step.file, content: step.text })],
      };
    case 'ask':
      if (hasToSearch('AskUserQuestion', progress, tools)) return searchFor('AskUserQuestion');
      return {
        says: 'I have a question for you.',
        calls: [call('AskUserQuestion', { questions: [questionOf(step)] })],
      };
    case 'use':
      if (hasToSearch(step.tool, progress, tools)) return searchFor(step.tool);
      return { says: `I use ${step.tool}.`, calls: [call(step.tool, step.input)] };
    case 'plan':
      return {
        says: `I put up a list of ${amount(step.items.length, 'task')}.`,
        calls: [call('TodoWrite', { todos: step.items.map(todoOf) })],
      };
  }
}

/** What is not loaded has to be searched for once. */
function hasToSearch(name: string, { prepared }: Progress, tools: RehearsalRequest['tools']): boolean {
  const isThere = (wanted: string): boolean => tools.some((tool) => tool.name === wanted);
  return !isThere(name) && isThere('ToolSearch') && prepared === null;
}

function searchFor(name: string) {
  return { says: `I look for ${name}.`, calls: [call('ToolSearch', { query: `select:${name}` })] };
}

function callsForReplace(step: Extract<Step, { kind: 'replace' }>, progress: Progress) {
  const read = progress.prepared;
  if (read === null)
    return { says: `I read \`${step.file}\` before I edit it.`, calls: [call('Read', { file_path: step.file })] };
  const places = linesIn(read.text).reduce((sum, line) => sum + line.split(step.from).length - 1, 0);
  if (places === 0)
    return `“${step.from}” does not appear in \`${step.file}\`, so there is nothing to replace. I stop here; check the text and its case.`;
  // Of a long file only the first lines were read, and there may be more places further down.
  const several = places > 1 || linesWhenPartial(read.text) !== null;
  const everywhere = step.places === 'all' || (step.places === 'any' && several);
  const found = `“${step.from}” appears ${places === 1 ? 'once' : `${places} times`} in \`${step.file}\`.`;
  const input = { file_path: step.file, old_string: step.from, new_string: step.to };
  return {
    says: `${found} I replace ${everywhere && several ? 'every one' : 'it'} with “${step.to}”.`,
    calls: [call('Edit', everywhere ? { ...input, replace_all: true } : input)],
  };
}

function questionOf(step: Extract<Step, { kind: 'ask' }>) {
  return {
    question: step.question,
    header: 'Your choice',
    multiSelect: false,
    options: step.options.map((label) => ({ label, description: `Answer with ${label}` })),
  };
}

function todoOf(content: string, index: number) {
  return { content, status: index === 0 ? 'in_progress' : 'pending', activeForm: content };
}

function call(name: string, input: Readonly<Record<string, unknown>>): Call {
  return { type: 'tool_use', name, input };
}

function counted(upTo: number): string {
  return Array.from({ length: upTo }, (_, index) => String(index + 1)).join(' ');
}

function notUnderstood(text: string, progress: Progress): string {
  if (progress.done.length === 0) return helpText();
  return `I do not understand “${firstLine(text)}”, so I stop here.\n\n${helpText()}`;
}

function summary(progress: Progress): string {
  const acted = progress.done.filter((finished) => finished.step.kind !== 'count');
  if (acted.length < 2) return acted.length === 1 ? 'That was all you asked for.' : '';
  return `All ${acted.length} steps are done:\n\n${bullets(acted.map(commentOn))}`;
}

/** What the rehearsal model says when it does not understand: what it is, and the list of phrases. */
function helpText(): string {
  const rows = rehearsalPhrases.map(({ example, does }) => `\`\` ${example} \`\`: ${does}`);
  return [
    'I am the rehearsal model: a script inside Gatehouse that works without a key and without a network. I am not ' +
      'intelligent, I only know these phrases:',
    bullets(rows),
    'Join several with “then”, for example: read package.json then run `npm test`. For a real model, add an API key in Settings.',
  ].join('\n\n');
}

function bullets(rows: readonly string[]): string {
  return rows.map((row) => `- ${row}`).join('\n');
}

function sentence(text: string): string {
  const ended = /[.!?]$/.test(text) ? text : `${text}.`;
  return ended;
}

function inWords(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function amount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

/** A literal text as a ripgrep pattern. */
function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

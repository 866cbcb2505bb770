import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunOptions, readRunOptions } from './runOptions';

let cwd = '';
beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-options-')));
  mkdirSync(join(cwd, 'sub'));
});
afterAll(() => rmSync(cwd, { recursive: true }));

function read(...args: readonly string[]): RunOptions {
  const options = readRunOptions(args, cwd);
  if (!options.ok || options.value === 'help') throw new Error(options.ok ? 'help' : options.error);
  return options.value;
}

describe('what is read', () => {
  it('nothing but the prompt', () => {
    const { launch, ...rest } = read('-p', 'do it');
    expect(rest).toEqual({
      prompt: 'do it',
      folder: cwd,
      model: null,
      maxMessages: null,
      session: { kind: 'new' },
      output: 'text',
      data: null,
    });
    expect(launch).toMatchObject({ startFolder: cwd, allowBypass: false });
  });

  it.each<[string, readonly string[], string]>([
    ['a prompt of its own word', ['-p', 'a b'], 'a b'],
    ['behind a sign', ['--prompt=a=b'], 'a=b'],
    ['that begins with a dash', ['-p', '- one'], '- one'],
    ['piped in, before an option', ['-p', '--output', 'json'], ''],
    ['at the end', ['--output', 'json', '-p'], ''],
    ['behind a list of rules', ['--allowedTools', 'Bash(a:*)', 'Read', '--print', 'x'], 'x'],
  ])('the prompt: %s', (_name, args, prompt) => {
    expect(read(...args).prompt).toBe(prompt);
  });

  it('folder, model, length, form, session and data folder', () => {
    expect(read('-p', 'x', 'sub').folder).toBe(join(cwd, 'sub'));
    expect(read('-p', 'x', '--cwd', 'sub').folder).toBe(join(cwd, 'sub'));
    expect(read('-p', 'x', '--folder', 'sub').folder).toBe(join(cwd, 'sub'));
    expect(read('-p', 'x', '--model', 'm', '--max-turns', '3')).toMatchObject({ model: 'm', maxMessages: 3 });
    expect(read('-p', 'x', '--output-format', 'stream-json').output).toBe('stream-json');
    expect(read('-p', 'x', '-c').session).toEqual({ kind: 'last' });
    expect(read('-p', 'x', '-r', 's_1').session).toEqual({ kind: 'named', name: 's_1' });
    expect(read('-p', 'x', '--data', 'd').data).toBe(join(cwd, 'd'));
  });

  it('rules and mode', () => {
    const { launch } = read('-p', 'x', '--allowedTools', 'Bash(a b) Edit', '--permission-mode', 'plan');
    expect(launch.permissions.cliArg).toMatchObject({ allow: ['Bash(a b)', 'Edit'], defaultMode: 'plan' });
  });
});

it.each<[string, readonly string[], string]>([
  ['two prompts', ['-p', 'a', '-p', 'b'], '-p is given twice'],
  ['a prompt without -p', ['do it'], 'do it is no folder. A prompt stands behind -p'],
  ['no such folder', ['-p', 'x', '--cwd', 'no'], 'no is no folder. Name one'],
  ['two folders', ['-p', 'x', 'sub', '--cwd', 'sub'], 'More than one folder'],
  ['no such form', ['-p', 'x', '--output', 'xml'], 'Forms: text, json, stream-json'],
  ['no number', ['-p', 'x', '--max-turns', '-1'], "max-turns' argument is ambiguous"],
  ['nothing at all', ['-p', 'x', '--max-turns', '0'], '--max-turns 0 is no number'],
  ['two sessions', ['-p', 'x', '-c', '-r', 's'], 'name two sessions'],
  ['no session', ['-p', 'x', '--resume='], '--resume needs the name'],
  ['no such mode', ['-p', 'x', '--permission-mode', 'yolo'], 'there is no such mode'],
  ['no rule', ['-p', 'x', '--allowedTools', 'Bash(('], 'is not a rule'],
])('refuses %s', (_name, args, message) => {
  const options = readRunOptions(args, cwd);
  expect(options.ok ? 'read' : options.error).toContain(message);
});

// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, test } from 'vitest';
import type { TypedCommand } from '#shared/api/commands';
import type { SessionState } from '#shared/session/state';
import { draw, preparePage } from '../testing/draw';
import { Composer } from './Composer';

preparePage({ fakeTime: false });

interface Options {
  readonly running?: boolean;
  readonly text?: string;
  readonly blocked?: string;
  readonly queue?: SessionState['queue'];
  readonly commands?: readonly TypedCommand[];
  readonly waitingFiles?: number;
}

/** A composer that keeps its text, as the page does. */
function Page({ options, log }: { readonly options: Options; readonly log: string[] }) {
  const [text, setText] = useState(options.text ?? '');
  return (
    <Composer
      text={text}
      onText={setText}
      sendWith="enter"
      running={options.running ?? false}
      blocked={options.blocked ?? ''}
      queue={options.queue ?? []}
      onSend={(sent) => log.push(`send ${sent}`)}
      onStop={() => log.push('stop')}
      onUnqueue={(id) => log.push(`unqueue ${id}`)}
      onSendQueued={({ messageId }) => log.push(`send queued ${messageId}`)}
      commands={options.commands ?? []}
      waitingFiles={options.waitingFiles ?? 0}
      onNeedCommands={() => log.push('need commands')}
      choices={null}
      handle={null}
    />
  );
}

/** Draws it; the log holds what it asked for. */
function open(options: Options = {}): string[] {
  const log: string[] = [];
  draw(<Page options={options} log={log} />);
  return log;
}

const box = () => screen.getByRole('textbox', { name: 'Message' });

describe('Composer', () => {
  test('Enter sends what was typed', () => {
    const log = open();
    fireEvent.change(box(), { target: { value: 'read a.ts' } });
    fireEvent.keyDown(box(), { key: 'Enter' });
    expect(log).toEqual(['send read a.ts']);
  });

  test('Enter that confirms a composition sends nothing', () => {
    const log = open({ text: 'にほん' });
    fireEvent.keyDown(box(), { key: 'Enter', isComposing: true });
    fireEvent.keyDown(box(), { key: 'Enter', keyCode: 229 });
    expect(log).toEqual([]);
  });

  test('white space is no message', () => {
    const log = open({ text: '  \n ' });
    fireEvent.keyDown(box(), { key: 'Enter' });
    fireEvent.click(screen.getByRole('button', { name: 'Send' }));
    expect(log).toEqual([]);
  });

  test('without a connection nothing is sent and the text stays', () => {
    const log = open({ text: 'hello', blocked: 'No connection.' });
    fireEvent.keyDown(box(), { key: 'Enter' });
    expect(log).toEqual([]);
    expect(box()).toHaveProperty('value', 'hello');
    expect(document.body.textContent).toContain('No connection.');
  });

  test('while a turn runs: Esc in the empty box stops it, a message is queued', () => {
    const log = open({ running: true });
    fireEvent.keyDown(box(), { key: 'Escape' });
    fireEvent.change(box(), { target: { value: 'then b' } });
    fireEvent.keyDown(box(), { key: 'Escape' });
    fireEvent.click(screen.getByRole('button', { name: 'Queue' }));
    expect(log).toEqual(['stop', 'send then b']);
  });

  test('queued messages can be taken back', () => {
    const log = open({ running: true, queue: [{ messageId: 'q1', text: 'later' }] });
    fireEvent.click(screen.getByRole('button', { name: 'Remove from the queue: later' }));
    expect(log).toEqual(['unqueue q1']);
  });

  test('what is queued after a stopped turn can be sent now, first things first', () => {
    const queue = [
      { messageId: 'm1', text: 'one' },
      { messageId: 'm2', text: 'two' },
    ];
    const log = open({ queue });
    fireEvent.click(screen.getByRole('button', { name: 'Send now' }));
    expect(log).toEqual(['send queued m1']);
  });

  test('while a turn runs the queue waits for its end', () => {
    open({ queue: [{ messageId: 'm1', text: 'one' }], running: true });
    expect(screen.queryByRole('button', { name: 'Send now' })).toBeNull();
  });
});

describe('typed commands', () => {
  const command = (name: string): TypedCommand => ({
    ...{ name, kind: 'command', source: 'project', description: `About ${name}`, argumentHint: '[file]' },
    ...{ file: `/${name}.md`, allows: ['Read'], denies: [] },
  });
  const commands = [command('fix'), command('find'), command('notes')];
  const type = (value: string) => fireEvent.change(box(), { target: { value } });
  const options = () => screen.queryAllByRole('option').map((option) => option.textContent);

  test('a slash asks for the list; keys move and pick, the box keeps the focus', () => {
    const log = open({ commands, waitingFiles: 2 });
    type('/');
    expect(log).toEqual(['need commands']);
    type('/f');
    expect(options()).toEqual([
      '/fix [file]About fixallows Read · project',
      '/find [file]About findallows Read · project',
    ]);
    expect(document.body.textContent).toContain('2 files of this folder will count once you trust it.');
    fireEvent.keyDown(box(), { key: 'ArrowDown' });
    expect(box().getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { selected: true }).id);
    fireEvent.keyDown(box(), { key: 'Enter' });
    expect(box()).toHaveProperty('value', '/find ');
    expect(options()).toEqual([]);
    fireEvent.keyDown(box(), { key: 'Enter' });
    expect(log).toEqual(['need commands', 'send /find ']);
  });

  test('a whole name is sent, Escape puts the list away, a click picks', () => {
    const log = open({ commands, running: true });
    type('/fix');
    fireEvent.keyDown(box(), { key: 'Enter' });
    expect(log).toEqual(['need commands', 'send /fix']);
    fireEvent.keyDown(box(), { key: 'Escape' });
    expect(options()).toEqual([]);
    expect(log).not.toContain('stop');
    type('');
    type('/no');
    fireEvent.click(screen.getByRole('option'));
    expect(box()).toHaveProperty('value', '/notes ');
  });

  test('other text is left alone', () => {
    open({ commands });
    type('/etc/passwd');
    expect(options()).toEqual([]);
    fireEvent.keyDown(box(), { key: 'ArrowDown' });
    type('see /fix');
    expect(options()).toEqual([]);
  });
});

// The file that hooks find under `transcript_path`.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SessionEvent, SessionEventBody } from '#shared/session/events';
import { reduce } from '#shared/session/reduce';
import { emptyState } from '#shared/session/state';
import { HookTranscript } from './hookTranscript';

let folder: string;
let events: SessionEvent[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-transcript-'));
  events = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = () => join(folder, 'deep', 'transcript.jsonl');
const presentation = { title: 'Bash', summary: 'ls', activity: 'Running ls', icon: 'terminal' as const };

function happen(...bodies: readonly SessionEventBody[]): void {
  for (const body of bodies) events.push({ seq: events.length + 1, at: events.length * 1_000, body });
}

const transcript = () =>
  new HookTranscript({
    eventsSince: (_, seq) => events.slice(seq),
    state: () => events.reduce(reduce, emptyState()),
  });

const lines = () =>
  readFileSync(file(), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

function call(): void {
  happen(
    { type: 'message.sent', messageId: 'u1', text: 'List' },
    { type: 'assistant.started', messageId: 'm1' },
    { type: 'assistant.block', messageId: 'm1', index: 0, block: { type: 'text', text: 'Yes.' } },
    {
      type: 'assistant.block',
      messageId: 'm1',
      index: 1,
      block: { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } },
    },
    { type: 'call.created', callId: 'm1.1', messageId: 'm1', name: 'Bash', input: { command: 'ls' }, presentation },
  );
}

function finish(): void {
  happen({
    type: 'call.finished',
    callId: 'm1.1',
    status: 'failed',
    failure: 'tool',
    content: [{ type: 'text', text: 'no' }],
    view: null,
    note: '',
  });
}

it('tells what was said, called and answered, with the ids that the hook’s input has, and only grows', async () => {
  const written = transcript();
  call();
  await written.bringUp('s1', file());
  const before = readFileSync(file(), 'utf8');
  expect(lines()).toEqual([
    {
      type: 'user',
      uuid: 's1-1',
      sessionId: 's1',
      timestamp: '1970-01-01T00:00:00.000Z',
      cwd: '',
      isSidechain: false,
      message: { role: 'user', content: 'List' },
      gatehouseSeq: 1,
    },
    expect.objectContaining({
      type: 'assistant',
      message: { id: 'm1', role: 'assistant', content: [{ type: 'text', text: 'Yes.' }] },
    }),
    expect.objectContaining({
      message: {
        id: 'm1',
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } }],
      },
    }),
  ]);
  finish();
  await written.bringUp('s1', file());
  await written.bringUp('s1', file());
  expect(readFileSync(file(), 'utf8').startsWith(before)).toBe(true);
  expect(lines().slice(3)).toEqual([
    expect.objectContaining({
      type: 'user',
      message: {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'no' }], is_error: true },
        ],
      },
    }),
  ]);
  if (process.platform !== 'win32') expect(statSync(file()).mode & 0o777).toBe(0o600);
});

it.each<readonly [string, () => void]>([
  ['as it was left', () => undefined],
  ['with half a line', () => appendFileSync(file(), '{"type":"user","mess')],
  ['emptied', () => writeFileSync(file(), '')],
  ['with something else in it', () => writeFileSync(file(), 'mine\n')],
  ['with a number that is none', () => writeFileSync(file(), '{"gatehouseSeq":"x"}\n')],
])('goes on after a restart with a file %s: each event once', async (_, damage) => {
  call();
  await transcript().bringUp('s1', file());
  damage();
  finish();
  await transcript().bringUp('s1', file());
  expect(lines().map(({ gatehouseSeq }) => gatehouseSeq)).toEqual([1, 3, 4, 6]);
});

it('marks what sub-agents say, and where the model’s memory was summed up', async () => {
  happen(
    { type: 'message.sent', messageId: 'u1', text: 'Look', agentId: 'a1' },
    { type: 'context.added', from: 'hook', text: 'mind' },
    {
      type: 'conversation.compacted',
      throughSeq: 1,
      summary: 'All of it',
      trigger: 'manual',
      tokensBefore: 1,
    },
  );
  await transcript().bringUp('s1', file());
  expect(lines()).toMatchObject([
    { isSidechain: true, agentId: 'a1', message: { content: 'Look' } },
    { isMeta: true, isSidechain: false },
    { type: 'system', subtype: 'compact_boundary', content: 'All of it' },
  ]);
});

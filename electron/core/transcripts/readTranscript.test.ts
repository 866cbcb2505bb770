import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SessionEvent } from '#shared/session/events';
import { reduceInto } from '#shared/session/reduce';
import { emptyState, type SessionState } from '#shared/session/state';
import { Conversation } from '../agent/conversation';
import { TranscriptFolder } from '../history/testing/transcripts';
import { readTranscript } from './readTranscript';
import { ConversationLines, text } from './testing/conversationLines';

let folder: TranscriptFolder;
let lines: ConversationLines;
beforeEach(() => {
  folder = new TranscriptFolder();
  lines = new ConversationLines();
});
afterEach(() => folder.dispose());

async function read(name = '-srv-app/s1.jsonl') {
  const path = folder.write(name, lines.lines);
  const place = { path, session: 's1', title: 'A title', folder: '/srv/app', changedAt: 5 };
  const { events, skipped, leftOut } = await readTranscript(place, () => undefined);
  const state = emptyState();
  for (const event of events) reduceInto(state, SessionEvent.parse(event));
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  return { events, state, skipped, leftOut: [...leftOut] };
}

/** The conversation in few words. */
function told({ items, calls }: SessionState): string[] {
  return items.flatMap((item) => {
    if (item.kind === 'user') return [`you: ${item.text}`];
    if (item.kind === 'notice') return [`${item.level}: ${item.text}`];
    if (item.kind === 'compaction') return [`summary: ${item.summary}`];
    return item.blocks.map((block, index) => {
      if (block.type === 'text') return `${item.messageId}: ${block.text}`;
      if (block.type !== 'tool_use') return `${item.messageId}: (${block.type})`;
      const call = calls[`${item.messageId}.${index}`];
      return `${item.messageId}: ${block.name} ${call?.status} ${call !== undefined && 'modelText' in call ? call.modelText : ''}`;
    });
  });
}

/** A conversation that the model could go on with: every call answered once, by roles that alternate. */
function modelRoles(events: readonly SessionEvent[]): string[] {
  const conversation = new Conversation();
  for (const event of events) if (!('agentId' in event.body)) conversation.apply(event);
  return conversation.messages().map(({ role }) => role);
}

test('one message over several lines with results between them is one message', async () => {
  lines.user('Look around.');
  const first = lines.answer('m1', { type: 'thinking', thinking: 'hm', signature: 's' });
  lines.answer('m1', text('I look.'));
  const a = lines.call('m1', { use: 't1' });
  const b = lines.call('m1', { use: 't2', name: 'Read', input: { file_path: '/srv/app/x' } }, { parentUuid: a });
  // Results hang below their own call, the conversation goes on below the last.
  lines.result('t1', 'a.txt', { parentUuid: a });
  lines.result('t2', [text('1→x')], { parentUuid: b });
  lines.answer('m2', text('Done.'), { usage: { input_tokens: 7, output_tokens: 3, cache_read_input_tokens: 1 } });
  const { state, events } = await read();
  expect(first).not.toBe('');
  expect(told(state)).toEqual([
    'you: Look around.',
    'm1: (thinking)',
    'm1: I look.',
    'm1: Bash succeeded a.txt',
    'm1: Read succeeded 1→x',
    'm2: Done.',
  ]);
  expect(state.usage).toEqual({ inputTokens: 12, outputTokens: 5, cacheReadTokens: 1, cacheWriteTokens: 0 });
  expect([state.model.id, state.turn, state.createdAt]).toEqual([
    'claude-sample',
    null,
    Date.UTC(2026, 8, 1, 12, 0, 1),
  ]);
  expect(state.calls['m1.2']).toMatchObject({
    presentation: { title: 'Bash', summary: 'ls', icon: 'terminal' },
    view: { kind: 'terminal', command: 'ls', output: 'a.txt', exitCode: 0 },
  });
  expect(modelRoles(events)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
});

test('the thread of the newest line is told; what was taken back is not', async () => {
  lines.user('One.');
  const kept = lines.answer('m1', text('First.'));
  lines.user('Wrong way.');
  lines.answer('m2', text('Lost.'));
  lines.user('Two.', { parentUuid: kept });
  lines.answer('m3', text('Second.'));
  expect(told((await read()).state)).toEqual(['you: One.', 'm1: First.', 'you: Two.', 'm3: Second.']);
});

test('a thread goes on over lines that are missing, damaged or unknown', async () => {
  lines.user('One.');
  lines.answer('m1', text('First.'));
  lines.raw('{"type":"user","uuid":"cut off');
  lines.raw('not json at all');
  lines.raw('');
  lines.raw('[1, 2]');
  lines.raw(JSON.stringify({ type: 'something-new', uuid: 'n1', parentUuid: 'gone', data: { deep: [1] } }));
  lines.user('Two.', { parentUuid: 'never-written' });
  lines.raw(JSON.stringify({ type: 'assistant', uuid: 'odd', parentUuid: null, message: { content: 7 } }));
  lines.answer('m2', { type: 'text', text: 9 });
  lines.answer('m2', { type: 'hologram', data: 1 });
  lines.answer('m2', { type: 'tool_use', id: 5, name: 'Bash' });
  lines.answer('m2', text('Second.'));
  const { state, skipped, leftOut } = await read();
  expect(told(state)).toEqual(['you: One.', 'm1: First.', 'you: Two.', 'm2: Second.']);
  expect([skipped, leftOut]).toEqual([3, [['parts of answers of an unknown kind', 3]]]);
});

test('hostile lines: circles, doubles, poses as an object’s own workings', async () => {
  const a = lines.user('One.', { parentUuid: 'b', uuid: 'a' });
  lines.answer('m1', text('First.'), { parentUuid: a, uuid: 'b' });
  lines.answer('m1', text('Again.'), { parentUuid: a, uuid: 'b' });
  lines.raw('{"type":"user","__proto__":{"isMeta":true},"uuid":"c","parentUuid":"b","message":{"content":"Two."}}');
  lines.call(
    '__proto__',
    { use: '__proto__', input: JSON.parse('{"__proto__":{"x":1},"command":"ls"}') },
    { parentUuid: 'c' },
  );
  lines.result('__proto__', 'fine');
  const { state } = await read();
  expect(told(state)).toEqual(['you: One.', 'm1: First.', 'you: Two.', '__proto__: Bash succeeded fine']);
  expect(Object.values(state.calls)[0]?.input).toEqual({ command: 'ls' });
});

test('calls end as they ended: failed, refused, stopped, never', async () => {
  lines.user('Go.');
  for (const use of ['t1', 't2', 't3', 't4', 't1']) lines.call('m1', { use });
  lines.result('t1', 'Exit code 3\nno such file', { is_error: true });
  lines.result('t2', "The user doesn't want to proceed with this tool use. The tool use was rejected.", {
    is_error: true,
  });
  lines.result('t3', '[Request interrupted by user for tool use]', { is_error: true });
  lines.user([text('[Request interrupted by user]')]);
  lines.user('Never mind.');
  const { state, events } = await read();
  expect(told(state)).toEqual([
    'you: Go.',
    'm1: Bash interrupted Interrupted: this call has no result.',
    "m1: Bash denied The user doesn't want to proceed with this tool use. The tool use was rejected.",
    'm1: Bash interrupted [Request interrupted by user for tool use]',
    'm1: Bash interrupted Interrupted: this call has no result.',
    'm1: Bash failed Exit code 3\nno such file',
    'info: You interrupted this.',
    'you: Never mind.',
  ]);
  expect(state.calls['m1.4']).toMatchObject({ failure: 'tool', view: { exitCode: 3 } });
  expect(modelRoles(events)).toEqual(['user', 'assistant', 'user']);
});

test('what the program wrote around a message is not the person’s', async () => {
  lines.user('Caveat: what follows was run by you.', { isMeta: true });
  lines.user(
    '<command-name>/review</command-name>\n<command-message>review</command-message><command-args>the tests</command-args>',
  );
  lines.user('<local-command-stdout>\u001b[1mBold\u001b[0m words</local-command-stdout>');
  lines.user([
    text('<system-reminder>Be brief.</system-reminder>\nHello.'),
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
  ]);
  lines.answer('m1', text('No response requested.'), {
    message: { role: 'assistant', model: '<synthetic>', content: [text('x')] },
  });
  lines.line({
    type: 'assistant',
    isApiErrorMessage: true,
    message: { role: 'assistant', content: [text('API Error: 529')] },
  });
  lines.line({ type: 'system', subtype: 'turn_duration', durationMs: 5 });
  lines.answer('m2', text('Hi.'));
  const { state, events, leftOut } = await read();
  expect(told(state)).toEqual([
    'you: /review the tests',
    'info: Bold words',
    'you: Hello.\n\n[image]',
    'warning: API Error: 529',
    'm2: Hi.',
  ]);
  expect(events.flatMap(({ body }) => (body.type === 'context.added' ? [body.text] : []))).toEqual([
    'Caveat: what follows was run by you.',
    'Be brief.',
  ]);
  expect(leftOut).toEqual([['images', 1]]);
});

test('a compaction is one: the model goes on with the summary', async () => {
  lines.user('Old.');
  lines.call('m1', { use: 't1' });
  lines.line({
    ...{ type: 'system', subtype: 'compact_boundary', parentUuid: null, content: 'Conversation compacted' },
    ...{
      logicalParentUuid: JSON.parse(lines.lines[1] ?? '{}').uuid,
      compactMetadata: { trigger: 'manual', preTokens: 99 },
    },
  });
  lines.user('All in short.', { isCompactSummary: true });
  lines.answer('m2', text('On we go.'));
  const { state, events } = await read();
  expect(told(state)).toEqual([
    'you: Old.',
    'm1: Bash interrupted Interrupted: this call has no result.',
    'summary: All in short.',
    'm2: On we go.',
  ]);
  const compacted = events.find(({ body }) => body.type === 'conversation.compacted');
  expect(compacted?.body).toMatchObject({ trigger: 'manual', tokensBefore: 99, throughSeq: (compacted?.seq ?? 0) - 1 });
  expect(modelRoles(events)).toEqual(['user', 'assistant', 'user']);
});

test('changes, images and lists of things to do have their form', async () => {
  lines.user('Go.');
  const edit = { file_path: '/srv/app/a.ts', old_string: 'one\ntwo', new_string: 'three' };
  const patch = [{ oldStart: 4, oldLines: 2, newStart: 4, newLines: 1, lines: [' x', '-one', '-two', '+three'] }];
  lines.call('m1', { use: 't1', name: 'Edit', input: edit });
  lines.result('t1', 'edited', { toolUseResult: { structuredPatch: patch, originalFile: 'x'.repeat(100) } });
  lines.call('m2', { use: 't2', name: 'Write', input: { file_path: '/srv/app/b.ts', content: 'a\nb\n' } });
  lines.result('t2', 'written', { toolUseResult: { type: 'create', structuredPatch: [] } });
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0K' } };
  lines.call('m3', { use: 't3', name: 'Read', input: { file_path: '/srv/app/c.png' } });
  lines.result('t3', [image, { type: 'image', source: { type: 'url', url: 'http://x' } }]);
  const todos = [{ content: 'Do it', status: 'in_progress', activeForm: 'Doing it' }];
  lines.call('m4', { use: 't4', name: 'TodoWrite', input: { todos } });
  lines.result('t4');
  const { state, leftOut } = await read();
  const views = Object.values(state.calls).map((call) => ('view' in call ? call.view : null));
  expect(views.slice(0, 3)).toEqual([
    {
      ...{ kind: 'diff', path: '/srv/app/a.ts', created: false, added: 1, removed: 2, truncated: false },
      hunks: [
        {
          ...{ oldStart: 4, newStart: 4 },
          lines: [
            { sign: ' ', text: 'x' },
            { sign: '-', text: 'one' },
            { sign: '-', text: 'two' },
            { sign: '+', text: 'three' },
          ],
        },
      ],
    },
    {
      ...{ kind: 'diff', path: '/srv/app/b.ts', created: true, added: 2, removed: 0, truncated: false },
      hunks: [
        {
          oldStart: 1,
          newStart: 1,
          lines: [
            { sign: '+', text: 'a' },
            { sign: '+', text: 'b' },
          ],
        },
      ],
    },
    { kind: 'image', mediaType: 'image/png', base64: 'iVBORw0K', alt: '/srv/app/c.png' },
  ]);
  expect([state.todos, leftOut]).toEqual([todos, [['images', 1]]]);
});

test('a kept result is one where its file is the transcript’s own, and nothing else is', async () => {
  const own = join(dirname(folder.path('-srv-app/s1.jsonl')), 's1/tool-results');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 't1.txt'), 'x'.repeat(54_000));
  writeFileSync(join(folder.root, 'secret.txt'), 'secret');
  symlinkSync(join(folder.root, 'secret.txt'), join(own, 't2.txt'));
  const wrapped = (path: string) =>
    `<persisted-output>\nOutput too large (52.7KB). Full output saved to: ${path}\n\nPreview (first 2KB):\nxxx\n...\n</persisted-output>`;
  lines.user('Go.');
  const paths = [
    join(own, 't1.txt'),
    join(own, 't2.txt'),
    join(own, 't3.txt'),
    join(folder.root, 'tool-results/t1.txt'),
    `${own}/../../s1/tool-results/t1.txt`,
  ];
  paths.forEach((path, index) => {
    lines.call(`m${index}`, { use: `t${index}` });
    lines.result(`t${index}`, wrapped(path));
  });
  lines.call('m9', { use: 't9' });
  lines.result('t9', `what I found:\n${wrapped(join(own, 't1.txt'))}`);
  const { state } = await read();
  const kept = { file: join(own, 't1.txt'), bytes: 54_000, previewChars: 3 };
  expect(Object.values(state.calls).map((call) => ('persisted' in call ? call.persisted : undefined))).toEqual([
    kept,
    undefined,
    undefined,
    undefined,
    kept,
    undefined,
  ]);
});

test('sub-agents stand under the call that started them, from wherever they are written', async () => {
  const task = (prompt: string) => ({ name: 'Task', input: { prompt, description: 'Look', subagent_type: 'Explore' } });
  lines.user('Go.');
  lines.call('m1', { use: 't1', ...task('Within.') });
  lines.call('m1', { use: 't2', ...task('Beside, named.') });
  lines.call('m1', { use: 't3', ...task('Beside, told.') });
  lines.call('m1', { use: 't4', ...task('Nobody.') });
  const inner = { isSidechain: true };
  lines.user('Within.', { ...inner, parentUuid: null });
  lines.call('x1', { use: 'c1', input: { command: 'pwd' } }, inner);
  lines.result('c1', '/srv', inner);
  lines.user('Another.', { ...inner, parentUuid: null });
  const beside = (name: string, words: string, use: string, meta?: object) => {
    const own = new ConversationLines({ isSidechain: true, agentId: name });
    own.user(words);
    own.call(`x-${name}`, { use });
    own.result(use);
    folder.write(`-srv-app/s1/subagents/agent-${name}.jsonl`, own.lines);
    if (meta !== undefined)
      writeFileSync(folder.path(`-srv-app/s1/subagents/agent-${name}.meta.json`), JSON.stringify(meta));
  };
  beside('aa', 'Something else.', 'c2', { toolUseId: 't2', kind: 'task' });
  beside('bb', 'Something.', 'c3');
  for (const use of ['t1', 't2', 't4'])
    lines.result(use, 'found', { parentUuid: JSON.parse(lines.lines[4] ?? '{}').uuid });
  lines.result('t3', 'found', { toolUseResult: { agentId: 'bb' } });
  lines.answer('m2', text('All found.'));
  const { state, leftOut } = await read();
  expect(
    Object.values(state.agents).map(({ agentId, callId, type, status }) => [agentId, callId, type, status]),
  ).toEqual([
    ['a1', 'm1.0', 'Explore', 'completed'],
    ['a2', 'm1.1', 'Explore', 'completed'],
    ['a3', 'm1.2', 'Explore', 'completed'],
  ]);
  expect(Object.values(state.calls).map(({ callId, agentId, status }) => [callId, agentId, status])).toEqual([
    ['m1.0', undefined, 'succeeded'],
    ['m1.1', undefined, 'succeeded'],
    ['m1.2', undefined, 'succeeded'],
    ['m1.3', undefined, 'succeeded'],
    ['x1.0', 'a1', 'succeeded'],
    ['x-aa.0', 'a2', 'succeeded'],
    ['x-bb.0', 'a3', 'succeeded'],
  ]);
  expect(told(state).at(-1)).toBe('m2: All found.');
  expect(leftOut).toEqual([['sub-agents of which nobody knows who started them', 1]]);
});

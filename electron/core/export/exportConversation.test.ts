import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { SessionEventBody } from '#shared/session/events';
import { reduceInto } from '#shared/session/reduce';
import { emptyState, type SessionState } from '#shared/session/state';
import { openDatabase } from '../sessions/database';
import { SessionService } from '../sessions/service';
import { SessionStore } from '../sessions/store';
import { type ConversationFormat, exportConversation, readSession } from './exportConversation';

const model = { id: 'm', label: 'Sample 1', scripted: false };
const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const start = Date.UTC(2026, 8, 1, 12);

function stateOf(...bodies: SessionEventBody[]): SessionState {
  const state = emptyState();
  const folder = '/home/ada/app';
  const created: SessionEventBody = {
    type: 'session.created',
    folder,
    title: 'Fix it',
    mode: 'default',
    model,
    network: false,
  };
  [created, ...bodies].forEach((body, index) => {
    reduceInto(state, { seq: index + 1, at: start + index * 1_000, body });
  });
  return state;
}

const person = (text: string): SessionEventBody => ({ type: 'message.sent', messageId: `u${text.length}`, text });
const answer = (messageId: string, ...texts: string[]): SessionEventBody[] => [
  { type: 'assistant.started', messageId },
  ...texts.map(
    (text, index): SessionEventBody => ({ type: 'assistant.block', messageId, index, block: { type: 'text', text } }),
  ),
  { type: 'assistant.finished', messageId, stopReason: 'end_turn', usage },
];
function call(
  callId: string,
  output: string,
  more: Partial<Extract<SessionEventBody, { type: 'call.created' }>> = {},
): SessionEventBody[] {
  const [messageId = ''] = callId.split('.');
  const input = more.input ?? { command: 'npm test' };
  return [
    { type: 'assistant.block', messageId, index: 0, block: { type: 'tool_use', id: callId, name: 'Bash', input } },
    {
      ...{ type: 'call.created', callId, messageId, name: 'Bash', input },
      presentation: { title: 'Bash', summary: 'npm test', activity: '', icon: 'terminal' },
      ...more,
    },
    {
      type: 'call.finished',
      callId,
      status: 'succeeded',
      content: [{ type: 'text', text: output }],
      view: null,
      note: '',
    },
  ];
}

async function exported(state: SessionState, format: ConversationFormat, redact = true) {
  return await exportConversation(
    { state, leftOut: new Map() },
    { format, redact, home: '/home/ada', now: Date.UTC(2026, 8, 2), breathe: () => undefined },
  );
}

test('Markdown tells who said what and what calls came to, in frames that nothing within can end', async () => {
  const state = stateOf(
    person('Fix the build.\n# not a heading'),
    { type: 'assistant.started', messageId: 'm1' },
    ...call('m1.0', 'all `green`\n```\n````\nend'),
    { type: 'assistant.finished', messageId: 'm1', stopReason: 'tool_use', usage },
    ...answer('m2', 'Done. `<b>` stays, <img src=x onerror=alert(1)> does not.\n\n```js\nlet a = "<i>";'),
    { type: 'notice', level: 'warning', text: 'Low *disk*.', next: 'Make room.' },
  );
  const { text, ...rest } = await exported(state, 'markdown');
  expect(rest).toEqual({
    name: 'fix-it-2026-09-02.md',
    mediaType: 'text/markdown',
    redactions: [{ kind: 'working folder', count: 1, sample: expect.any(String) }],
    leftOut: [],
  });
  expect(text).toBe(`# Fix it

- Folder: \`…/app\`
- Time: 2026-09-01 12:00 UTC
- Model: Sample 1
- Exported with Gatehouse on 2026-09-02. Secrets, addresses and the home folder were taken out as far as they were recognised.

## You · 2026-09-01 12:00 UTC

> Fix the build.
> # not a heading

## Model

**Bash** \`npm test\` — succeeded · 1.0 s

\`\`\`\`\`text
all \`green\`
\`\`\`
\`\`\`\`
end
\`\`\`\`\`

Done. \`<b>\` stays, \\<img src=x onerror=alert(1)> does not.

\`\`\`js
let a = "<i>";
\`\`\`

> **warning:** Low \\*disk\\*. Make room.
`);
});

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</style><script>x</script>',
  '</pre></details><iframe src="http://x">',
  '<!-- ',
  ']]> &lt;b&gt; &#60;i&#62;',
  '`</code><b onclick=x>`',
  '**<u>bold</u>**',
  'javascript:alert(1) http://example.com/',
  'turned \u202e around \u0000 \u001b[31m red',
];

test('HTML is one file in which every text is only text', async () => {
  const words = hostile.join('\n\n');
  const state = stateOf(
    { type: 'session.renamed', title: hostile.join(' ') },
    person(words),
    { type: 'assistant.started', messageId: 'm1' },
    ...call('m1.0', words, { name: hostile[0] ?? '', input: { [hostile[1] ?? '']: words } }),
    { type: 'assistant.finished', messageId: 'm1', stopReason: 'tool_use', usage },
    ...answer('m2', `# ${words}\n\n- ${hostile[0]}\n1. ${hostile[1]}\n\n\`\`\`html\n${words}\n\`\`\``),
    { type: 'notice', level: 'error', text: words, next: '' },
  );
  const { text } = await exported(state, 'html', false);
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(text) ?? [];
  const tags = text.replace(style, '').match(/<[^>]*>/g) ?? [];
  const names = new Set(tags.map((tag) => /^<\/?([a-z0-9!]+)/.exec(tag)?.[1]));
  expect([...names].sort()).toEqual(
    [
      '!doctype',
      'b',
      'body',
      'code',
      'dd',
      'details',
      'div',
      'dl',
      'dt',
      'h1',
      'h2',
      'head',
      'header',
      'html',
      'main',
    ].concat(['meta', 'p', 'pre', 'section', 'span', 'style', 'summary', 'time', 'title']),
  );
  const attributes = new Set(tags.flatMap((tag) => [...tag.matchAll(/\s([a-z-]+)="/g)].map(([, name]) => name)));
  expect([...attributes].sort()).toEqual(['charset', 'class', 'content', 'http-equiv', 'lang', 'name', 'tabindex']);
  expect(text).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  expect(style).toContain('prefers-color-scheme: dark');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none must be left.
  expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u0000-\u0008\u001b]/);
  expect(text).toContain('turned ⟨U+202E⟩ around ⟨U+0000⟩');
});

test('JSON has everything with its times', async () => {
  const input = { startedAt: 5, command: 'x' };
  const state = stateOf(
    person('Go.'),
    { type: 'assistant.started', messageId: 'm1' },
    ...call('m1.0', 'o'.repeat(50_000), { input }),
    {
      type: 'agent.changed',
      agent: {
        ...{
          agentId: 'a1',
          callId: 'm1.0',
          parent: null,
          type: 'Explore',
          description: '',
          model: 'm',
          background: false,
        },
        ...{ status: 'completed', startedAt: 1, endedAt: 2, note: '' },
      },
    },
    ...call('x1.0', 'inner', { agentId: 'a1' }).slice(1),
  );
  const { text, mediaType, name } = await exported(state, 'json', false);
  expect([mediaType, name]).toEqual(['application/json', 'fix-it-2026-09-02.json']);
  const common = { kind: 'call', tool: 'Bash', what: 'npm test', status: 'succeeded', change: null, keptBytes: null };
  expect(JSON.parse(text)).toEqual({
    gatehouse: { conversation: 1, exportedAt: '2026-09-02T00:00:00.000Z', redacted: false },
    ...{ title: 'Fix it', folder: '/home/ada/app', model: 'Sample 1' },
    ...{ startedAt: '2026-09-01T12:00:00.000Z', endedAt: '2026-09-01T12:00:08.000Z' },
    entries: [
      { kind: 'person', at: '2026-09-01T12:00:01.000Z', text: 'Go.' },
      {
        ...{ ...common, input, output: 'o'.repeat(50_000) },
        ...{ startedAt: '2026-09-01T12:00:04.000Z', endedAt: '2026-09-01T12:00:05.000Z' },
        agent: {
          type: 'Explore',
          calls: [
            {
              ...{ ...common, input: { command: 'npm test' }, output: 'inner', agent: null },
              ...{ startedAt: '2026-09-01T12:00:07.000Z', endedAt: '2026-09-01T12:00:08.000Z' },
            },
          ],
        },
      },
    ],
  });
});

test.each<ConversationFormat>(['markdown', 'json', 'html'])(
  'as %s, secrets go from every place unless asked otherwise',
  async (format) => {
    const key = `sk-ant-api03-${'aB3'.repeat(20)}`;
    const state = stateOf(
      { type: 'session.renamed', title: `With ${key}` },
      person(`Use ${key} in /home/ada/app/x.`),
      { type: 'assistant.started', messageId: 'm1' },
      ...call('m1.0', `token ${key}`, { input: { api_key: key, command: `curl -H ${key}` } }),
      { type: 'assistant.finished', messageId: 'm1', stopReason: 'tool_use', usage },
      ...answer('m2', `It is ${key}.`),
      { type: 'notice', level: 'info', text: `Key ${key}`, next: '' },
    );
    const { text, name, redactions } = await exported(state, format);
    expect([text.includes(key), name.includes('ab3ab3'), text.includes('/home/ada')]).toEqual([false, false, false]);
    expect(redactions.map(({ kind }) => kind)).toContain('api key');
    const open = await exported(state, format, false);
    expect([open.text.includes(key), open.text.includes('/home/ada/app'), open.redactions]).toEqual([true, true, []]);
  },
);

test('what has no place is counted, long outputs are cut for reading', async () => {
  const image = { kind: 'image' as const, mediaType: 'image/png', base64: 'AAAA', alt: '' };
  const state = stateOf(
    person('Go.'),
    { type: 'assistant.started', messageId: 'm1' },
    { type: 'assistant.block', messageId: 'm1', index: 0, block: { type: 'thinking', thinking: 'hm', signature: '' } },
    ...call('m1.1', `start ${'x'.repeat(40_000)} end`).slice(0, 2),
    {
      ...{ type: 'call.finished', callId: 'm1.1', status: 'failed', failure: 'tool', view: image, note: '' },
      content: [{ type: 'text', text: `start ${'x'.repeat(40_000)} end` }],
    },
  );
  const { text, leftOut } = await exportConversation(
    { state, leftOut: new Map([['damaged lines', 3]]) },
    { format: 'html', redact: true, home: '/home/ada', now: start, breathe: () => undefined },
  );
  expect(leftOut).toEqual([
    { what: 'damaged lines', count: 3 },
    { what: 'thoughts of the model', count: 1 },
    { what: 'images', count: 1 },
  ]);
  expect(text).toContain('[… 20,010 characters …]');
  expect(text.length).toBeLessThan(40_000);
});

test('in a very long conversation outputs are shorter, rather than that there is none', async () => {
  const state = stateOf(
    ...Array.from({ length: 900 }, (_, index) => call(`m${index}.0`, 'x'.repeat(19_000)).slice(1)).flat(),
    ...Array.from(
      { length: 900 },
      (_, index): SessionEventBody => ({ type: 'assistant.started', messageId: `m${index}` }),
    ),
  );
  const { text } = await exported(state, 'markdown', false);
  expect(text.length).toBeLessThan(900 * 2_000);
  await expect(exported(state, 'json', false)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('Export it as Markdown'),
  });
});

test('what is too long for a file is refused, with what to do', async () => {
  const state = stateOf(person('Go.'), ...answer('m1', 'y'.repeat(16_100_000)));
  await expect(exported(state, 'json', false)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('branch from one of its earlier messages'),
  });
});

test('a session is read from its log, a deleted one is not', async () => {
  const { database } = openDatabase({ folder: ':memory:', nativeBinding: undefined });
  const sessions = new SessionService(new SessionStore(database, () => undefined), () => start);
  const sessionId = sessions.create({ folder: '/srv/app', title: 'T', mode: 'default', model });
  for (let count = 0; count < 500; count += 1) sessions.append(sessionId, person(`${count}`));
  let breaths = 0;
  const read = () =>
    readSession(database, sessionId, () => {
      breaths += 1;
    });
  expect(await read()).toEqual(sessions.state(sessionId));
  expect(breaths).toBeGreaterThan(2);
  sessions.delete(sessionId);
  await expect(read()).rejects.toMatchObject({ code: 'notFound' });
});

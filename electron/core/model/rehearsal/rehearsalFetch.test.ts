import Anthropic from '@anthropic-ai/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { createRehearsalFetch } from './rehearsalFetch';

type Messages = Anthropic.MessageParam[];
type Result = Omit<Anthropic.ToolResultBlockParam, 'type' | 'tool_use_id'>;

const everyTool = ['AskUserQuestion', 'Bash', 'Edit', 'Glob', 'Grep', 'Read', 'TodoWrite', 'Write'];

function client(pieceDelayMs = 0): Anthropic {
  return new Anthropic({
    apiKey: 'rehearsal',
    baseURL: 'http://rehearsal.invalid',
    maxRetries: 0,
    fetch: createRehearsalFetch({ pieceDelayMs }),
  });
}

async function send(messages: Messages, tools = everyTool): Promise<Anthropic.Message> {
  const stream = client().messages.stream({
    model: 'rehearsal',
    max_tokens: 1_000,
    messages,
    tools: tools.map((name) => ({ name, input_schema: { type: 'object' } })),
  });
  return stream.finalMessage();
}

/** Talks to the model until it makes no more calls; `act` answers each call. */
async function converse(options: {
  readonly say: string;
  readonly act: (name: string, input: unknown) => Result;
  readonly before?: Messages;
}) {
  const messages: Messages = [...(options.before ?? []), { role: 'user', content: options.say }];
  const calls: unknown[] = [];
  const texts: string[] = [];
  for (;;) {
    const message = await send(messages);
    const uses = message.content.filter((block) => block.type === 'tool_use');
    texts.push(textOf(message));
    messages.push({ role: 'assistant', content: message.content });
    expect(message.stop_reason).toBe(uses.length === 0 ? 'end_turn' : 'tool_use');
    if (uses.length === 0) return { calls, texts, messages };
    calls.push(uses.map(({ name, input }) => ({ name, input })));
    messages.push({
      role: 'user',
      content: uses.map(({ id, name, input }) => ({
        type: 'tool_result',
        tool_use_id: id,
        ...options.act(name, input),
      })),
    });
  }
}

function textOf(message: Anthropic.Message): string {
  return message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

const file = '     1\u2192const foo = 1;\n     2\u2192export { foo };';

describe('phrases become tool calls', () => {
  const rows: readonly (readonly [phrase: string, calls: readonly (readonly [name: string, input: unknown])[]])[] = [
    ['read package.json', [['Read', { file_path: 'package.json' }]]],
    [
      'read a, b and c',
      [
        ['Read', { file_path: 'a' }],
        ['Read', { file_path: 'b' }],
        ['Read', { file_path: 'c' }],
      ],
    ],
    ['run `npm test`', [['Bash', { command: 'npm test', description: 'Run npm test' }]]],
    ['find a.b in src', [['Grep', { pattern: 'a\\.b', path: 'src', output_mode: 'content' }]]],
    ['list **/*.ts', [['Glob', { pattern: '**/*.ts' }]]],
    ['replace foo with bar in src/x.js', [['Read', { file_path: 'src/x.js' }]]],
    ['write n.md: hello \u{1F511}', [['Write', { file_path: 'n.md', content: 'hello \u{1F511}\n' }]]],
    [
      'ask me which colour: blue or red',
      [
        [
          'AskUserQuestion',
          {
            questions: [
              {
                question: 'Which colour?',
                header: 'Your choice',
                multiSelect: false,
                options: [
                  { label: 'blue', description: 'Answer with blue' },
                  { label: 'red', description: 'Answer with red' },
                ],
              },
            ],
          },
        ],
      ],
    ],
    [
      'plan look; do',
      [
        [
          'TodoWrite',
          {
            todos: [
              { content: 'look', status: 'in_progress', activeForm: 'look' },
              { content: 'do', status: 'pending', activeForm: 'do' },
            ],
          },
        ],
      ],
    ],
  ];

  it.each(rows)('%s', async (phrase, calls) => {
    const message = await send([{ role: 'user', content: phrase }]);
    expect(message.content[0]?.type).toBe('text');
    expect(message.content.slice(1)).toEqual(
      calls.map(([name, input]) => expect.objectContaining({ type: 'tool_use', name, input })),
    );
  });

  it('gives every call an id of its own, also in another request', async () => {
    const ask: Messages = [{ role: 'user', content: 'read a, b and c' }];
    const ids = [await send(ask), await send(ask)].flatMap((message) =>
      message.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])),
    );
    expect(new Set(ids).size).toBe(6);
  });
});

describe('conversations', () => {
  it('reads, runs, edits and sums up, one step a message', async () => {
    const { calls, texts } = await converse({
      say: 'read package.json then run `npm test` then replace foo with bar in src/x.js',
      act: (name, input) => {
        if (name === 'Bash') return { content: 'ok 1\nsee exit 2 in the manual\nall 3 passed' };
        if (name === 'Edit') return { content: 'The file has been changed.' };
        return { content: JSON.stringify(input).includes('package') ? '     1\u2192{"name": "demo"}' : file };
      },
    });
    expect(calls).toEqual([
      [{ name: 'Read', input: { file_path: 'package.json' } }],
      [{ name: 'Bash', input: { command: 'npm test', description: 'Run npm test' } }],
      [{ name: 'Read', input: { file_path: 'src/x.js' } }],
      [
        {
          name: 'Edit',
          input: { file_path: 'src/x.js', old_string: 'foo', new_string: 'bar', replace_all: true },
        },
      ],
    ]);
    expect(texts).toEqual([
      'I read `package.json`.',
      '`package.json`: 1 line, beginning with “{"name": "demo"}”.\n\nI run `npm test`.',
      '`npm test` ended with exit code 0. Its last line is “all 3 passed”.\n\nI read `src/x.js` before I edit it.',
      '“foo” appears 2 times in `src/x.js`. I replace every one with “bar”.',
      '`src/x.js` is changed: “foo” is now “bar”.\n\nAll 3 steps are done:\n\n' +
        '- `package.json`: 1 line, beginning with “{"name": "demo"}”\n' +
        '- `npm test` ended with exit code 0. Its last line is “all 3 passed”.\n' +
        '- `src/x.js` is changed: “foo” is now “bar”',
    ]);
  });

  const edits: readonly (readonly [phrase: string, content: string, edit: unknown])[] = [
    ['replace foo with bar in f', '1\u2192foo', { old_string: 'foo', new_string: 'bar' }],
    ['replace all foo with bar in f', '1\tfoo', { old_string: 'foo', new_string: 'bar', replace_all: true }],
    ['replace one foo with bar in f', 'foo\nfoo', { old_string: 'foo', new_string: 'bar' }],
    ['replace 1 with 2 in f', '     1\u2192a1\n     2\u2192b', { old_string: '1', new_string: '2' }],
  ];
  it.each(edits)('%s', async (say, content, edit) => {
    const { calls } = await converse({ say, act: () => ({ content }) });
    expect(calls[1]).toEqual([{ name: 'Edit', input: { file_path: 'f', ...Object(edit) } }]);
  });

  it.each([
    ['run `true`', 'The command succeeded and printed nothing.', '`true` ended with exit code 0. It printed nothing.'],
    [
      'run `grep x y`',
      'Exit code 1: nothing was found, or there is a difference. This is not an error.',
      '`grep x y` ended with exit code 1. It printed nothing.',
    ],
    ['read a', 'a exists but is empty.', '`a` is empty.'],
    [
      'read a',
      '     1\tx\n\n[PARTIAL: lines 1 to 1 of 30,000. Read on with offset 2.]',
      '`a`: 30000 lines, beginning with “x”.',
    ],
    ['find x', 'No matches found.', '“x” was not found in `.`.'],
    ['find x in b', 'b/a.js:3:x = 1\nb/c.js:1:x', '“x” in `b`: 2 lines, the first is “b/a.js:3:x = 1”.'],
    [
      'find x in b',
      '[Paths start from b.]\na.js:3:x\n\n[Lines 1 to 1 of 30. Go on with offset 1, or narrow the search.]',
      '“x” in `b`: 1 line, the first is “a.js:3:x”.',
    ],
    ['list *.rs', 'No files match.', 'no file fits `*.rs`.'],
    ['list *.js', 'a.js\nb.js', '`*.js`: 2 files, the first is “a.js”.'],
    ['ask me which: a or b', 'The person answered:\n- Which? → b', 'your answer: “b”.'],
  ])('%s, given %j', async (say, content, comment) => {
    const { texts } = await converse({ say, act: () => ({ content }) });
    expect(texts.at(-1)).toBe(`${comment}\n\nThat was all you asked for.`);
  });

  it('does not edit what is not there', async () => {
    const { calls, texts } = await converse({ say: 'replace nope with x in f', act: () => ({ content: file }) });
    expect(calls).toEqual([[{ name: 'Read', input: { file_path: 'f' } }]]);
    expect(texts.at(-1)).toContain('“nope” does not appear in `f`');
  });

  const choice = { question: 'Which?', header: 'Your choice', multiSelect: false };
  const answers = ['a', 'b'].map((label) => ({ label, description: `Answer with ${label}` }));
  it.each([
    ['use mcp__files__list with {"path": "."}', 'mcp__files__list', { path: '.' }],
    ['ask me which: a or b', 'AskUserQuestion', { questions: [{ ...choice, options: answers }] }],
  ])('searches once for a tool that is not loaded, and says when it cannot be had: %s', async (say, name, input) => {
    const asked = (message: Anthropic.Message) =>
      message.content.flatMap((block) => (block.type === 'tool_use' ? [{ name: block.name, input: block.input }] : []));
    const first = await send([{ role: 'user', content: say }], ['ToolSearch']);
    expect(asked(first)).toEqual([{ name: 'ToolSearch', input: { query: `select:${name}` } }]);
    const id = first.content.find((block) => block.type === 'tool_use')?.id ?? '';
    const searched: Messages = [
      { role: 'user', content: say },
      { role: 'assistant', content: first.content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'Loaded 1 tool.' }] },
    ];
    expect(asked(await send(searched, ['ToolSearch', name]))).toEqual([{ name, input }]);
    const without = await send(searched, ['ToolSearch']);
    expect(asked(without)).toEqual([]);
    expect(without.content[0]).toMatchObject({ text: expect.stringContaining('not available here') });
  });

  const halts: readonly (readonly [why: string, result: Result, says: RegExp])[] = [
    ['denied', { is_error: true, content: 'The person denied this call and says: not today' }, /denied.*not today/s],
    ['denied by a rule', { is_error: true, content: 'Permission denied by Bash(x) · user.' }, /denied.*Bash\(x\)/s],
    ['failed', { is_error: true, content: 'The executor stopped.' }, /failed.*The executor stopped\./s],
    ['interrupted', { is_error: true, content: 'Interrupted by the person while this ran.' }, /was interrupted/],
    [
      'exit code',
      { is_error: true, content: 'Exit code 3.\n\npermission denied\n2 failing' },
      /exit code 3.*“2 failing”/s,
    ],
  ];
  it.each(halts)('stops the chain when a step was %s, and says so', async (_why, result, says) => {
    const { calls, texts } = await converse({ say: 'run `x` then read a then count to 3', act: () => result });
    expect(calls).toHaveLength(1);
    expect(texts.at(-1)).toMatch(says);
    expect(texts.at(-1)).toContain('Not done because of that:\n\n- read `a`\n- count to 3');
  });

  it('begins anew with the next message after a halt, without earlier steps', async () => {
    const first = await converse({
      say: 'run `x` then read a',
      act: () => ({ is_error: true, content: 'The person denied this call.' }),
    });
    const second = await converse({ say: 'read b', act: () => ({ content: file }), before: first.messages });
    expect(second.calls).toEqual([[{ name: 'Read', input: { file_path: 'b' } }]]);
    expect(second.texts.at(-1)).toBe('`b`: 2 lines, beginning with “const foo = 1;”.\n\nThat was all you asked for.');
  });

  it('begins anew when the turn was stopped and the new message follows the results', async () => {
    const message = await send([
      { role: 'user', content: 'read a then read b' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Read', input: { file_path: 'a' } }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't1', is_error: true, content: 'The call was interrupted.' }],
      },
      { role: 'user', content: 'run `ls`' },
    ]);
    expect(message.content.at(-1)).toMatchObject({ name: 'Bash', input: { command: 'ls' } });
  });

  it('leaves behind what another model never answered', async () => {
    const message = await send([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'How are you?' },
          { type: 'text', text: 'read a' },
          { type: 'text', text: 'run `ls`' },
        ],
      },
    ]);
    expect(message.content.at(-1)).toMatchObject({ name: 'Read', input: { file_path: 'a' } });
  });

  it('puts a message that comes in the middle behind the steps still to do', async () => {
    const message = await send([
      { role: 'user', content: 'read a then read b' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Read', input: { file_path: 'a' } }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: '1\u2192x' }] },
          { type: 'text', text: '<system-reminder>read z</system-reminder>' },
          { type: 'text', text: '<gatehouse-context source="Stop hook">\nread z\n</gatehouse-context>' },
          { type: 'text', text: 'run `ls`' },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't2', name: 'Read', input: { file_path: 'b' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't2', content: '' }] },
    ]);
    expect(textOf(message)).toContain('`b` is empty.');
    expect(message.content.at(-1)).toMatchObject({ name: 'Bash', input: { command: 'ls' } });
  });

  it('speaks a count and makes the next call in one message', async () => {
    const { calls, texts } = await converse({ say: 'count to 3 then read a', act: () => ({ content: file }) });
    expect(calls).toEqual([[{ name: 'Read', input: { file_path: 'a' } }]]);
    expect(texts[0]).toBe('1 2 3\n\nI read `a`.');
    expect(texts[1]).not.toContain('1 2 3');
  });

  it('uses only tools that the request offers', async () => {
    const message = await send([{ role: 'user', content: 'run `ls`' }], ['Read']);
    expect(message.stop_reason).toBe('end_turn');
    expect(textOf(message)).toContain('the tool Bash to run `ls`, and it is not available');
  });

  it.each(['hello', 'read a then dance'])('%s: lists the phrases and says what it is', async (say) => {
    const { texts } = await converse({ say, act: () => ({ content: file }) });
    expect(texts.at(-1)).toMatch(/not intelligent/);
    expect(texts.at(-1)).toContain('`` run `npm test` ``: Runs a shell command.');
  });
});

describe('as a server', () => {
  let stop: (() => void) | undefined;
  afterEach(() => stop?.());

  it('streams text word by word and tool input in pieces', async () => {
    const stream = client().messages.stream({
      model: 'rehearsal',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'count to 20 then write a.txt: some text that is long enough to split' }],
      tools: [{ name: 'Write', input_schema: { type: 'object' } }],
    });
    const words: string[] = [];
    const pieces: string[] = [];
    stream.on('text', (word) => words.push(word));
    stream.on('inputJson', (piece) => pieces.push(piece));
    const message = await stream.finalMessage();
    expect(words.length).toBeGreaterThan(20);
    expect(pieces.length).toBeGreaterThan(2);
    expect(message.usage.output_tokens).toBeGreaterThan(10);
    expect(message.usage.input_tokens).toBeGreaterThan(10);
  });

  it('stops in the middle when aborted', async () => {
    const stream = client(1).messages.stream({
      model: 'rehearsal',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'count to 5000' }],
    });
    stop = () => stream.abort();
    let heard = 0;
    stream.on('text', () => {
      heard += 1;
      if (heard === 5) stream.abort();
    });
    await expect(stream.finalMessage()).rejects.toBeInstanceOf(Anthropic.APIUserAbortError);
    expect(heard).toBeLessThan(20);
  });

  it('fails at once when the signal has fired before', async () => {
    const fetch = createRehearsalFetch({ pieceDelayMs: 0 });
    const asked = fetch('http://x.invalid/v1/models', { signal: AbortSignal.abort() });
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('answers without a stream too', async () => {
    const message = await client().messages.create({
      model: 'rehearsal',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'count to 3' }],
    });
    expect(message.content).toEqual([{ type: 'text', text: '1 2 3' }]);
  });

  it('lists its one model', async () => {
    const models = await client().models.list();
    expect(models.data.map(({ id, display_name }) => ({ id, display_name }))).toEqual([
      { id: 'rehearsal', display_name: 'Rehearsal (scripted)' },
    ]);
  });

  it('refuses what it does not serve in the form of the API', async () => {
    await expect(client().models.retrieve('other')).rejects.toMatchObject({ status: 404 });
    const fetch = createRehearsalFetch({ pieceDelayMs: 0 });
    const answer = await fetch('http://x.invalid/v1/messages', { method: 'POST', body: '{' });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
  });
});

import { describe, expect, it } from 'vitest';
import { callId, callLine, resultLine, time } from '../testing/transcripts';
import { maxTextChars } from './boundInput';
import { type LineContext, readTranscriptLine } from './transcriptLine';

const start = (): LineContext => ({
  fileSession: 'file',
  isSubagentFile: false,
  cwd: null,
  mode: null,
  at: 1_000,
});

const read = (line: string | Buffer, context = start()) => readTranscriptLine(Buffer.from(line), context);
const id = callId('a');
const nothing = { calls: [], results: [], damaged: false };
const damaged = { calls: [], results: [], damaged: true };

/** A call whose input goes so many levels deep, written as text because nothing else can write it. */
const deepLine = (levels: number): string =>
  callLine({ id, input: { x: 'HERE' } }).replace('"HERE"', `${'['.repeat(levels)}${']'.repeat(levels)}`);

describe('a call', () => {
  it('is read with its place, time and title', () => {
    const context = start();
    const facts = read(
      callLine({ id, input: { command: 'git status\n', description: 'Look' } }, { second: 5 }),
      context,
    );
    expect(facts).toEqual({
      calls: [
        {
          id,
          session: 's1',
          cwd: '/srv/app',
          at: Date.parse(time(5)),
          tool: 'Bash',
          input: '{"command":"git status\\n","description":"Look"}',
          key: expect.stringMatching(/^[\w-]{32}$/),
          title: 'git status',
          isSubagent: false,
          mode: null,
        },
      ],
      results: [],
      damaged: false,
    });
    expect(context).toEqual({ ...start(), cwd: '/srv/app', at: Date.parse(time(5)) });
  });

  it.each<[string, string, object]>([
    ['of a sub-agent, by the side chain', callLine({ id }, { more: { isSidechain: true } }), { isSubagent: true }],
    ['of a sub-agent, by its id', callLine({ id }, { more: { agentId: 'a1' } }), { isSubagent: true }],
    ['in a mode that its line names', callLine({ id }, { more: { permissionMode: 'plan' } }), { mode: 'plan' }],
    ['in a mode that nobody knows', callLine({ id }, { more: { permissionMode: 'manual' } }), { mode: null }],
    ['without a session', callLine({ id }, { more: { sessionId: 7 } }), { session: 'file' }],
    ['without a time', callLine({ id }, { more: { timestamp: 'soon' } }), { at: 1_000 }],
    ['with a short id, which others may have', callLine({ id: 'call_1' }), { id: 's1:call_1' }],
    ['on Windows', callLine({ id }, { cwd: 'C:\\srv\\app' }), { cwd: 'C:\\srv\\app' }],
    ['of a file', callLine({ id, tool: 'Read', input: { file_path: '/srv/app/a.ts' } }), { title: '/srv/app/a.ts' }],
    [
      'of a page',
      callLine({ id, tool: 'WebFetch', input: { prompt: 'x', url: 'https://example.com/' } }),
      { title: 'https://example.com/' },
    ],
    ['of a server', callLine({ id, tool: 'mcp__t__x', input: { n: 1 } }), { title: '{"n":1}' }],
    [
      'with what hides in its title',
      callLine({ id, input: { command: 'ls \u202etxt' } }),
      { title: 'ls \\u{202e}txt' },
    ],
    ['with a line end of Windows', `${callLine({ id })}\r`, { id }],
  ])('%s', (_name, line, expected) => {
    expect(read(line).calls).toEqual([expect.objectContaining(expected)]);
  });

  it('has the mode and folder of the lines before it', () => {
    const context = start();
    expect(read(`{"type":"permission-mode","permissionMode":"acceptEdits"}`, context)).toEqual(nothing);
    expect(read(`{"type":"user","cwd":"/srv/first","message":{"content":"hi"}}`, context)).toEqual(nothing);
    const facts = read(callLine({ id }, { more: { cwd: undefined } }), context);
    expect(facts.calls).toEqual([expect.objectContaining({ cwd: '/srv/first', mode: 'acceptEdits' })]);
  });

  it('has the same key however its input was written, and another in another folder', () => {
    const keyOf = (input: object, cwd: string) => read(callLine({ id, input }, { cwd })).calls[0]?.key;
    const key = keyOf({ command: 'ls', timeout: 5 }, '/srv/app');
    expect(keyOf({ timeout: 5, command: 'ls' }, '/srv/app')).toBe(key);
    expect(keyOf({ command: 'ls', timeout: 5 }, '/srv/other')).not.toBe(key);
  });

  it('keeps a long text in part', () => {
    const [call] = read(callLine({ id, tool: 'Write', input: { content: 'x'.repeat(50_000) } })).calls;
    expect(JSON.parse(call?.input ?? '')).toEqual({ content: 'x'.repeat(maxTextChars) });
  });

  it('takes nothing for a part of an object’s own workings', () => {
    const line = callLine({ id, input: { command: 'ls' } }).replace(
      '"command"',
      '"__proto__":{"polluted":1},"command"',
    );
    const [call] = read(line).calls;
    expect(call?.input).toBe('{"command":"ls"}');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('the end of a call', () => {
  const rejected = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
  it.each<[string, string, string]>([
    ['a result', resultLine({ id }), 'ran'],
    ['a result in blocks', resultLine({ id, content: [{ type: 'text', text: 'ok' }], isError: false }), 'ran'],
    ['an error', resultLine({ id, content: 'Exit code 1', isError: true }), 'failed'],
    ['an error in blocks', resultLine({ id, content: [{ type: 'text', text: 'no' }], isError: true }), 'failed'],
    ['an error without a text', resultLine({ id, content: null, isError: true }), 'failed'],
    ['a person’s no', resultLine({ id, content: rejected, isError: true }), 'refused'],
    [
      'a person’s no in blocks',
      resultLine({ id, content: [{ type: 'text', text: rejected }], isError: true }),
      'refused',
    ],
    [
      'a person’s no by its kind',
      resultLine({ id, content: 'x', isError: true }, { more: { toolDenialKind: 'user-rejected' } }),
      'refused',
    ],
    [
      'a person’s no by the other field',
      resultLine({ id, content: 'x', isError: true }, { more: { toolUseResult: 'User rejected tool use' } }),
      'refused',
    ],
    ['a rule’s no', resultLine({ id, content: 'Permission to use Bash has been denied.', isError: true }), 'refused'],
    [
      'a rule’s no, called an error',
      resultLine({ id, content: 'Error: Permission to use Bash has been denied.', isError: true }),
      'refused',
    ],
    [
      'nobody to ask',
      resultLine({
        id,
        content: "Claude requested permissions to write to /x, but you haven't granted it yet.",
        isError: true,
      }),
      'refused',
    ],
    ['a hook’s no', resultLine({ id, content: 'PreToolUse:Bash hook error: [x]: no', isError: true }), 'refused'],
    [
      'a stopped turn',
      resultLine({ id, content: '[Request interrupted by user for tool use]', isError: true }),
      'unknown',
    ],
    [
      'a stopped turn by its kind',
      resultLine({ id, content: rejected, isError: true }, { more: { toolDenialKind: 'interrupted' } }),
      'unknown',
    ],
    ['output that only quotes a refusal', resultLine({ id, content: `log: ${rejected}`, isError: true }), 'failed'],
    ['output that reads like a refusal', resultLine({ id, content: rejected }), 'ran'],
  ])('%s', (_name, line, outcome) => {
    expect(read(line)).toEqual({ calls: [], results: [{ id, outcome }], damaged: false });
  });
});

describe('what else may stand in a line', () => {
  it.each<[string, string | Buffer, object]>([
    ['nothing', '', nothing],
    ['a kind that is not known', '{"type":"of-next-year","payload":{"type":"tool_use"}}', nothing],
    ['words about calls', '{"type":"user","message":{"role":"user","content":"what is a \\"tool_use\\"?"}}', nothing],
    ['a content that is a text', '{"message":{"content":"tool_use"},"x":"tool_result"}', nothing],
    ['a line that was cut', callLine({ id }).slice(0, 60), damaged],
    ['a line that begins in the middle', callLine({ id }).slice(10), damaged],
    ['noise', Buffer.from([0, 1, 2, 0xff]), damaged],
    ['bad JSON about calls', '{"type":"assistant","message":{"content":[{"type":"tool_use",}]}}', damaged],
    ['a list', '["tool_use"]', damaged],
    ['a call without a name', callLine({ id, tool: '' }), damaged],
    ['a call whose input is no object', callLine({ id, input: 'ls' }), damaged],
    ['a call whose input is a list', callLine({ id, input: ['ls'] }), damaged],
    ['a call in no folder', callLine({ id }, { cwd: 'src' }), damaged],
    ['a call in a folder with a hidden end', callLine({ id }, { cwd: '/srv\0/app' }), damaged],
    ['a call without an id', callLine({ id: '' }), damaged],
    ['an input that goes deep', deepLine(60), damaged],
    ['an input that goes very deep', deepLine(1_000_000), damaged],
    ['an input of very many values', callLine({ id, input: { x: Array.from({ length: 20_000 }, () => 0) } }), damaged],
  ])('%s', (_name, line, expected) => {
    expect(read(line)).toEqual(expected);
  });
});

import { describe, expect, it } from 'vitest';
import type { McpServerConfig } from '#shared/api/mcp';
import { configOf, draftOf, draftProblem, emptyServer, type ServerDraft } from './draftConfig';

const program: ServerDraft = { ...emptyServer, name: 'files', command: 'node' };
const pair = (name: string, value = 'x') => ({ name, value, kept: false });

it.each<[string, Partial<ServerDraft>, string]>([
  ['all well', {}, ''],
  ['no name', { name: ' ' }, 'Give the server a name.'],
  [
    'a name that could pass for another',
    { name: 'a/b' },
    'A name has 1 to 64 letters, digits, blanks or ._- and begins with a letter or digit.',
  ],
  ['no command', { command: '' }, 'Write the command that starts the server.'],
  ['no address', { type: 'http' }, 'Write the address of the server.'],
  ['an odd address', { type: 'sse', url: 'file:///x' }, 'An address begins with https:// or http://.'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the documented placeholder.
  ['an address from a variable', { type: 'http', url: '${BASE}/mcp' }, ''],
  ['a value without a name', { pairs: [pair('')] }, 'A variable has no name.'],
  ['a name twice', { pairs: [pair('A'), pair('A ')] }, 'A stands there twice.'],
])('%s', (_name, part, problem) => {
  expect(draftProblem({ ...program, ...part })).toBe(problem);
});

describe('a configuration', () => {
  it.each<[string, McpServerConfig]>([
    [
      'of a program',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the documented placeholder.
      { type: 'stdio', command: 'node', args: ['a b', ''], env: { KEY: '', HOST: '${HOST}' }, timeout: 5 },
    ],
    ['of an address', { type: 'http', url: 'https://x.example/mcp', headers: { 'X-Key': '' }, alwaysLoad: true }],
  ])('%s comes back as it was when nothing is changed', (_name, config) => {
    expect(configOf(draftOf('files', 'project', config), config)).toEqual(config);
  });

  it('leaves rows out that were never filled in', () => {
    expect(configOf({ ...program, pairs: [pair('', ''), pair(' A ', '1')] }, null)).toEqual({
      type: 'stdio',
      command: 'node',
      args: [],
      env: { A: '1' },
    });
  });
});

import { expect, it } from 'vitest';
import { waitingServers } from './waitingServers';

type Servers = Parameters<typeof waitingServers>[0]['servers'];
type Server = Servers[number];

const server = (name: string, needs: Server['needs'], state: Server['state'] = 'needsApproval'): Server => ({
  ...{ id: `project/${name}`, name, scope: 'project', file: '/srv/app/.mcp.json', editable: true, configHash: '' },
  ...{ config: { type: 'stdio', command: 'x', args: [], env: {} }, target: 'x', state, reason: '', needs, version: '' },
  ...{
    instructions: '',
    tools: [],
    problems: [],
    resources: false,
    prompts: false,
    connectedAt: null,
    signedIn: false,
  },
});

it.each<[string, Servers, readonly RegExp[]]>([
  ['none', [], []],
  ['all well', [server('a', null, 'connected')], []],
  ['rejected', [server('a', 'approval', 'disabled')], []],
  [
    'of a folder that nobody trusts',
    [server('a', 'trust'), server('b', 'trust')],
    [/^MCP servers of \/srv\/app\/\.mcp\.json are not there \(a, b\): nobody has trusted the folder yet\./],
  ],
  [
    'one approved, one changed, one new',
    [server('a', null, 'connected'), server('b', 'changed'), server('c', 'approval')],
    [/\(c\): nobody has approved/, /\(b\): what they would start has changed/],
  ],
  ['many', 'abcdefg'.split('').map((name) => server(name, 'approval')), [/\(a, b, c, d, e and 2 more\)/]],
])('%s', (_, servers, lines) => {
  const found = waitingServers({ servers });
  expect(found).toHaveLength(lines.length);
  for (const [at, line] of lines.entries()) expect(found[at]).toMatch(line);
});

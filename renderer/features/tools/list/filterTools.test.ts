import { expect, it } from 'vitest';
import { toolView } from '../testing/samples';
import { filterTools, savedShare, serversOf, type ToolFilter } from './filterTools';

const tools = [
  toolView({ name: 'Bash', hint: 'run commands', aliases: ['Shell'] }),
  toolView({ name: 'LSP', state: 'deferred' }),
  toolView({
    name: 'mcp__files__read',
    state: 'deferred',
    origin: { kind: 'mcp', server: 'files', tool: 'read' },
    hint: 'Read a file',
  }),
  toolView({ name: 'mcp__web__get', state: 'disabled', origin: { kind: 'mcp', server: 'web', tool: 'get' } }),
];
const all: ToolFilter = { search: '', origin: 'all', state: 'all' };

it.each<[string, Partial<ToolFilter>, readonly string[]]>([
  ['everything', {}, ['Bash', 'LSP', 'mcp__files__read', 'mcp__web__get']],
  ['by name in any case', { search: 'bASH' }, ['Bash']],
  ['by alias', { search: 'shell' }, ['Bash']],
  ['by purpose, every word somewhere', { search: 'file  read' }, ['mcp__files__read']],
  ['by state', { state: 'deferred' }, ['LSP', 'mcp__files__read']],
  ['by origin', { origin: 'builtIn' }, ['Bash', 'LSP']],
  ['by server', { origin: 'mcp:web' }, ['mcp__web__get']],
  ['by all together', { origin: 'mcp:files', state: 'deferred', search: 'read' }, ['mcp__files__read']],
  ['nothing', { search: 'zebra' }, []],
])('%s', (_name, filter, names) => {
  expect(filterTools(tools, { ...all, ...filter }).map(({ name }) => name)).toEqual(names);
});

it('names servers once, sorted', () => expect(serversOf([...tools].reverse())).toEqual(['files', 'web']));

it.each([
  [{ withDeferral: 4_000, withoutDeferral: 10_000 }, 60],
  [{ withDeferral: 11, withoutDeferral: 10 }, 0],
  [{ withDeferral: 0, withoutDeferral: 0 }, 0],
])('%j saves %i percent', (totals, percent) => expect(savedShare(totals)).toBe(percent));

import { expect, it } from 'vitest';
import { plainMcpTool, plainTool } from '../testing/plainTool';
import { recordCall } from '../testing/recordingExecutor';
import { samplePlace } from '../testing/samplePlace';
import { ToolFailure } from '../tool';
import { type ToolSearchInput, toolSearchTool } from './toolSearch';

const deferred = [
  plainTool('CronCreate', { searchHint: 'schedule a prompt' }),
  ...Array.from({ length: 7 }, (_, at) => plainMcpTool('db', `query_${at}`, { searchHint: 'ask the database' })),
];
const pool = {
  tools: [plainTool('Read', { searchHint: 'read a file' }), plainMcpTool('files', 'list'), toolSearchTool, ...deferred],
  isDeferrable: (tool: { readonly name: string }) => deferred.some(({ name }) => name === tool.name),
};

async function search(input: { query: string; max_results?: unknown }) {
  const parsed = toolSearchTool.inputSchema().parse(input);
  const output = await toolSearchTool.call(parsed, { ...recordCall().context, pool });
  const [text, ...references] = toolSearchTool.mapResult(output, parsed);
  const names = references.map((block) => (block.type === 'tool_reference' ? block.name : block.type));
  return {
    text: text?.type === 'text' ? text.text : '',
    names,
    shown: toolSearchTool.renderResult(output, parsed, samplePlace),
  };
}

it.each<[{ query: string; max_results?: unknown }, string[], RegExp]>([
  [{ query: 'select:CronCreate' }, ['CronCreate'], /^Loaded: CronCreate\. You have their/],
  [
    { query: 'select:Read,CronCreate,Zebra' },
    ['CronCreate'],
    /^Loaded: CronCreate\..*\nLoaded all the time: Read\..*\nThere is no tool called Zebra\.$/,
  ],
  [{ query: 'database', max_results: '2' }, ['mcp__db__query_0', 'mcp__db__query_1'], /\n5 more tools would fit\./],
  [{ query: 'mcp__db' }, [0, 1, 2, 3, 4].map((at) => `mcp__db__query_${at}`), /\n2 more tools would fit\./],
  [{ query: 'mcp__files' }, [], /^Loaded all the time: mcp__files__list\. Call them without a search\.$/],
  [{ query: '+files' }, [], /^Loaded all the time: mcp__files__list\. Call them without a search\.$/],
  [{ query: '+read file' }, [], /^Loaded all the time: Read\. Call them/],
  [{ query: '+schedule' }, ['CronCreate'], /^Loaded: CronCreate\. /],
  [{ query: '+zebra file' }, [], /^No tool fits/],
  [{ query: 'select:ToolSearch' }, [], /^There is no tool called ToolSearch\.$/],
  [{ query: 'read file' }, [], /^No tool fits “read file”\. Try other words/],
  [{ query: 'select:' }, [], /^No tool fits/],
])('%j', async (input, names, text) => {
  const found = await search(input);
  expect(found.names).toEqual(names);
  expect(found.text).toMatch(new RegExp(text.source, 's'));
});

it('shows the person what was loaded', async () => {
  expect((await search({ query: 'select:CronCreate' })).shown).toEqual({
    view: { kind: 'table', columns: ['Tool', 'What for'], rows: [['CronCreate', 'schedule a prompt']] },
    note: '1 tool loaded',
  });
  expect((await search({ query: 'zebra' })).shown.note).toBe('0 tools loaded');
});

it('needs no permission, changes nothing and overlaps others', () => {
  const input: ToolSearchInput = { query: 'x', max_results: 5 };
  expect([
    toolSearchTool.checkPermissions(input, samplePlace).behavior,
    toolSearchTool.facts(input, samplePlace),
    toolSearchTool.isReadOnly(input),
    toolSearchTool.isConcurrencySafe(input),
    toolSearchTool.shouldDefer,
  ]).toEqual(['allow', [], true, true, false]);
});

it.each([
  [{}],
  [{ query: ' ' }],
  [{ query: 'x'.repeat(501) }],
  [{ query: 'x', max_results: 0 }],
  [{ query: 'x', max_results: 21 }],
  [{ query: 'x', max_results: 1.5 }],
  [{ query: 'x', limit: 3 }],
])('input %j is an error', (input) => {
  expect(toolSearchTool.inputSchema().safeParse(input).success).toBe(false);
});

it('fails where a call has no tools around it', () => {
  expect(() => toolSearchTool.call({ query: 'x', max_results: 5 }, recordCall().context)).toThrow(ToolFailure);
});

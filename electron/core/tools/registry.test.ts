import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { builtInTools } from './builtInTools';
import { createRegistry, openContext } from './registry';
import { plainMcpTool as mcpTool, plainTool as tool } from './testing/plainTool';
import type { AnyTool } from './tool';

const namesOf = (registry: { readonly tools: readonly AnyTool[] }) => registry.tools.map((each) => each.name);
const builtIns = builtInTools({ isReadOnlyCommand: () => false });

describe('pool', () => {
  it('puts sorted built-ins first and sorted MCP tools behind them; of one name the built-in stays', () => {
    const registry = createRegistry({
      tools: [tool('Write'), tool('Bash'), tool('mcp__a__x')],
      mcpTools: [mcpTool('b', 'y'), mcpTool('a', 'x'), mcpTool('B', 'z')],
    });
    expect(namesOf(registry)).toEqual(['Bash', 'Write', 'mcp__a__x', 'mcp__B__z', 'mcp__b__y']);
    expect(registry.tools.map((each) => each.isMcp)).toEqual([false, false, false, true, true]);
  });

  it('leaves the bytes before MCP tools as they are when servers come and go', () => {
    const alone = JSON.stringify(createRegistry({ tools: builtIns }).toolDefinitions());
    const more = JSON.stringify(
      createRegistry({ tools: [...builtIns].reverse(), mcpTools: [mcpTool('a', 'x')] }).toolDefinitions(),
    );
    expect(more.startsWith(alone.slice(0, -1))).toBe(true);
    expect(JSON.stringify(createRegistry({ tools: builtInTools() }).toolDefinitions())).toBe(alone);
  });

  it.each<[string, Partial<typeof openContext>, string[]]>([
    ['everything', {}, ['Agent', 'Ask', 'Bash', 'Edit', 'REPL', 'Read', 'Write']],
    ['denied names', { deniedNames: ['Bash', 'Write'] }, ['Agent', 'Ask', 'Edit', 'REPL', 'Read']],
    [
      'a denied name in other case',
      { deniedNames: ['bash'] },
      ['Agent', 'Ask', 'Bash', 'Edit', 'REPL', 'Read', 'Write'],
    ],
    ['plan keeps all', { mode: 'plan' }, ['Agent', 'Ask', 'Bash', 'Edit', 'REPL', 'Read', 'Write']],
    ['dontAsk keeps what can be read-only', { mode: 'dontAsk' }, ['Bash', 'Read']],
    ['dontAsk and a rule', { mode: 'dontAsk', allowedNames: ['Write'] }, ['Bash', 'Read', 'Write']],
    [
      'dontAsk and a rule that governs two',
      { mode: 'dontAsk', allowedNames: ['Edit'] },
      ['Bash', 'Edit', 'Read', 'Write'],
    ],
    ['deny beats allow', { mode: 'dontAsk', allowedNames: ['Edit'], deniedNames: ['Edit'] }, ['Bash', 'Read', 'Write']],
    ['no feature', { features: new Set() }, ['Ask', 'Bash', 'Edit', 'Read', 'Write']],
    ['some features', { features: new Set(['repl']) }, ['Ask', 'Bash', 'Edit', 'REPL', 'Read', 'Write']],
    ['the simple set', { toolSet: 'simple' }, ['Bash', 'Edit', 'Read']],
    ['the simple set without Bash', { toolSet: 'simple', deniedNames: ['Bash'] }, ['Edit', 'Read']],
    ['the JavaScript session in place of shell and changes', { toolSet: 'repl' }, ['Agent', 'Ask', 'REPL', 'Read']],
    [
      'nothing is replaced by a session that is not there',
      { toolSet: 'repl', deniedNames: ['REPL'] },
      ['Agent', 'Ask', 'Bash', 'Edit', 'Read', 'Write'],
    ],
  ])('%s', (_, context, expected) => {
    const tools = [
      tool('Write', { governedBy: ['Edit'] }),
      tool('Edit'),
      tool('Read', { canBeReadOnly: () => true }),
      tool('Bash', { canBeReadOnly: () => true }),
      tool('Ask', { canBeReadOnly: () => true, requiresUserInteraction: () => true }),
      tool('REPL'),
      tool('Agent'),
    ];
    expect(namesOf(createRegistry({ tools, context: { ...openContext, ...context } }))).toEqual(expected);
  });

  it('keeps what servers bring beside the simple set, and says what is missing and why', () => {
    const registry = createRegistry({
      tools: [
        tool('Bash'),
        tool('Glob'),
        tool('Agent'),
        tool('Off', { unavailableReason: () => 'It is off.', isEnabled: () => false }),
      ],
      mcpTools: [mcpTool('a', 'x'), mcpTool('a', 'y')],
      context: { ...openContext, toolSet: 'simple', features: new Set(), deniedNames: ['mcp__a__y'] },
    });
    expect(namesOf(registry)).toEqual(['Bash', 'mcp__a__x']);
    expect(registry.absent.map((one) => [one.tool.name, one.reason])).toEqual([
      ['Agent', 'the feature agent is switched off'],
      ['Glob', 'only Bash, Read and Edit are on, as set'],
      ['Off', 'It is off.'],
      ['mcp__a__y', 'a deny rule takes it away'],
    ]);
  });

  it.each<[string, string[]]>([
    ['mcp__a', ['mcp__ab__z']],
    ['mcp__a__*', ['mcp__ab__z']],
    ['mcp__a__x', ['mcp__a__y', 'mcp__ab__z']],
    ['a', ['mcp__a__x', 'mcp__a__y', 'mcp__ab__z']],
  ])('deny %s takes away the tools of that server', (name, expected) => {
    const mcpTools = [mcpTool('a', 'x'), mcpTool('a', 'y'), mcpTool('ab', 'z')];
    const context = { ...openContext, deniedNames: [name] };
    expect(namesOf(createRegistry({ tools: [], mcpTools, context }))).toEqual(expected);
  });

  it('leaves out what is switched off', () => {
    const registry = createRegistry({ tools: [tool('A', { isEnabled: () => false }), tool('B')] });
    expect(namesOf(registry)).toEqual(['B']);
    expect(registry.find('A')).toEqual({
      found: false,
      message: 'The tool A is not available here: A is not available in this environment. Use another tool.',
      closeMatches: [],
    });
  });
});

describe('find', () => {
  const read = tool('Read', { aliases: ['View', 'Bash'] });
  const bash = tool('Bash');
  const query = mcpTool('db', 'query');
  const registry = createRegistry({
    tools: [read, bash, tool('Write')],
    mcpTools: [query],
    context: { ...openContext, deniedNames: ['Write'] },
  });

  it.each<[string, ReturnType<typeof registry.find>]>([
    ['Read', { found: true, tool: read, via: 'name', notice: null }],
    ['Bash', { found: true, tool: bash, via: 'name', notice: null }],
    ['mcp__db__query', { found: true, tool: query, via: 'mcp', notice: null }],
    [
      'View',
      {
        found: true,
        tool: read,
        via: 'alias',
        notice: 'The tool name View is deprecated; call it Read from now on.',
      },
    ],
    [
      'Write',
      {
        found: false,
        message: 'The tool Write is not available here: a deny rule takes it away. Use another tool.',
        closeMatches: [],
      },
    ],
    ['read', { found: false, message: 'There is no tool called read. Did you mean Read?', closeMatches: ['Read'] }],
    [
      'Teleport',
      {
        found: false,
        message: 'There is no tool called Teleport. Available tools: Bash, Read, mcp__db__query.',
        closeMatches: [],
      },
    ],
    [
      'constructor',
      {
        found: false,
        message: 'There is no tool called constructor. Available tools: Bash, Read, mcp__db__query.',
        closeMatches: [],
      },
    ],
  ])('%s', (name, expected) => {
    expect(registry.find(name)).toEqual(expected);
  });
});

describe('definitions', () => {
  it('are what the model sees, byte for byte', async () => {
    const definitions = createRegistry({ tools: builtIns }).toolDefinitions();
    await expect(`${JSON.stringify(definitions, null, 2)}\n`).toMatchFileSnapshot('./testing/toolDefinitions.snap');
  });

  it('are plain strict objects with every field described', () => {
    for (const { name, input_schema: schema } of createRegistry({ tools: builtIns }).toolDefinitions()) {
      const keywords = Object.keys(schema).filter((keyword) => keyword !== 'required');
      expect(keywords, name).toEqual(['type', 'properties', 'additionalProperties']);
      expect([schema.type, schema.additionalProperties], name).toEqual(['object', false]);
      expect(undescribed(schema), name).toEqual([]);
    }
  });

  it('of an MCP tool keep the schema that the server gave', () => {
    const schema = { type: 'object' as const, properties: { q: { type: 'string' } } };
    const given = { ...mcpTool('a', 'x'), inputJSONSchema: () => schema };
    expect(createRegistry({ tools: [], mcpTools: [given] }).toolDefinitions()).toEqual([
      { name: 'mcp__a__x', description: 'Does mcp__a__x.', input_schema: schema },
    ]);
  });

  it('refuse a schema that is no object', () => {
    const broken = tool('Broken', { inputSchema: () => z.string() });
    expect(() => createRegistry({ tools: [broken] }).toolDefinitions()).toThrow(
      'The input of Broken is not an object.',
    );
  });
});

/** Paths of properties without a description. */
function undescribed(schema: unknown, at = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const properties = 'properties' in schema ? Object.entries(schema.properties ?? {}) : [];
  const own = properties.flatMap(([name, property]) => [
    ...(property !== null && typeof property === 'object' && 'description' in property ? [] : [`${at}${name}`]),
    ...undescribed(property, `${at}${name}.`),
  ]);
  return 'items' in schema ? [...own, ...undescribed(schema.items, at)] : own;
}

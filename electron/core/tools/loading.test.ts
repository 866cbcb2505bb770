import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LoadingPolicy, usualPolicy } from './loadingPolicy';
import { createRegistry } from './registry';
import { plainMcpTool, plainTool } from './testing/plainTool';
import type { AnyTool } from './tool';
import { toolSearchTool } from './toolSearch/toolSearch';

const bash = plainTool('Bash');
const cron = plainTool('CronCreate', { shouldDefer: true, searchHint: 'schedule a prompt' });
const read = plainTool('Read');
const repl = plainTool('REPL', { shouldDefer: true });
const pinned = plainTool('Pinned', { shouldDefer: true, alwaysLoad: true });
const builtIns = [bash, cron, read, pinned, toolSearchTool];
const server = (name: string, count: number, more: Partial<AnyTool> = {}) =>
  Array.from({ length: count }, (_, at) => plainMcpTool(name, `t${String(at).padStart(3, '0')}`, more));

const always: LoadingPolicy = { ...usualPolicy, deferral: 'always' };
const never: LoadingPolicy = { ...usualPolicy, deferral: 'never' };
const names = (definitions: readonly { readonly name: string; readonly defer_loading?: boolean }[]) =>
  definitions.map(({ name, defer_loading }) => (defer_loading === true ? `(${name})` : name));

describe('who is deferred', () => {
  const client = (policy: LoadingPolicy, mcpTools: readonly AnyTool[], tools: readonly AnyTool[] = builtIns) =>
    names(createRegistry({ tools, mcpTools, policy }).loading([]).definitions({ by: 'client' }));
  const few = server('a', 2);

  it.each<[string, string[], string[]]>([
    [
      'auto: rare ones only',
      client(usualPolicy, few),
      ['Bash', 'Pinned', 'Read', 'ToolSearch', 'mcp__a__t000', 'mcp__a__t001'],
    ],
    ['always: servers too', client(always, few), ['Bash', 'Pinned', 'Read', 'ToolSearch']],
    [
      'always: but not what its server wants to be there',
      client(always, [...few, plainMcpTool('b', 'x', { alwaysLoad: true })]),
      ['Bash', 'Pinned', 'Read', 'ToolSearch', 'mcp__b__x'],
    ],
    [
      'never: nothing, and no search',
      client(never, few),
      ['Bash', 'CronCreate', 'Pinned', 'Read', 'mcp__a__t000', 'mcp__a__t001'],
    ],
    [
      'without ToolSearch: nothing',
      client(always, few, [bash, cron]),
      ['Bash', 'CronCreate', 'mcp__a__t000', 'mcp__a__t001'],
    ],
    [
      'a JavaScript session beside a shell',
      client(usualPolicy, [], [bash, repl, toolSearchTool]),
      ['Bash', 'ToolSearch'],
    ],
    [
      'a JavaScript session in the place of a shell',
      client(always, few, [read, repl, toolSearchTool]),
      ['REPL', 'Read', 'ToolSearch'],
    ],
    ['auto: more than 80 tools', client(usualPolicy, server('a', 76)), ['Bash', 'Pinned', 'Read', 'ToolSearch']],
    [
      'auto: definitions that fill more than their part of the window',
      client({ ...usualPolicy, contextTokens: 2_000 }, few),
      ['Bash', 'Pinned', 'Read', 'ToolSearch'],
    ],
  ])('%s', (_, actual, expected) => {
    expect(actual).toEqual(expected);
  });

  it('80 tools are not many', () => {
    expect(client(usualPolicy, server('a', 75))).toHaveLength(79);
  });

  it('says for each why', () => {
    const registry = createRegistry({ tools: builtIns, mcpTools: few, policy: always });
    const loading = registry.loading(['mcp__a__t000']);
    expect(registry.tools.map((tool) => [tool.name, loading.stateOf(tool).state, loading.isDeferred(tool)])).toEqual([
      ['Bash', 'loaded', false],
      ['CronCreate', 'deferred', true],
      ['Pinned', 'loaded', false],
      ['Read', 'loaded', false],
      ['ToolSearch', 'loaded', false],
      ['mcp__a__t000', 'found', false],
      ['mcp__a__t001', 'deferred', true],
    ]);
    expect(loading.stateOf(cron).reason).toBe('It is rarely needed, so the model knows its name and searches for it.');
  });
});

describe('definitions', () => {
  const registry = createRegistry({ tools: builtIns, mcpTools: server('a', 2), policy: always });

  it('client: what was found follows the prefix, in the order of finding', () => {
    const before = registry.loading([]).definitions({ by: 'client' });
    const after = registry.loading(['mcp__a__t001', 'Gone', 'CronCreate']).definitions({ by: 'client' });
    expect(names(after)).toEqual([...names(before), 'mcp__a__t001', 'CronCreate']);
    expect(JSON.stringify(after).startsWith(JSON.stringify(before).slice(0, -1))).toBe(true);
  });

  it('server: everything is there and marked, whatever was found', () => {
    const all = ['Bash', '(CronCreate)', 'Pinned', 'Read', 'ToolSearch', '(mcp__a__t000)', '(mcp__a__t001)'];
    expect(names(registry.loading([]).definitions({ by: 'server', referenced: new Set() }))).toEqual(all);
    const referenced = new Set(['CronCreate']);
    expect(names(registry.loading(['CronCreate']).definitions({ by: 'server', referenced }))).toEqual(all);
  });

  it('server: what the messages no longer refer to comes whole, at the end', () => {
    expect(names(registry.loading(['CronCreate']).definitions({ by: 'server', referenced: new Set() }))).toEqual([
      'Bash',
      'Pinned',
      'Read',
      'ToolSearch',
      '(mcp__a__t000)',
      '(mcp__a__t001)',
      'CronCreate',
    ]);
  });

  it('are the same bytes each time', async () => {
    const bytes = (found: readonly string[]) =>
      JSON.stringify(
        createRegistry({ tools: [...builtIns].reverse(), mcpTools: server('a', 2).reverse(), policy: always })
          .loading(found)
          .definitions({ by: 'server', referenced: new Set(found) }),
      );
    const first = bytes([]);
    for (let request = 0; request < 20; request += 1) expect(bytes(request > 10 ? ['CronCreate'] : [])).toBe(first);
    await expect(`${JSON.stringify(JSON.parse(first), null, 2)}\n`).toMatchFileSnapshot('./testing/deferredTools.snap');
  });
});

describe('section', () => {
  it('lists names and hints, and stays the same when a tool is found', () => {
    const mcpTools = [plainMcpTool('a', 'x', { searchHint: `look\nup ${'x'.repeat(200)}` }), plainMcpTool('a', 'y')];
    const registry = createRegistry({ tools: builtIns, mcpTools, policy: always });
    const section = registry.loading([]).section();
    expect(section.split('\n').slice(4)).toEqual([
      '- CronCreate: schedule a prompt',
      `- mcp__a__x: look ⏎ up ${'x'.repeat(90)}…`,
      '- mcp__a__y',
    ]);
    expect(registry.loading(['CronCreate']).section()).toBe(section);
  });

  it('is empty where nothing is deferred', () => {
    expect(createRegistry({ tools: builtIns, policy: never }).loading([]).section()).toBe('');
  });
});

describe('servers that come and go', () => {
  const builtIn = fc.uniqueArray(
    fc.record({ name: fc.constantFrom('A', 'B', 'Ca', 'c', 'D', 'Zz'), shouldDefer: fc.boolean() }),
    { selector: ({ name }) => name },
  );
  const servers = fc.uniqueArray(fc.record({ name: fc.constantFrom('a', 'b', 'c'), tools: fc.nat(60) }), {
    selector: ({ name }) => name,
  });
  const deferral = fc.constantFrom('auto' as const, 'always' as const, 'never' as const);
  const found = fc.subarray(['A', 'Ca', 'mcp__a__t001', 'mcp__b__t000', 'mcp__c__t059', 'Gone']);
  const registryOf = (
    tools: readonly { readonly name: string; readonly shouldDefer: boolean }[],
    about: {
      readonly servers: readonly { readonly name: string; readonly tools: number }[];
      readonly how: 'auto' | 'always' | 'never';
    },
  ) =>
    createRegistry({
      tools: [...tools.map(({ name, shouldDefer }) => plainTool(name, { shouldDefer })), toolSearchTool],
      mcpTools: about.servers.flatMap(({ name, tools: count }) => server(name, count)),
      policy: { ...usualPolicy, deferral: about.how },
    });
  const styles = [{ by: 'client' }, { by: 'server', referenced: new Set<string>() }] as const;

  it('leave the bytes of the built-in prefix as they are, in both styles', () => {
    fc.assert(
      fc.property(builtIn, servers, servers, deferral, (tools, before, after, how) => {
        for (const style of styles) {
          const definitions = (which: typeof before) =>
            registryOf(tools, { servers: which, how }).loading([]).definitions(style);
          const prefix = (which: typeof before) => definitions(which).filter(({ name }) => !name.startsWith('mcp__'));
          const bytes = JSON.stringify(prefix(before)).slice(0, -1);
          expect(JSON.stringify(definitions(before)).startsWith(bytes)).toBe(true);
          expect(JSON.stringify(definitions(after)).startsWith(bytes)).toBe(true);
          expect(JSON.stringify(prefix(after)).slice(0, -1)).toBe(bytes);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('and a search only adds behind what was there', () => {
    fc.assert(
      fc.property(builtIn, servers, deferral, found, (tools, which, how, searched) => {
        const registry = registryOf(tools, { servers: which, how });
        const before = JSON.stringify(registry.loading([]).definitions({ by: 'client' }));
        const after = registry.loading(searched).definitions({ by: 'client' });
        expect(JSON.stringify(after).startsWith(before.slice(0, -1))).toBe(true);
        expect(new Set(after.map(({ name }) => name)).size).toBe(after.length);
      }),
      { numRuns: 60 },
    );
  });
});

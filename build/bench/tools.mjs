// Tokens that tools take in the first request of a conversation, with and without deferral: the built-in catalogue, the
// official reference servers, and many tools of further servers. Counted by the API where there is a key, else estimated.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { importSources } from './bundle.mjs';
import { table } from './measure.mjs';

const referenceServers = ['everything', 'filesystem', 'memory'];
const syntheticTools = 200;
/** Promised for the whole catalogue, in percent. */
const promised = 66;
const usualModel = 'claude-sonnet-4-5';

/** Stands for whatever a tool needs from the core: definitions ask nothing of it. */
const anything = new Proxy(() => undefined, {
  get: (_, key) => (typeof key === 'symbol' ? undefined : anything),
  apply: () => anything,
});

/** The program of an official server, as its package names it. */
function programOf(server) {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve(`@modelcontextprotocol/server-${server}/package.json`);
  const { bin } = require(manifest);
  return join(dirname(manifest), typeof bin === 'string' ? bin : Object.values(bin)[0]);
}

/** Asks a reference server for its tools, as they come. */
async function rawTools(server, folder) {
  const client = new Client({ name: 'gatehouse-bench', version: '1' });
  const args = [programOf(server), ...(server === 'everything' ? ['stdio'] : server === 'filesystem' ? [folder] : [])];
  const env = { PATH: process.env.PATH ?? '', HOME: folder, MEMORY_FILE_PATH: join(folder, 'memory.json') };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env, cwd: folder, stderr: 'ignore' }),
  );
  try {
    return (await client.listTools()).tools;
  } finally {
    await client.close();
  }
}

/** Tools of about the size that servers of ticket systems, clouds and databases have. */
function madeUpTools() {
  const things = [
    'issue',
    'comment',
    'branch',
    'deployment',
    'invoice',
    'customer',
    'query',
    'dashboard',
    'alert',
    'page',
  ];
  const verbs = ['list', 'get', 'create', 'update', 'delete', 'search', 'archive', 'restore', 'export', 'watch'];
  return Array.from({ length: syntheticTools }, (_, at) => {
    const verb = verbs[at % verbs.length];
    const thing = things[Math.floor(at / verbs.length) % things.length];
    const text = (what) => ({ type: 'string', description: `${what} of the ${thing}, as the service shows it.` });
    return {
      name: `${verb}_${thing}_${at}`,
      title: `${verb} ${thing}`,
      description: `Lets the caller ${verb} one or several of type ${thing}. Needs the right to do so in the chosen project; answers with the fields that have been asked for, at most a hundred entries at once.`,
      inputSchema: {
        type: 'object',
        properties: {
          project: text('Project'),
          id: text('Identifier'),
          fields: { type: 'array', items: { type: 'string' }, description: 'Which fields to answer with.' },
          limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Most entries to answer with.' },
        },
        required: ['project'],
      },
    };
  });
}

/** Measures and prints. Sets the exit code where the promise is not kept. */
export async function benchTools() {
  const product = await importSources({
    name: 'tools',
    sources: [
      'electron/core/tools/builtInTools.ts',
      'electron/core/tools/registry.ts',
      'electron/core/tools/features.ts',
      'electron/core/tools/loadingPolicy.ts',
      'electron/core/tools/toolViews.ts',
      'electron/core/tools/countedTotals.ts',
      'electron/core/mcp/listedTools.ts',
      'electron/core/mcp/mcpTool.ts',
      'electron/core/mcp/names.ts',
      'electron/core/model/anthropic.ts',
    ],
  });
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  try {
    const servers = await Promise.all(
      referenceServers.map(async (name) => toolsOf(product, name, await rawTools(name, folder))),
    );
    await print(product, servers.flat());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function toolsOf({ ToolCollector, toolNames, mcpTool }, serverName, raw) {
  const collector = new ToolCollector();
  collector.add(raw);
  const names = toolNames(
    serverName,
    collector.tools.map((tool) => tool.originalName),
  );
  return collector.tools.map((tool) =>
    mcpTool({
      serverName,
      tool,
      name: names.get(tool.originalName),
      alwaysLoad: false,
      resultChars: 100_000,
      connection: anything,
      isChanged: () => false,
    }),
  );
}

async function print(product, reference) {
  const { builtInTools, createRegistry, featuresInForce, openContext, usualPolicy } = product;
  const options = new Proxy({}, { get: () => anything });
  // With every feature on, as on a computer that has everything they need; PowerShell is for one system only.
  const isHere = ({ name }) => name !== 'PowerShell' || process.platform === 'win32';
  const builtIn = builtInTools(options).map((tool) => ({ ...tool, isEnabled: () => isHere(tool) }));
  const context = { ...openContext, features: featuresInForce({ environment: 'repl', preferences: {} }) };
  const many = ['tickets', 'cloud'].flatMap((server, at) =>
    toolsOf(
      product,
      server,
      madeUpTools().filter((_, index) => index % 2 === at),
    ),
  );
  const always = { ...usualPolicy, deferral: 'always' };
  const cases = [
    ['built-in tools, deferral auto', [], usualPolicy],
    ['whole catalogue, deferral never', reference, { ...usualPolicy, deferral: 'never' }],
    ['whole catalogue, deferral auto', reference, usualPolicy],
    ['whole catalogue, deferral always', reference, always],
    ['and 200 tools of others, deferral auto', [...reference, ...many], usualPolicy],
  ];
  const rows = [['', 'tools', 'loaded', 'all loaded', 'deferred', 'less', 'how']];
  const measured = [];
  for (const [name, mcpTools, policy] of cases) {
    const registry = createRegistry({ tools: builtIn, mcpTools, policy, context });
    const totals = await totalsOf(product, registry);
    const less = 100 * (1 - totals.withDeferral / totals.withoutDeferral);
    const loaded = registry.loading([]).definitions({ by: 'client' }).length;
    measured.push({ name, less, isPromised: mcpTools.length > 0 && hasServersDeferred(registry, mcpTools) });
    rows.push([
      name,
      registry.tools.length,
      loaded,
      totals.withoutDeferral.toLocaleString('en'),
      totals.withDeferral.toLocaleString('en'),
      `${less.toFixed(1)} %`,
      totals.source,
    ]);
  }
  console.log('\nTokens of tools in the first request\n');
  console.log(table(rows));
  console.log(`\nEstimates: ${product.estimateInWords}`);
  console.log('The whole catalogue: all built-in tools with every feature on, and the three reference servers.');
  console.log('What each mode of deferral does:');
  console.log('- never: every tool is loaded, and there is no ToolSearch.');
  console.log(
    '- auto: rarely used built-in tools are searched for; those of servers beyond 80 tools or 10 % of the window.',
  );
  console.log('- always: rarely used built-in tools and all those of servers are searched for.');
  for (const { name, less, isPromised } of measured) {
    const verdict = !isPromised
      ? 'less'
      : less >= promised
        ? `less: at least ${promised} %`
        : `less: NOT ${promised} %`;
    console.log(`${name}: ${less.toFixed(1)} % ${verdict}.`);
    if (isPromised && less < promised) process.exitCode = 1;
  }
}

/** The promise is about deferral of the whole catalogue: servers' tools too. */
function hasServersDeferred(registry, mcpTools) {
  const loading = registry.loading([]);
  return mcpTools.every((tool) => loading.isDeferrable(tool));
}

async function totalsOf({ firstRequests, estimatedTotals, CountedTotals, createAnthropicClient }, registry) {
  const requests = firstRequests(registry);
  const apiKey = process.env.ANTHROPIC_API_KEY ?? '';
  if (apiKey === '') return estimatedTotals(requests);
  const client = createAnthropicClient({ apiKey, baseUrl: process.env.ANTHROPIC_BASE_URL ?? '', scripted: false });
  const model = process.env.ANTHROPIC_MODEL || usualModel;
  const counted = await new CountedTotals().of(requests, { client, model, signal: AbortSignal.timeout(60_000) });
  return counted ?? estimatedTotals(requests);
}

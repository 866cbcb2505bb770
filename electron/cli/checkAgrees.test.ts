// What `gatehouse check` says of a call is what the pipeline decides, for every kind of tool.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { ToolCollector } from '../core/mcp/listedTools';
import { mcpTool } from '../core/mcp/mcpTool';
import { toolNames } from '../core/mcp/names';
import { createPermissionEngine } from '../core/permissions/permissionEngine';
import { isReadOnlyCommand } from '../core/permissions/readOnlyCommand';
import { builtInTools } from '../core/tools/builtInTools';
import { createEnterPlanModeTool } from '../core/tools/enterPlanMode/enterPlanMode';
import { createExitPlanModeTool } from '../core/tools/exitPlanMode/exitPlanMode';
import type { AnyTool } from '../core/tools/tool';
import { memoryHost } from './testing/memoryHost';

const never = () => Promise.reject(new Error('Nothing runs here.'));
const plans = { mode: () => 'default' as const, change: never };

function serverTool(): AnyTool {
  const collector = new ToolCollector();
  collector.add([{ name: 'put', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } }]);
  const [tool] = collector.tools;
  const name = toolNames('notes', ['put']).get('put');
  if (tool === undefined || name === undefined) throw new Error('The tool is missing.');
  return mcpTool({
    serverName: 'notes',
    tool,
    name,
    alwaysLoad: false,
    resultChars: 1_000,
    connection: { call: never },
    isChanged: () => false,
  });
}

const tools: readonly AnyTool[] = [
  ...builtInTools({
    isReadOnlyCommand,
    code: {
      repl: { whyNot: () => '' },
      powerShell: { platform: 'win32' },
      languages: {
        preferences: () => ({}),
        isInPath: () => true,
        confined: () => true,
        workingFolders: () => [],
        recentlyEdited: () => [],
      },
    },
    agents: {
      agent: { types: () => Promise.resolve([]), refusal: () => null, run: never },
      skill: { skills: () => Promise.resolve([]), commands: { begin: () => undefined }, byAgent: () => false },
      items: { list: () => [], replace: () => undefined },
    },
  }),
  createEnterPlanModeTool(plans),
  createExitPlanModeTool(plans),
  serverTool(),
];

const permissions = {
  allow: ['Edit(./src/**)', 'WebFetch(domain:example.org)', 'Skill(review *)', 'mcp__notes', 'Bash(make:*)', 'REPL(1)'],
  ask: ['TaskStop', 'Agent(model:opus)'],
  deny: [
    'PowerShell(Remove-Item:*)',
    'Read(./secret/**)',
    'Agent(Explore)',
    'Skill(deploy)',
    'CronCreate(anything)',
    'WebFetch(domain:evil.example)',
    'mcp__notes__drop',
  ],
};

const cell = (notebook_path: string) => ({ notebook_path, new_source: 'x' });
const edits = (file_path: string) => ({ file_path, edits: [{ old_string: 'a', new_string: 'b' }] });
const agent = (more: object) => ({ description: 'Look', prompt: 'Look around', ...more });

it.each<[tool: string, input: object, expected: 'allow' | 'ask' | 'deny']>([
  ['Bash', { command: 'make all' }, 'allow'],
  ['Bash', { command: 'curl x' }, 'ask'],
  ['PowerShell', { command: 'Get-Date' }, 'ask'],
  ['PowerShell', { command: 'make all' }, 'ask'],
  ['PowerShell', { command: 'Get-Date; rm x' }, 'deny'],
  ['REPL', { code: '1' }, 'ask'],
  ['LSP', { operation: 'symbols', file_path: 'a.ts' }, 'allow'],
  ['LSP', { operation: 'symbols', file_path: 'secret/a.ts' }, 'deny'],
  ['LSP', { operation: 'symbols', file_path: '/srv/a.ts' }, 'ask'],
  ['GetDiagnostics', { file_paths: ['a.ts'] }, 'allow'],
  ['GetDiagnostics', { file_paths: ['a.ts', 'secret/a.ts'] }, 'deny'],
  ['Read', { file_path: 'secret/a' }, 'deny'],
  ['Read', { file_path: 'a' }, 'allow'],
  ['ListDirectory', { path: 'secret' }, 'deny'],
  ['ListDirectory', {}, 'allow'],
  ['Glob', { pattern: '/srv/*' }, 'ask'],
  ['MultiEdit', edits('src/a'), 'allow'],
  ['MultiEdit', edits('a'), 'ask'],
  ['MultiEdit', edits('secret/a'), 'deny'],
  ['NotebookEdit', cell('src/a.ipynb'), 'allow'],
  ['NotebookEdit', cell('a.ipynb'), 'ask'],
  ['WebFetch', { url: 'https://example.org/x', prompt: 'x' }, 'allow'],
  ['WebFetch', { url: 'https://other.example/x', prompt: 'x' }, 'ask'],
  ['WebFetch', { url: 'https://evil.example/x', prompt: 'x' }, 'deny'],
  ['WebFetch', { url: 'http://127.0.0.1/x', prompt: 'x' }, 'ask'],
  ['WebSearch', { query: 'words' }, 'ask'],
  ['Agent', agent({ subagent_type: 'general-purpose' }), 'allow'],
  ['Agent', agent({ subagent_type: 'Explore' }), 'deny'],
  ['Agent', agent({ subagent_type: 'general-purpose', model: 'opus' }), 'ask'],
  ['Skill', { skill: 'review' }, 'allow'],
  ['Skill', { skill: 'other' }, 'ask'],
  ['Skill', { skill: '/deploy' }, 'deny'],
  ['Monitor', { task_id: 'b1', pattern: 'ready' }, 'allow'],
  ['TaskOutput', { task_id: 'b1' }, 'allow'],
  ['TaskStop', { task_id: 'b1' }, 'ask'],
  ['TaskList', {}, 'allow'],
  ['TaskCreate', { subject: 'Do it', description: 'All of it' }, 'allow'],
  ['TaskGet', { taskId: '1' }, 'allow'],
  ['TaskUpdate', { taskId: '1', status: 'completed' }, 'allow'],
  ['TaskListItems', {}, 'allow'],
  ['TodoWrite', { todos: [] }, 'allow'],
  ['ToolSearch', { query: 'select:LSP' }, 'allow'],
  ['ListMcpResources', {}, 'allow'],
  ['ReadMcpResource', { server: 'notes', uri: 'x://y' }, 'allow'],
  ['EnterPlanMode', {}, 'allow'],
  ['ExitPlanMode', { plan: 'First this.' }, 'ask'],
  ['mcp__notes__put', { text: 'x' }, 'allow'],
])('%s %j: %s', async (name, input, expected) => {
  const host = memoryHost();
  const file = host.write('home/.claude/settings.json', JSON.stringify({ permissions }));
  const checked = await host.run('check', '--tool', name, '--input', JSON.stringify(input), '--json');
  expect(z.looseObject({ decision: z.string() }).parse(JSON.parse(checked.out)).decision).toBe(expected);

  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  const { folder, home, root } = host;
  const place = { sessionId: 's', callId: 'c', folder, cwd: folder, home };
  const given = tool.inputSchema().parse(input);
  const engine = createPermissionEngine({
    paths: {
      data: join(root, 'data'),
      home,
      claudeConfig: join(file, '..'),
      managedSettings: join(root, 'policy', 'managed-settings.json'),
      privateFiles: [],
    },
    platform: 'linux',
    allowBypass: true,
    runsAsRoot: false,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  try {
    await engine.openSession('s', folder);
    const request = {
      toolName: tool.ruleName ?? tool.name,
      isMcp: tool.isMcp,
      isReadOnly: tool.isReadOnly(given),
      input: tool.observableInput(given, place),
      facts: tool.facts(given, place),
      own: tool.checkPermissions(given, place),
    };
    const { decision } = await engine.evaluate(request, { sessionId: 's', folder, cwd: folder, mode: 'default' });
    expect(decision.behavior).toBe(expected);
  } finally {
    await engine.dispose();
  }
});

it('names the tool that is meant where upper and lower case are mixed up', async () => {
  const { code, err } = await memoryHost().run('check', '--tool', 'powershell', '--input', '{"command":"x"}');
  expect([code, err]).toEqual([
    3,
    'There is no tool powershell: names count upper and lower case. Write --tool PowerShell.',
  ]);
});

// Tools and servers for tests of the page.
import type { McpServerView } from '#shared/api/mcp';
import type { ToolView } from '#shared/api/tools';

export function toolView(part: Partial<ToolView> & { readonly name: string }): ToolView {
  return {
    aliases: [],
    ruleName: part.name,
    origin: { kind: 'builtIn' },
    state: 'loaded',
    reason: '',
    tokens: 100,
    hint: '',
    description: 'Does something.',
    schema: { type: 'object', properties: {} },
    rules: [],
    capabilities: {
      canBeReadOnly: false,
      asksPerson: false,
      onStop: 'cancel',
      maxResultChars: 20_000,
      alwaysLoad: false,
      shouldDefer: false,
    },
    ...part,
  };
}

export function serverView(part: Partial<McpServerView> & { readonly name: string }): McpServerView {
  return {
    id: `gatehouse/${part.name}`,
    scope: 'gatehouse',
    file: '/data/mcp.json',
    editable: true,
    config: { type: 'stdio', command: 'node', args: ['server.mjs'], env: {} },
    configHash: 'config',
    target: 'node server.mjs',
    state: 'connected',
    reason: '',
    needs: null,
    version: '',
    instructions: '',
    tools: [],
    problems: [],
    resources: false,
    prompts: false,
    connectedAt: null,
    signedIn: false,
    ...part,
  };
}

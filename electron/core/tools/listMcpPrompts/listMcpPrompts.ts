import type { McpPrompt } from '#shared/api/mcp';
import type { McpServers } from '../../mcp/mcpServers';
import { listOfServersTool } from '../listOfServers';
import { oneLine } from '../wording';
import prompt from './listMcpPrompts.prompt.md';

const argumentsOf = (one: McpPrompt): string =>
  one.arguments.map(({ name, required }) => (required ? name : `${name}?`)).join(', ');

/** Lists the prompts of MCP servers. */
export function createListMcpPromptsTool(mcp: Pick<McpServers, 'prompts'> | undefined) {
  return listOfServersTool<McpPrompt>({
    name: 'ListMcpPrompts',
    prompt,
    what: 'prompt',
    list: mcp && ((...about) => mcp.prompts(...about)),
    line: (one) => `- server ${one.server}: ${oneLine(one.name)}(${argumentsOf(one)}): ${oneLine(one.description)}`,
    searched: ({ name }) => name,
    columns: ['Server', 'Prompt', 'Arguments', 'For'],
    row: (one) => [one.server, one.name, argumentsOf(one), oneLine(one.description)],
  });
}

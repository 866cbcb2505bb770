import type { McpResource } from '#shared/api/mcp';
import type { McpServers } from '../../mcp/mcpServers';
import { listOfServersTool } from '../listOfServers';
import { oneLine } from '../wording';
import prompt from './listMcpResources.prompt.md';

/** Lists what MCP servers offer to read. */
export function createListMcpResourcesTool(mcp: Pick<McpServers, 'resources'> | undefined) {
  return listOfServersTool<McpResource>({
    name: 'ListMcpResources',
    aliases: ['ListMcpResourcesTool'],
    prompt,
    what: 'resource',
    list: mcp && ((...about) => mcp.resources(...about)),
    line({ server, uri, name, description, mimeType }) {
      const about = [mimeType, oneLine(description)].filter((part) => part !== '').join('; ');
      return `- server ${server}: ${uri} (${name}${about === '' ? '' : `; ${about}`})`;
    },
    searched: ({ uri, name }) => `${name} ${uri}`,
    columns: ['Server', 'Resource', 'Uri', 'Type'],
    row: ({ server, name, uri, mimeType }) => [server, name, uri, mimeType],
  });
}

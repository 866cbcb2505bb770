// Resources and prompts of connected servers, taken in page by page and cleaned.
import { z } from 'zod';
import type { McpPrompt, McpResource } from '#shared/api/mcp';
import { serverName, serverText } from './cleanText';
import { blocksOf, textOf } from './results';
import type { ServerConnection } from './serverConnection';
import { isFields } from './toolSchema';

export interface NamedServer {
  readonly name: string;
  readonly connection: ServerConnection;
}

export interface OfferOptions {
  /** The person or model named this one server: its failure counts. Of several, those that answer do. */
  readonly isNamed: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Entries taken from one server. */
const maxListed = 1_000;
const maxPages = 50;

const Page = z.looseObject({
  resources: z.array(z.unknown()).optional(),
  prompts: z.array(z.unknown()).optional(),
  nextCursor: z.string().optional(),
});

/** An answer to `prompts/get`. */
export const PromptAnswer = z.looseObject({ messages: z.array(z.unknown()) });

type Fields = Readonly<Record<string, unknown>>;

async function listed(
  { connection }: NamedServer,
  what: 'resources' | 'prompts',
  signal: AbortSignal | undefined,
): Promise<readonly Fields[]> {
  if (!connection.offers(what)) return [];
  const entries: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages && entries.length < maxListed; page += 1) {
    const answer: z.infer<typeof Page> = await connection.request({
      method: `${what}/list`,
      params: cursor === undefined ? {} : { cursor },
      schema: Page,
      ...(signal === undefined ? {} : { signal }),
    });
    entries.push(...(answer[what] ?? []));
    cursor = answer.nextCursor;
    if (cursor === undefined) break;
  }
  return entries.slice(0, maxListed).filter(isFields);
}

async function gathered<T>(
  servers: readonly NamedServer[],
  isNamed: boolean,
  take: (server: NamedServer) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  if (isNamed) return (await Promise.all(servers.map(take))).flat();
  const settled = await Promise.allSettled(servers.map(take));
  return settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}

/** What the servers offer to read. Throws ToolFailure when a named server fails. */
export async function resourcesOf(
  servers: readonly NamedServer[],
  { isNamed, signal }: OfferOptions,
): Promise<readonly McpResource[]> {
  return await gathered(servers, isNamed, async (server) =>
    (await listed(server, 'resources', signal)).flatMap((one) => resourceOf(server.name, one)),
  );
}

/** The prompts that the servers have prepared. Throws ToolFailure when a named server fails. */
export async function promptsOf(
  servers: readonly NamedServer[],
  { isNamed, signal }: OfferOptions,
): Promise<readonly McpPrompt[]> {
  return await gathered(servers, isNamed, async (server) =>
    (await listed(server, 'prompts', signal)).flatMap((one) => promptOf(server.name, one)),
  );
}

function resourceOf(server: string, { uri, title, name, description, mimeType }: Fields): readonly McpResource[] {
  if (typeof uri !== 'string' || uri.length > 4_000) return [];
  return [
    {
      server,
      uri,
      name: serverName(title ?? name),
      description: serverText(description),
      mimeType: serverName(mimeType, 100),
    },
  ];
}

function promptOf(server: string, { name, description, arguments: given }: Fields): readonly McpPrompt[] {
  if (typeof name !== 'string' || name.length > 200) return [];
  const all = (Array.isArray(given) ? given : []).slice(0, 50).filter(isFields);
  return [
    {
      server,
      name,
      description: serverText(description),
      arguments: all.flatMap((argument) =>
        typeof argument.name === 'string'
          ? [
              {
                name: argument.name.slice(0, 200),
                description: serverText(argument.description, 500),
                required: argument.required === true,
              },
            ]
          : [],
      ),
    },
  ];
}

/** The text of a prompt's messages, the model's part marked as such. */
export function promptText(messages: readonly unknown[]): string {
  const texts = messages.slice(0, 200).flatMap((message) => {
    if (!isFields(message)) return [];
    const said = textOf(blocksOf({ content: [message.content].flat() }));
    return message.role === 'assistant' ? [`Assistant: ${said}`] : [said];
  });
  return texts.join('\n\n');
}

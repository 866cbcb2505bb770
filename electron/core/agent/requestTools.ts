// What of the tools stands in a request: definitions, the list of deferred ones, references to found ones.
import type { ModelClient, ModelRequest } from '../model/client';
import type { ToolLoading } from '../tools/loading';
import { type ServerNote, serverNotes } from './serverNotes';
import { referencedTools, withReferences } from './toolReferences';

export type ToolParts = Pick<ModelRequest, 'tools' | 'lastStable' | 'system' | 'messages'>;

/** The parts of a request that depend on what is loaded. */
export function requestTools(about: {
  readonly loading: ToolLoading;
  readonly client: Pick<ModelClient, 'bringsTools'>;
  readonly model: string;
  readonly system: string;
  /** Of the connected MCP servers. */
  readonly notes: readonly ServerNote[];
  readonly messages: ModelRequest['messages'];
}): ToolParts {
  const { loading, client, model, messages } = about;
  const notes = serverNotes(about.notes, (server) => loading.hasServer(server));
  const system = [about.system, loading.section(), notes].filter((text) => text !== '').join('\n\n');
  const last = loading.lastStable();
  const fixed = { ...(last === null ? {} : { lastStable: last }), system };
  if (client.bringsTools?.(model) !== true)
    return { ...fixed, tools: loading.definitions({ by: 'client' }), messages: withReferences(messages, new Set()) };
  const referenced = referencedTools(messages);
  const tools = loading.definitions({ by: 'server', referenced });
  const deferred = new Set(tools.flatMap((tool) => (tool.defer_loading === true ? [tool.name] : [])));
  return { ...fixed, tools, messages: withReferences(messages, deferred) };
}

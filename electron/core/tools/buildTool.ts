import type { z } from 'zod';
import type { Tool } from './tool';

/** What a tool must say about itself; everything else has a default that fails closed. */
type Required =
  | 'name'
  | 'prompt'
  | 'inputSchema'
  | 'facts'
  | 'call'
  | 'mapResult'
  | 'icon'
  | 'getToolUseSummary'
  | 'getActivityDescription'
  | 'renderUse'
  | 'renderResult';

export type ToolDefinition<Input, Output> = Pick<Tool<Input, Output>, Required> &
  Partial<Omit<Tool<Input, Output>, Required>>;

/** Longest result that goes to the model whole, in characters (spec 1.1). */
export const defaultMaxResultSizeChars = 20_000;

/**
 * Completes a tool. What is left out fails closed: not concurrency-safe, not read-only, permission left to the
 * rules, nothing for a classifier to read. The schema is made once, on first use.
 */
export function buildTool<Input, Output>(definition: ToolDefinition<Input, Output>): Tool<Input, Output> {
  let schema: z.ZodType<Input> | undefined;
  return {
    aliases: [],
    searchHint: '',
    isMcp: false,
    mcpInfo: null,
    outputSchema: () => null,
    isEnabled: () => true,
    unavailableReason: () =>
      definition.isEnabled?.() === false ? `${definition.name} is not available in this environment.` : '',
    isConcurrencySafe: () => false,
    isReadOnly: () => false,
    canBeReadOnly: () => false,
    isDestructive: () => false,
    isOpenWorld: () => false,
    requiresUserInteraction: () => false,
    interruptBehavior: () => 'cancel',
    isSearchOrReadCommand: () => false,
    shouldDefer: false,
    alwaysLoad: false,
    validateInput: () => Promise.resolve({ verdict: 'ok' }),
    checkPermissions: () => ({ behavior: 'passthrough' }),
    observableInput: (input) => ({ ...(input as Record<string, unknown>) }),
    writtenOutput: () => null,
    maxResultSizeChars: defaultMaxResultSizeChars,
    userFacingName: () => definition.name,
    getPath: () => null,
    extractSearchText: () => '',
    toAutoClassifierInput: () => '',
    renderRejected: (input, place) => definition.renderUse(input, place),
    ...definition,
    inputSchema: () => {
      schema ??= definition.inputSchema();
      return schema;
    },
  };
}

// A server's tool as a tool like any other.
import { z } from 'zod';
import type { ResultBlock } from '#shared/session/events';
import type { View } from '#shared/tools/presentation';
import { JsonValue } from '#shared/util/json';
import { isNestedTooDeep } from '#shared/util/nesting';
import { buildTool } from '../tools/buildTool';
import { type AnyTool, ToolFailure } from '../tools/tool';
import { counted, headOf, oneLine } from '../tools/wording';
import { checkInput } from './checkInput';
import type { ListedTool } from './listedTools';
import type { ToolName } from './names';
import { blocksOf, textOf } from './results';
import type { ServerConnection } from './serverConnection';
import type { Schema } from './toolSchema';

export interface McpToolOptions {
  readonly serverName: string;
  readonly tool: ListedTool;
  readonly name: ToolName;
  readonly alwaysLoad: boolean;
  readonly resultChars: number;
  readonly connection: Pick<ServerConnection, 'call'>;
  /** The definition is not the one that was approved. */
  isChanged(): boolean;
}

/** Characters of a result that a card shows. */
const shownChars = 20_000;

type Input = Readonly<Record<string, unknown>>;

const asInput = (input: unknown): Input =>
  typeof input === 'object' && input !== null && !Array.isArray(input) ? { ...input } : {};

const asView = (value: unknown): View => {
  if (isNestedTooDeep(value)) return { kind: 'text', text: 'The input is nested too deep to be shown.' };
  const json = JsonValue.safeParse(value);
  return json.success ? { kind: 'json', value: json.data } : { kind: 'text', text: 'The input cannot be shown.' };
};

/** An input schema of zod that checks what a server's schema says. */
export function inputSchemaOf(schema: Schema): z.ZodType<unknown> {
  return z.unknown().transform((given, context) => {
    if (isNestedTooDeep(given)) {
      context.issues.push({
        code: 'custom',
        message: 'expected a value that is not nested so deep',
        path: [],
        input: {},
      });
      return {};
    }
    const { value, problems } = checkInput(schema, given ?? {});
    for (const { path, expected, unknownFields } of problems)
      if (unknownFields === undefined)
        context.issues.push({ code: 'custom', message: expected, path: [...path], input: given });
      else
        context.issues.push({
          code: 'unrecognized_keys',
          keys: [...unknownFields],
          path: [...path],
          input: asInput(given),
        });
    return value;
  });
}

function resultView(blocks: readonly ResultBlock[]): View {
  const [first] = blocks;
  if (blocks.length === 1 && first?.type === 'image')
    return { kind: 'image', mediaType: first.mediaType, base64: first.base64, alt: 'What the tool returned' };
  return { kind: 'text', text: headOf(textOf(blocks), shownChars) };
}

/** Makes the tool. What a server says of it never allows anything. */
export function mcpTool(options: McpToolOptions): AnyTool {
  const { serverName, tool, name, connection, resultChars } = options;
  const { originalName, title, description, schema, hints } = tool;
  const summaryOf = (input: unknown): string => {
    const fields = Object.entries(asInput(input)).map(([key, value]) => {
      const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
      return `${key}: ${oneLine(text, 80)}`;
    });
    return oneLine(fields.join(', '));
  };
  return buildTool<unknown, readonly ResultBlock[]>({
    name: name.name,
    ruleName: name.ruleName,
    isMcp: true,
    mcpInfo: { serverName, toolName: originalName },
    prompt: description === '' ? `The tool ${title || originalName} of the MCP server ${serverName}.` : description,
    searchHint: oneLine(title || description, 100),
    icon: 'plug',
    inputSchema: () => inputSchemaOf(schema.check),
    inputJSONSchema: () => schema.api,
    alwaysLoad: options.alwaysLoad,
    // Only a matter of order: a lie costs the server's own calls.
    isConcurrencySafe: () => hints.readOnly === true && hints.destructive !== true,
    isDestructive: () => hints.destructive === true,
    isOpenWorld: () => hints.openWorld !== false,
    requiresUserInteraction: () => tool.requiresUserInteraction,
    facts: () => [],
    checkPermissions() {
      if (options.isChanged())
        return {
          behavior: 'ask',
          detail: `the server ${serverName} has changed what this tool is since it was approved; rules that allow it wait until you confirm it on the Tools & MCP page`,
        };
      if (tool.requiresUserInteraction)
        return { behavior: 'ask', detail: `the server ${serverName} wants each call of this tool to be confirmed` };
      return { behavior: 'passthrough' };
    },
    maxResultSizeChars: tool.maxResultSizeChars ?? resultChars,
    async call(input, context) {
      const { signal, onProgress } = context;
      const answer = await connection.call({
        tool: originalName,
        input: asInput(input),
        signal,
        asker: context,
        onProgress,
      });
      const blocks = blocksOf(answer);
      if (answer.isError !== true) return blocks;
      const images = blocks.filter((block) => block.type === 'image');
      const text = textOf(blocks.filter((block) => block.type === 'text'));
      throw new ToolFailure('mcp', text === '' ? 'The tool failed without saying why.' : text, { images });
    },
    mapResult: (blocks) => blocks,
    userFacingName: () => `${serverName} · ${title || originalName}`,
    getToolUseSummary: summaryOf,
    getActivityDescription: () => `Waiting for ${serverName}`,
    extractSearchText: (blocks) => headOf(textOf(blocks), shownChars),
    toAutoClassifierInput: (input) => `${name.ruleName} ${headOf(JSON.stringify(asInput(input)), 4_000)}`,
    renderUse: (input) => asView(input),
    renderResult(blocks) {
      const images = blocks.filter((block) => block.type === 'image').length;
      const chars = textOf(blocks.filter((block) => block.type === 'text')).length;
      const note =
        images === 0 ? counted(chars, 'character') : `${counted(chars, 'character')}, ${counted(images, 'image')}`;
      return { view: resultView(blocks), note };
    },
  });
}

// What a server says of its tools, taken in piece by piece: one bad tool is named and left out.
import { z } from 'zod';
import type { McpHints } from '#shared/api/mcp';
import { serverName, serverText } from './cleanText';
import { definitionHash, definitionText } from './remembered';
import { isFields, type ToolSchema, toolSchema } from './toolSchema';

/** Tools of one server that are taken in, and characters of their definitions in all. */
export const maxTools = 1_000;
const maxCharsInAll = 4_000_000;
/** Problems that are told one by one. */
const maxProblems = 20;
const maxNameChars = 256;

export interface ListedTool {
  readonly originalName: string;
  readonly title: string;
  readonly description: string;
  readonly schema: ToolSchema;
  readonly hints: McpHints;
  readonly alwaysLoad: boolean;
  readonly requiresUserInteraction: boolean;
  /** What `_meta` asks for, in characters; null: the usual. */
  readonly maxResultSizeChars: number | null;
  /** Of the definition as it came, before it was cleaned. */
  readonly hash: string;
  /** The same for people, to compare. */
  readonly definition: string;
}

/** A page of a list, whatever its entries are. */
export const ToolsPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

const flag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

function hintsOf(annotations: unknown): McpHints {
  if (!isFields(annotations)) return {};
  const readOnly = flag(annotations.readOnlyHint);
  const destructive = flag(annotations.destructiveHint);
  const openWorld = flag(annotations.openWorldHint);
  return {
    ...(readOnly === undefined ? {} : { readOnly }),
    ...(destructive === undefined ? {} : { destructive }),
    ...(openWorld === undefined ? {} : { openWorld }),
  };
}

/** Longest result that `_meta` may ask for, in characters. */
const largestResult = 500_000;

function readTool(raw: unknown): ListedTool | { readonly name: string; readonly problem: string } {
  if (!isFields(raw) || typeof raw.name !== 'string' || raw.name === '')
    return { name: '?', problem: 'it has no name' };
  const name = serverName(raw.name, 80);
  if (raw.name.length > maxNameChars) return { name, problem: 'its name is too long' };
  const schema = toolSchema(raw.inputSchema);
  if (!schema.ok) return { name, problem: schema.error };
  const annotations = isFields(raw.annotations) ? raw.annotations : {};
  const meta = isFields(raw._meta) ? raw._meta : {};
  const wanted = meta['anthropic/maxResultSizeChars'];
  let hash: string;
  let definition: string;
  try {
    const { description, inputSchema } = raw;
    hash = definitionHash({ name: raw.name, description, inputSchema, annotations: raw.annotations });
    definition = definitionText({ description, inputSchema, annotations: raw.annotations });
  } catch (error) {
    if (error instanceof RangeError) return { name, problem: 'its definition is nested too deep' };
    throw error;
  }
  return {
    originalName: raw.name,
    title: serverName(raw.title ?? annotations.title, 100),
    description: serverText(raw.description),
    schema: schema.value,
    hints: hintsOf(annotations),
    alwaysLoad: raw.alwaysLoad === true || meta['anthropic/alwaysLoad'] === true || meta.alwaysLoad === true,
    requiresUserInteraction: meta['anthropic/requiresUserInteraction'] === true,
    maxResultSizeChars:
      typeof wanted === 'number' && Number.isSafeInteger(wanted) && wanted > 0 ? Math.min(wanted, largestResult) : null,
    hash,
    definition,
  };
}

/** Gathers tools page by page. `full` when no more are taken. */
export class ToolCollector {
  readonly tools: ListedTool[] = [];
  private readonly names = new Set<string>();
  private readonly told: string[] = [];
  private untold = 0;
  private chars = 0;
  private left = 0;

  add(page: readonly unknown[]): void {
    for (const raw of page) {
      if (this.full) {
        this.left += 1;
        continue;
      }
      const tool = readTool(raw);
      if ('problem' in tool) this.problem(`The tool “${tool.name}” was left out: ${tool.problem}.`);
      else if (this.names.has(tool.originalName))
        this.problem(`The tool “${serverName(tool.originalName, 80)}” was offered twice; the first one counts.`);
      else {
        this.names.add(tool.originalName);
        this.tools.push(tool);
        this.chars += JSON.stringify(tool.schema.api).length + tool.description.length;
      }
    }
  }

  get full(): boolean {
    return this.tools.length >= maxTools || this.chars > maxCharsInAll;
  }

  get problems(): string[] {
    const more = this.untold === 0 ? [] : [`${this.untold} more problems of this kind are not listed.`];
    const left =
      this.left === 0 ? [] : [`It offers more than can be taken in; ${this.left} or more tools were left out.`];
    return [...this.told, ...more, ...left];
  }

  private problem(text: string): void {
    if (this.told.length < maxProblems) this.told.push(text);
    else this.untold += 1;
  }
}

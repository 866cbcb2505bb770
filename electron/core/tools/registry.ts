// The pool of tools of one request, assembled in three stages (spec 1.2): collect, filter by context, merge MCP.
import type { PermissionMode } from '#shared/permissions/modes';
import type { ToolSet } from '#shared/tools/features';
import { closeMatches } from './closeMatches';
import { type ApiToolDefinition, definitionOf } from './definition';
import { allFeatures, type Features, featureOf } from './features';
import { createLoading, replTool, searchTool, type ToolLoading } from './loading';
import { type LoadingPolicy, usualPolicy } from './loadingPolicy';
import type { AnyTool } from './tool';

/** What decides which tools are there. Names are those of rules without content: `Bash`, `mcp__server`, `mcp__server__tool`. */
export interface PoolContext {
  readonly mode: PermissionMode;
  /** Tools that a deny rule takes away as a whole. */
  readonly deniedNames: readonly string[];
  /** Tools that some allow rule names, whole or in part; they stay in `dontAsk`. */
  readonly allowedNames: readonly string[];
  /** Left out: all are on. */
  readonly features?: Features;
  /** Left out: `all`. */
  readonly toolSet?: ToolSet;
}

type ToolLookup =
  | {
      readonly found: true;
      readonly tool: AnyTool;
      readonly via: 'name' | 'alias' | 'mcp';
      /** For the model, beside the result: the name it used is an old one. */
      readonly notice: string | null;
    }
  | {
      readonly found: false;
      /** For the model: what is wrong with the name and what to call instead. */
      readonly message: string;
      readonly closeMatches: readonly string[];
    };

export interface ToolRegistry {
  /** Built-in tools sorted by name, then MCP tools sorted by name. */
  readonly tools: readonly AnyTool[];
  /** Exact name, then alias, then MCP. */
  find(name: string): ToolLookup;
  /** What is not there, in the order of the pool, and why: part of a sentence. */
  readonly absent: readonly AbsentTool[];
  /** All definitions. Equal pools give equal bytes; MCP tools never change what stands before them. */
  toolDefinitions(): ApiToolDefinition[];
  readonly policy: LoadingPolicy;
  /** What of the pool a model has that has `found` these tools by search, in this order. */
  loading(found: readonly string[]): ToolLoading;
}

export interface AbsentTool {
  readonly tool: AnyTool;
  readonly reason: string;
}

/** Everything is there: no mode that filters, no rule. */
export const openContext: PoolContext = { mode: 'default', deniedNames: [], allowedNames: [] };

/**
 * Assembles the pool. Cheap: make a new one whenever mode, rules or servers may have changed.
 * `tools` are the built-ins; of two tools with one name the first built-in wins.
 */
export function createRegistry(options: {
  readonly tools: readonly AnyTool[];
  readonly mcpTools?: readonly AnyTool[];
  readonly context?: PoolContext;
  /** When tools are deferred; left out: as usual. */
  readonly policy?: LoadingPolicy;
}): ToolRegistry {
  const context = options.context ?? openContext;
  const policy = options.policy ?? usualPolicy;
  // 1 collect
  const builtIns = sortedUnique(options.tools);
  const absent: AbsentTool[] = [];
  const present = (tool: AnyTool, reason: string | null): boolean => {
    if (reason !== null) absent.push({ tool, reason });
    return reason === null;
  };
  const featured = builtIns.filter((tool) => present(tool, featureAbsence(tool, context)));
  const hasRepl = featured.some((tool) => tool.name === replTool && absence(tool, context) === null);
  // 2 filter
  const kept = featured.filter((tool) =>
    present(tool, absence(tool, context) ?? setAbsence(tool, { context, hasRepl }) ?? searchAbsence(tool, policy)),
  );
  // 3 merge: the MCP tools stay behind the built-in prefix
  const mcpTools = sortedUnique(options.mcpTools ?? [], new Set(builtIns.map((tool) => tool.name)));
  const tools = [...kept, ...mcpTools.filter((tool) => present(tool, absence(tool, context)))];
  const missing = new Map(absent.map(({ tool, reason }) => [tool.name, reason]));
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const byAlias = new Map<string, AnyTool>();
  for (const tool of tools) {
    for (const alias of tool.aliases) if (!byName.has(alias) && !byAlias.has(alias)) byAlias.set(alias, tool);
  }

  return {
    tools,
    absent,
    policy,
    loading: (found) => createLoading({ tools, policy, found }),
    find(name) {
      const exact = byName.get(name);
      if (exact !== undefined) return { found: true, tool: exact, via: exact.isMcp ? 'mcp' : 'name', notice: null };
      const renamed = byAlias.get(name);
      if (renamed !== undefined) {
        const notice = `The tool name ${name} is deprecated; call it ${renamed.name} from now on.`;
        return { found: true, tool: renamed, via: 'alias', notice };
      }
      const reason = missing.get(name);
      const close = reason === undefined ? closeMatches(name, [...byName.keys()]) : [];
      return {
        found: false,
        message: unknownTool({ name, reason, close, all: [...byName.keys()] }),
        closeMatches: close,
      };
    },
    toolDefinitions: () => tools.map(definitionOf),
  };
}

const simpleSet: ReadonlySet<string> = new Set(['Bash', 'Read', 'Edit']);
/** What the JavaScript session stands in for: its code searches, changes files and starts programs itself. */
const replacedByRepl: ReadonlySet<string> = new Set([
  ...['Bash', 'PowerShell', 'Monitor', 'Glob', 'Grep', 'ListDirectory'],
  ...['Write', 'Edit', 'MultiEdit', 'NotebookEdit'],
]);

function featureAbsence(tool: AnyTool, { features = allFeatures }: PoolContext): string | null {
  const feature = featureOf(tool.name);
  return feature === null || features.has(feature) ? null : `the feature ${feature} is switched off`;
}

function setAbsence(
  tool: AnyTool,
  { context, hasRepl }: { readonly context: PoolContext; readonly hasRepl: boolean },
): string | null {
  const { toolSet = 'all' } = context;
  if (toolSet === 'simple') return simpleSet.has(tool.name) ? null : 'only Bash, Read and Edit are on, as set';
  // Where there is no JavaScript session nothing could stand in.
  const isReplaced = toolSet === 'repl' && hasRepl && replacedByRepl.has(tool.name);
  return isReplaced ? `${replTool} stands in for it, as set` : null;
}

function searchAbsence(tool: AnyTool, { deferral }: LoadingPolicy): string | null {
  return tool.name === searchTool && deferral === 'never' ? 'every tool is loaded, as set' : null;
}

/** Why a tool is not in the pool, or null when it is. */
function absence(tool: AnyTool, context: PoolContext): string | null {
  if (!tool.isEnabled()) return tool.unavailableReason() || 'it is switched off';
  if (context.deniedNames.some((name) => namesTool(name, tool))) return 'a deny rule takes it away';
  if (context.mode === 'dontAsk') {
    if (tool.requiresUserInteraction()) return 'nobody can be asked in this mode';
    const allowed = context.allowedNames.some((name) => namesTool(name, tool) || tool.governedBy?.includes(name));
    if (!allowed && !tool.canBeReadOnly()) return 'it would have to ask, and this mode asks nobody';
  }
  return null;
}

/** A rule's bare name stands for a tool, its old names, or for all tools of an MCP server. */
export function namesTool(name: string, tool: AnyTool): boolean {
  if (name === tool.name || name === tool.ruleName || tool.aliases.includes(name)) return true;
  if (tool.mcpInfo === null) return false;
  const server = `mcp__${tool.mcpInfo.serverName}`;
  return name === server || name === `${server}__*` || name === `${server}__${tool.mcpInfo.toolName}`;
}

function sortedUnique(tools: readonly AnyTool[], taken = new Set<string>()): AnyTool[] {
  const unique = tools.filter((tool) => {
    if (taken.has(tool.name)) return false;
    taken.add(tool.name);
    return true;
  });
  // By code unit, not by locale: the order is part of the bytes that the prompt cache compares.
  return unique.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function unknownTool(about: {
  readonly name: string;
  readonly reason: string | undefined;
  readonly close: readonly string[];
  readonly all: readonly string[];
}): string {
  const name = about.name.length > 80 ? `${about.name.slice(0, 80)}…` : about.name;
  if (about.reason !== undefined)
    return `The tool ${name} is not available here: ${about.reason.replace(/\.$/, '')}. Use another tool.`;
  if (about.close.length > 0) return `There is no tool called ${name}. Did you mean ${about.close.join(' or ')}?`;
  return `There is no tool called ${name}. Available tools: ${about.all.join(', ')}.`;
}

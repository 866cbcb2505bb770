import type { ToolState, ToolView } from '#shared/api/tools';
import type { OriginFilter } from '../../../stores/toolsPage';

export interface ToolFilter {
  readonly search: string;
  readonly origin: OriginFilter;
  readonly state: ToolState | 'all';
}

/** Tools that fit: every word of the search stands somewhere in name, alias, server or hint, in any case. */
export function filterTools(tools: readonly ToolView[], { search, origin, state }: ToolFilter): readonly ToolView[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return tools.filter((tool) => {
    if (state !== 'all' && tool.state !== state) return false;
    if (origin !== 'all' && originKey(tool) !== origin) return false;
    if (words.length === 0) return true;
    const server = tool.origin.kind === 'mcp' ? `${tool.origin.server} ${tool.origin.tool}` : 'built in';
    const text = [tool.name, ...tool.aliases, server, tool.hint].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The filter that a tool's origin fits. */
export function originKey({ origin }: ToolView): Exclude<OriginFilter, 'all'> {
  return origin.kind === 'builtIn' ? 'builtIn' : `mcp:${origin.server}`;
}

/** Names of the servers that bring tools, sorted. */
export function serversOf(tools: readonly ToolView[]): readonly string[] {
  return [...new Set(tools.flatMap(({ origin }) => (origin.kind === 'mcp' ? [origin.server] : [])))].sort();
}

/** What deferral saves, in percent of what everything would take; 0 when it saves nothing. */
export function savedShare(totals: { readonly withDeferral: number; readonly withoutDeferral: number }): number {
  if (totals.withoutDeferral === 0) return 0;
  return Math.max(0, Math.round((1 - totals.withDeferral / totals.withoutDeferral) * 100));
}

// The tools of a session as the page shows them.
import type { ToolFigures, ToolTotals, ToolView } from '#shared/api/tools';
import type { RuleRef } from '#shared/permissions/decision';
import { JsonValue } from '#shared/util/json';
import { charsPerToken } from '../agent/entry';
import { definitionChars, definitionOf } from './definition';
import { searchTool } from './loading';
import { policyInWords } from './loadingPolicy';
import { namesTool, type ToolRegistry } from './registry';
import type { AnyTool } from './tool';

/** How many tokens a text may have, where nobody counts them. */
export const estimatedTokens = (chars: number): number => Math.ceil(chars / charsPerToken);

export const estimateInWords = `An estimate: one token for ${charsPerToken} characters of the definition as it is sent. A model's own count differs by about a fifth.`;

/** What the tools of a first request are: as things are, and with everything loaded. */
export interface FirstRequests {
  readonly withDeferral: { readonly tools: ReturnType<ToolRegistry['toolDefinitions']>; readonly section: string };
  readonly withoutDeferral: { readonly tools: ReturnType<ToolRegistry['toolDefinitions']>; readonly section: string };
}

export function firstRequests(registry: ToolRegistry): FirstRequests {
  const fresh = registry.loading([]);
  const all = registry.toolDefinitions().filter((definition) => definition.name !== searchTool);
  return {
    withDeferral: { tools: fresh.definitions({ by: 'client' }), section: fresh.section() },
    withoutDeferral: { tools: all, section: '' },
  };
}

export function estimatedTotals({ withDeferral, withoutDeferral }: FirstRequests): ToolTotals {
  const tokens = ({ tools, section }: FirstRequests['withDeferral']): number =>
    estimatedTokens(tools.reduce((sum, tool) => sum + JSON.stringify(tool).length, section.length));
  return { withDeferral: tokens(withDeferral), withoutDeferral: tokens(withoutDeferral), source: 'estimated' };
}

/** All tools of a pool, those that are not there among them. `found`: what the session's own model has searched for. */
export function toolViews(about: {
  readonly registry: ToolRegistry;
  readonly found: readonly string[];
  readonly rules: readonly RuleRef[];
}): ToolView[] {
  const { registry, found, rules } = about;
  const loading = registry.loading(found);
  const there = registry.tools.map((tool) => {
    const { state, reason } = loading.stateOf(tool);
    return view(tool, { state: state === 'found' ? 'loaded' : state, reason, rules });
  });
  const absent = registry.absent.map(({ tool, reason }) =>
    view(tool, { state: 'disabled', reason: sentence(reason), rules }),
  );
  const rank = (tool: ToolView): string => `${tool.origin.kind === 'mcp' ? 1 : 0}${tool.name}`;
  return [...there, ...absent].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/** Everything about the figures but the figures. */
export function figuresOf(
  registry: ToolRegistry,
  about: { readonly totals: ToolTotals; readonly bringsTools: boolean },
): ToolFigures {
  const isAnyDeferred = registry.loading([]).section() !== '';
  const loadedBy = about.bringsTools ? 'server' : 'gatehouse';
  return {
    totals: about.totals,
    estimate: estimateInWords,
    policy: policyInWords(registry.policy),
    loadedBy: isAnyDeferred ? loadedBy : 'nobody',
  };
}

function view(
  tool: AnyTool,
  about: Pick<ToolView, 'state' | 'reason'> & { readonly rules: readonly RuleRef[] },
): ToolView {
  const { description, input_schema } = definitionOf(tool);
  const { mcpInfo } = tool;
  return {
    name: tool.name,
    aliases: [...tool.aliases],
    ruleName: tool.ruleName ?? tool.name,
    origin:
      mcpInfo === null ? { kind: 'builtIn' } : { kind: 'mcp', server: mcpInfo.serverName, tool: mcpInfo.toolName },
    state: about.state,
    reason: about.reason,
    tokens: estimatedTokens(definitionChars(tool)),
    hint: tool.searchHint,
    description,
    schema: Object.fromEntries(Object.entries(input_schema).map(([key, value]) => [key, JsonValue.parse(value)])),
    rules: about.rules.filter((rule) => isAbout(rule, tool)),
    capabilities: {
      canBeReadOnly: tool.canBeReadOnly(),
      asksPerson: tool.requiresUserInteraction(),
      onStop: tool.interruptBehavior(),
      maxResultChars: Number.isFinite(tool.maxResultSizeChars) ? tool.maxResultSizeChars : null,
      alwaysLoad: tool.alwaysLoad,
      shouldDefer: tool.shouldDefer,
    },
  };
}

function isAbout({ text }: RuleRef, tool: AnyTool): boolean {
  const name = text.split('(', 1)[0] ?? text;
  return namesTool(name, tool) || tool.governedBy?.includes(name) === true;
}

function sentence(reason: string): string {
  const text = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

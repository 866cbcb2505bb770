// When tools are deferred: the person's preference, or the environment's word where it has one.
import type { ToolDeferral } from '#shared/tools/features';

export interface LoadingPolicy {
  readonly deferral: ToolDeferral;
  /** In `auto`: part of the context window that definitions may fill before those of MCP servers are deferred, 0 to 100. */
  readonly autoPercent: number;
  /** Tokens of the model's context window. */
  readonly contextTokens: number;
  /** Whose word it is, for people; empty: the usual. */
  readonly by: string;
}

/** Documented part of the window. */
const usualPercent = 10;
/** Context window where nothing is known of the model. */
const usualContextTokens = 200_000;

export const usualPolicy: LoadingPolicy = {
  deferral: 'auto',
  autoPercent: usualPercent,
  contextTokens: usualContextTokens,
  by: '',
};

/** Values of ENABLE_TOOL_SEARCH: `true`, `false`, `auto`, `auto:N` with N from 0 to 100. Anything else says nothing. */
export function readToolSearch(value: string): Pick<LoadingPolicy, 'deferral' | 'autoPercent'> | null {
  const word = value.trim().toLowerCase();
  if (word === 'true' || word === '1') return { deferral: 'always', autoPercent: usualPercent };
  if (word === 'false' || word === '0') return { deferral: 'never', autoPercent: usualPercent };
  const auto = /^auto(?::(\d{1,3}))?$/.exec(word);
  if (auto === null) return null;
  const percent = auto[1] === undefined ? usualPercent : Number(auto[1]);
  return percent > 100 ? null : { deferral: 'auto', autoPercent: percent };
}

/** The policy of a session. */
export function loadingPolicy(wishes: {
  /** Value of ENABLE_TOOL_SEARCH; empty: not set. */
  readonly environment: string;
  readonly preference: ToolDeferral;
  readonly contextTokens: number;
}): LoadingPolicy {
  const { contextTokens, preference } = wishes;
  const stated = readToolSearch(wishes.environment);
  if (stated !== null) return { ...stated, contextTokens, by: 'the variable ENABLE_TOOL_SEARCH' };
  return { ...usualPolicy, deferral: preference, contextTokens, by: preference === 'auto' ? '' : 'your settings' };
}

/** The policy in a sentence for people. */
export function policyInWords({ deferral, autoPercent, by }: LoadingPolicy): string {
  const whose = by === '' ? '' : ` This is the word of ${by}.`;
  switch (deferral) {
    case 'never':
      return `Every tool is loaded.${whose}`;
    case 'always':
      return `Tools of MCP servers and rarely used ones are loaded when the model has searched for them.${whose}`;
    case 'auto':
      return `Rarely used tools are loaded when the model has searched for them; those of MCP servers too, when there are more than 80 tools or definitions fill more than ${autoPercent} % of the context window.${whose}`;
  }
}

// Allow rules that would leave nothing to judge: auto mode sets them aside, because there a classifier looks at each call.
import type { CompiledRule, RuleSet } from './compiledRule';

const broadTools: ReadonlySet<string> = new Set(['Bash', 'Monitor', 'PowerShell', 'REPL', 'Agent', 'Task']);

/** Programs that run whatever text they are given, and programs that fetch and run others. */
const anything =
  /^(\S*\/)?(sh|bash|zsh|dash|ksh|fish|python[\d.]*|node|deno|bun|ruby|perl|php|lua|osascript|pwsh|powershell|eval|env|exec|sudo|doas|xargs|ssh|npx|bunx|pnpx|uvx|pipx|tsx|ts-node|npm-run-all|(npm|pnpm|yarn|bun|uv|poetry|pipenv|deno) (exec|x|dlx|run)|docker (exec|run)|awk)$/;

/** Whether the beginning of a command names a program that runs whatever it is given. */
export function runsAnything(head: string): boolean {
  return anything.test(head);
}

/** Whether a rule leaves nothing to judge: auto mode sets it aside in allow. */
export function isBroad(rule: CompiledRule): boolean {
  if (rule.kind === 'tool') return broadTools.has(rule.tool);
  if (rule.kind !== 'command' || rule.pattern.exact) return false;
  // Options between a program and its star narrow nothing: `sh -c *`, `python -m *`.
  const words = rule.pattern.head.trim().split(/\s+/);
  while (words.length > 1 && /^[-+]/.test(words.at(-1) ?? '')) words.pop();
  const head = words.join(' ');
  return head === '' || runsAnything(head);
}

function isForShell(rule: CompiledRule): boolean {
  return rule.kind === 'command' || (rule.kind === 'tool' && broadTools.has(rule.tool));
}

const narrowed = new WeakMap<readonly CompiledRule[], readonly CompiledRule[]>();
const withoutShell = new WeakMap<readonly CompiledRule[], readonly CompiledRule[]>();

/** The rules as auto mode sees them: deny and ask in full, allow without the broad ones, or without any for shells. */
export function withoutBroadAllows(rules: RuleSet): RuleSet {
  const all = rules.judgesShell === true;
  const kept = all ? withoutShell : narrowed;
  const known = kept.get(rules.allow);
  const allow = known ?? rules.allow.filter((rule) => !isBroad(rule) && !(all && isForShell(rule)));
  if (known === undefined) kept.set(rules.allow, allow);
  return { ...rules, allow };
}

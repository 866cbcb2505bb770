// Fills `${VAR}` and `${VAR:-default}` in a server's configuration.
import type { McpServerConfig } from '#shared/api/mcp';
import { fail, ok, type Result } from '#shared/util/result';

export type Variables = Readonly<Record<string, string>>;

const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** The text filled in, or the names of variables that are not set. An empty variable is as good as none for a default. */
export function expandText(text: string, variables: Variables): Result<string, readonly string[]> {
  const missing: string[] = [];
  const filled = text.replaceAll(reference, (_whole, name: string, fallback: string | undefined) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value !== undefined && (value !== '' || fallback === undefined)) return value;
    if (fallback === undefined) missing.push(name);
    return fallback ?? '';
  });
  return missing.length === 0 ? ok(filled) : fail(missing);
}

/** The configuration as it is used. The error is for people and names what is not set. */
export function expandConfig(config: McpServerConfig, variables: Variables): Result<McpServerConfig> {
  const missing = new Set<string>();
  const filled = (text: string): string => {
    const expanded = expandText(text, variables);
    if (expanded.ok) return expanded.value;
    for (const name of expanded.error) missing.add(name);
    return '';
  };
  const all = (texts: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, filled(text)]));
  const expanded: McpServerConfig =
    config.type === 'stdio'
      ? { ...config, command: filled(config.command), args: config.args.map(filled), env: all(config.env) }
      : { ...config, url: filled(config.url), headers: all(config.headers) };
  if (missing.size === 0) return ok(expanded);
  const names = [...missing].join(', ');
  return fail(
    `Its configuration needs ${names}, which ${missing.size === 1 ? 'is' : 'are'} not set. Set ${missing.size === 1 ? 'it' : 'them'} before Gatehouse starts, or give a default: \${NAME:-default}.`,
  );
}

/** Whether a text gives nothing away: it only refers to variables. */
export function onlyRefers(text: string): boolean {
  return /^(?:(?:Bearer |Basic |Token )?\$\{[A-Za-z_][A-Za-z0-9_]*\})?$/.test(text);
}

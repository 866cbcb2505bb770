// What settings files say about servers: which may run at all, and which of the folder's are approved.
import type { McpServerConfig } from '#shared/api/mcp';
import { type StarPattern, starPattern } from '#shared/util/starPattern';
import type { SettingsInForce } from '../permissions/settingsInForce';
import { isFields } from './toolSchema';

/** One entry of `allowedMcpServers` or `deniedMcpServers`. */
type Entry =
  | { readonly serverName: string }
  | { readonly serverCommand: readonly string[] }
  | { readonly serverUrl: StarPattern };

export interface ServerPolicy {
  /** Each list must hold a server for it to run; none: all may. */
  readonly allowed: readonly (readonly Entry[])[];
  readonly denied: readonly Entry[];
}

/** What the person's settings say of the servers that came with a folder. */
export interface SettingsApproval {
  readonly enabled: ReadonlySet<string>;
  readonly disabled: ReadonlySet<string>;
  readonly all: boolean;
}

function value(file: SettingsInForce, key: string): unknown {
  const content = file.content?.value;
  return isFields(content) && Object.hasOwn(content, key) ? content[key] : undefined;
}

function entries(list: unknown): readonly Entry[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((one): Entry[] => {
    if (!isFields(one)) return [];
    const { serverName, serverCommand, serverUrl } = one;
    if (typeof serverName === 'string') return [{ serverName }];
    if (Array.isArray(serverCommand) && serverCommand.every((word) => typeof word === 'string'))
      return [{ serverCommand }];
    return typeof serverUrl === 'string' ? [{ serverUrl: urlPattern(serverUrl) }] : [];
  });
}

function urlPattern(text: string): StarPattern {
  const pattern = starPattern(text.toLowerCase());
  return { text, test: (url) => pattern.test(url.toLowerCase()) };
}

/**
 * Reads the lists of all settings files. A list of allowed servers narrows, whoever wrote it; where the administrator's
 * file cannot be read, its list counts as empty.
 */
export function serverPolicy(files: readonly SettingsInForce[]): ServerPolicy {
  const policy = files.filter((file) => file.source === 'policySettings');
  const managedOnly = policy.some((file) => value(file, 'allowManagedMcpServersOnly') === true);
  const allowed: (readonly Entry[])[] = [];
  const managed = policy.filter((file) => value(file, 'allowedMcpServers') !== undefined);
  if (managed.length > 0) allowed.push(managed.flatMap((file) => entries(value(file, 'allowedMcpServers'))));
  if (policy.some((file) => file.unknown)) allowed.push([]);
  if (!managedOnly)
    for (const file of files)
      if (file.source !== 'policySettings' && value(file, 'allowedMcpServers') !== undefined)
        allowed.push(entries(value(file, 'allowedMcpServers')));
  return { allowed, denied: files.flatMap((file) => entries(value(file, 'deniedMcpServers'))) };
}

function holds(list: readonly Entry[], name: string, config: McpServerConfig, kind: 'allow' | 'deny'): boolean {
  const fits = (entry: Entry): boolean => {
    if ('serverName' in entry) return entry.serverName === name;
    if ('serverCommand' in entry)
      return (
        config.type === 'stdio' &&
        JSON.stringify([config.command, ...config.args]) === JSON.stringify(entry.serverCommand)
      );
    return config.type !== 'stdio' && entry.serverUrl.test(config.url);
  };
  if (kind === 'deny') return list.some(fits);
  // A list that names commands or addresses does not let a server in by its name alone.
  const precise = list.filter((entry) => (config.type === 'stdio' ? 'serverCommand' in entry : 'serverUrl' in entry));
  return (precise.length > 0 ? precise : list).some(fits);
}

/** Why policy forbids a server, in words; null when it may run. `config` is filled in. */
export function forbidden(policy: ServerPolicy, name: string, config: McpServerConfig): string | null {
  if (holds(policy.denied, name, config, 'deny')) return 'The settings forbid this server (deniedMcpServers).';
  if (policy.allowed.some((list) => !holds(list, name, config, 'allow')))
    return 'The settings allow only other servers (allowedMcpServers).';
  return null;
}

/**
 * Which of the folder's servers the settings approve or switch off. `cameWithFolder` tells files that cannot approve
 * what came with them; they can only switch off.
 */
export function settingsApproval(
  files: readonly SettingsInForce[],
  cameWithFolder: (file: SettingsInForce) => boolean,
): SettingsApproval {
  const own = files.filter((file) => !cameWithFolder(file));
  const names = (from: readonly SettingsInForce[], key: string): ReadonlySet<string> =>
    new Set(from.flatMap((file) => [value(file, key)].flat().filter((one): one is string => typeof one === 'string')));
  const all = own.map((file) => value(file, 'enableAllProjectMcpServers')).filter((one) => typeof one === 'boolean');
  return {
    enabled: names(own, 'enabledMcpjsonServers'),
    disabled: names(files, 'disabledMcpjsonServers'),
    all: all.at(-1) === true,
  };
}

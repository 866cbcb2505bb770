// Which servers are configured for a folder: from all scopes, read again when a file changed.
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { McpScope } from '#shared/api/mcp';
import type { CorePorts } from '../ports';
import { readRegularFile } from '../regularFile';
import { readSettingsText } from '../settings/settingsText';
import type { LaunchServers } from './launchServers';
import { type ConfiguredServer, readServers } from './readServers';
import { isFields } from './toolSchema';

export interface ConfigPlaces {
  /** The folder's own file, which came with it. */
  readonly project: string;
  /** Gatehouse's own file, for all folders. */
  readonly gatehouse: string;
  /** The person's state file of Claude Code; never written. */
  readonly person: string;
  /** The administrator's file: where it is, no other server counts. */
  readonly managed: string;
}

export interface FolderConfig {
  /** Most important first. */
  readonly servers: readonly ConfiguredServer[];
  readonly problems: readonly string[];
  /** What Claude Code's state file says of this folder's servers. */
  readonly person: {
    readonly enabled: readonly string[];
    readonly disabled: readonly string[];
  };
}

export function configPlaces(paths: CorePorts['paths'], folder: string): ConfigPlaces {
  const { data, home, claudeConfig, managedSettings } = paths;
  const moved = claudeConfig !== join(home, '.claude');
  return {
    project: join(folder, '.mcp.json'),
    gatehouse: join(data, 'mcp.json'),
    person: join(moved ? claudeConfig : home, '.claude.json'),
    managed: join(dirname(managedSettings), 'managed-mcp.json'),
  };
}

/** State files can be big with the history that others keep in them; more than this nobody configures. */
const maxFileBytes = 64 * 1024 * 1024;

type FileRead = { readonly value: unknown; readonly problem: string; readonly there: boolean };

function readFile(path: string): FileRead {
  let text: string;
  try {
    if (statSync(path).size > maxFileBytes) return { value: undefined, problem: `${path} is too big.`, there: true };
    text = readRegularFile(path).toString();
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
    const absent = missing || standsForNothing(path);
    return { value: undefined, problem: absent ? '' : `${path} cannot be read.`, there: !absent };
  }
  return parse(text, path);
}

/** An empty folder keeps sandboxed commands, while they run, from making a folder's own file. */
function standsForNothing(path: string): boolean {
  try {
    return basename(path) === '.mcp.json' && readdirSync(path).length === 0;
  } catch {
    return false;
  }
}

function parse(text: string, path: string): FileRead {
  if (text.trim() === '') return { value: undefined, problem: '', there: true };
  try {
    return { value: JSON.parse(text.replace(/^\ufeff/, '')), problem: '', there: true };
  } catch {
    const read = readSettingsText(text);
    const where = read.ok ? '' : `, line ${read.error.line}, column ${read.error.column}: ${read.error.message}`;
    return { value: undefined, problem: `${path}${where}. No server in it counts until this is mended.`, there: true };
  }
}

const field = (value: unknown, key: string): unknown =>
  isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined;

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

/** Reads all scopes. `last` keeps a file's servers in force while a writer has broken it. */
export function readFolderConfig(options: {
  readonly paths: CorePorts['paths'];
  readonly folder: string;
  readonly launch: LaunchServers;
}): FolderConfig {
  const { paths, folder, launch } = options;
  const places = configPlaces(paths, folder);
  const servers: ConfiguredServer[] = [];
  const problems: string[] = [];
  const take = (value: unknown, about: { scope: McpScope; file: string | null; from: string }): void => {
    const read = readServers(value, about);
    servers.push(...read.servers);
    problems.push(...read.problems);
  };
  const open = (path: string): FileRead => {
    const read = readFile(path);
    if (read.problem !== '') problems.push(read.problem);
    return read;
  };
  const none = { enabled: [], disabled: [] };

  const managed = open(places.managed);
  if (managed.there) {
    take(field(managed.value, 'mcpServers'), { scope: 'managed', file: places.managed, from: places.managed });
    return { servers, problems, person: none };
  }
  for (const source of launch.sources) {
    const from = 'file' in source ? source.file : '--mcp-config';
    const value = 'file' in source ? open(source.file).value : source.value;
    take(field(value, 'mcpServers'), { scope: 'flag', file: 'file' in source ? source.file : null, from });
  }
  if (launch.strict) return { servers, problems, person: none };

  const person = open(places.person);
  const ofFolder = field(field(person.value, 'projects'), folder);
  take(field(ofFolder, 'mcpServers'), { scope: 'local', file: places.person, from: places.person });
  const project = open(places.project).value;
  take(field(project, 'mcpServers'), { scope: 'project', file: places.project, from: places.project });
  const own = open(places.gatehouse).value;
  take(field(own, 'mcpServers'), { scope: 'gatehouse', file: places.gatehouse, from: places.gatehouse });
  take(field(person.value, 'mcpServers'), { scope: 'user', file: places.person, from: places.person });
  return {
    servers,
    problems,
    person: {
      enabled: texts(field(ofFolder, 'enabledMcpjsonServers')),
      disabled: [...texts(field(ofFolder, 'disabledMcpjsonServers')), ...texts(field(ofFolder, 'disabledMcpServers'))],
    },
  };
}

/** Changes when one of the folder's files may have changed. */
export function configSignature(options: {
  readonly paths: CorePorts['paths'];
  readonly folder: string;
  readonly launch: LaunchServers;
}): string {
  const places = configPlaces(options.paths, options.folder);
  const files = options.launch.sources.flatMap((one) => ('file' in one ? [one.file] : []));
  return [...Object.values(places), ...files].map(signatureOf).join('|');
}

function signatureOf(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false, bigint: true });
    return found === undefined ? '-' : `${found.mtimeNs}:${found.ctimeNs}:${found.size}:${found.ino}`;
  } catch (error) {
    // Its folder is a file, or may not be looked into: there is nothing to read either way.
    if (error instanceof Error && 'code' in error) return `- ${String(error.code)}`;
    throw error;
  }
}

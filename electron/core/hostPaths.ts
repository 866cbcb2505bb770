// Where things lie on this system, from the environment that a door hands in. Shared by all doors.
import { join } from 'node:path';
import type { CorePorts } from './ports';

export interface HostSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform: CorePorts['host']['platform'];
}

/** Folders and files of host and person; `GATEHOUSE_DATA_DIR` and `CLAUDE_CONFIG_DIR` move theirs. */
export function hostPaths({ env, home, platform }: HostSurroundings): CorePorts['paths'] {
  const data = env.GATEHOUSE_DATA_DIR || join(dataRoot({ env, home, platform }), 'gatehouse');
  return {
    data,
    home,
    claudeConfig: env.CLAUDE_CONFIG_DIR || join(home, '.claude'),
    managedSettings: managedSettings(platform),
    privateFiles: [join(data, 'secrets.json'), signInFile(data)],
  };
}

/** Where a host keeps what signing in to MCP servers has won. */
export const signInFile = (data: string): string => join(data, 'sign-ins');

function dataRoot({ env, home, platform }: HostSurroundings): string {
  switch (platform) {
    case 'darwin':
      return join(home, 'Library', 'Application Support');
    case 'win32':
      return env.LOCALAPPDATA || join(home, 'AppData', 'Local');
    case 'linux':
    case 'other':
      return env.XDG_DATA_HOME || join(home, '.local', 'share');
  }
}

function managedSettings(platform: CorePorts['host']['platform']): string {
  switch (platform) {
    case 'darwin':
      return '/Library/Application Support/ClaudeCode/managed-settings.json';
    case 'win32':
      return 'C:\\Program Files\\ClaudeCode\\managed-settings.json';
    case 'linux':
    case 'other':
      return '/etc/claude-code/managed-settings.json';
  }
}

/** Variables that hold a key of the model's server. */
const modelKeys: ReadonlySet<string> = new Set([
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
]);

/** Wishes about model and work, as the environment states them. The key is read apart, by `environmentKey`. */
export function hostEnvironment(env: HostSurroundings['env']): CorePorts['environment'] {
  return {
    baseUrl: env.ANTHROPIC_BASE_URL ?? '',
    model: env.ANTHROPIC_MODEL ?? '',
    maxToolConcurrency: env.GATEHOUSE_MAX_TOOL_CONCURRENCY ?? env.CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY ?? '',
    stopHookBlockCap: env.CLAUDE_CODE_STOP_HOOK_BLOCK_CAP ?? '',
    bash: {
      defaultTimeoutMs: env.BASH_DEFAULT_TIMEOUT_MS ?? '',
      maxTimeoutMs: env.BASH_MAX_TIMEOUT_MS ?? '',
      disableBackgroundTasks: env.CLAUDE_CODE_DISABLE_BACKGROUND_TASKS ?? '',
      maintainProjectWorkingDir: env.CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR ?? '',
      maxOutputLength: env.BASH_MAX_OUTPUT_LENGTH ?? '',
    },
    tools: { search: env.ENABLE_TOOL_SEARCH ?? '', features: env.GATEHOUSE_FEATURES ?? '' },
    variables: Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) =>
        value === undefined || modelKeys.has(name) ? [] : [[name, value]],
      ),
    ),
  };
}

/** The API key of the environment, or null. */
export function environmentKey(env: HostSurroundings['env']): string | null {
  return env.ANTHROPIC_API_KEY?.trim() || env.ANTHROPIC_AUTH_TOKEN?.trim() || null;
}

/** Node's name of a platform as the core knows it. */
export function platformOf(name: string): CorePorts['host']['platform'] {
  return name === 'linux' || name === 'darwin' || name === 'win32' ? name : 'other';
}

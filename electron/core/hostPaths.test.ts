import { expect, test } from 'vitest';
import { environmentKey, hostEnvironment, hostPaths } from './hostPaths';

test.each([
  ['linux', {}, '/home/u/.local/share/gatehouse', '/home/u/.claude', '/etc/claude-code/managed-settings.json'],
  [
    'linux',
    { XDG_DATA_HOME: '/d', CLAUDE_CONFIG_DIR: '/c' },
    '/d/gatehouse',
    '/c',
    '/etc/claude-code/managed-settings.json',
  ],
  ['linux', { GATEHOUSE_DATA_DIR: '/own' }, '/own', '/home/u/.claude', '/etc/claude-code/managed-settings.json'],
  [
    'darwin',
    {},
    '/home/u/Library/Application Support/gatehouse',
    '/home/u/.claude',
    '/Library/Application Support/ClaudeCode/managed-settings.json',
  ],
] as const)('%s with %o', (platform, env, data, claudeConfig, managedSettings) => {
  expect(hostPaths({ env, home: '/home/u', platform })).toEqual({
    data,
    home: '/home/u',
    claudeConfig,
    managedSettings,
    privateFiles: [`${data}/secrets.json`, `${data}/sign-ins`],
  });
});

test('the environment gives a key, a server, a model and a concurrency, or nothing', () => {
  const bash = {
    defaultTimeoutMs: '',
    maxTimeoutMs: '',
    disableBackgroundTasks: '',
    maintainProjectWorkingDir: '',
    maxOutputLength: '',
  };
  expect(hostEnvironment({})).toMatchObject({ baseUrl: '', model: '', maxToolConcurrency: '', bash, variables: {} });
  expect(
    hostEnvironment({
      ANTHROPIC_BASE_URL: 'http://x',
      ANTHROPIC_MODEL: 'm',
      CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY: '3',
      GATEHOUSE_MAX_TOOL_CONCURRENCY: '4',
    }),
  ).toMatchObject({ baseUrl: 'http://x', model: 'm', maxToolConcurrency: '4' });
  expect(
    hostEnvironment({
      BASH_DEFAULT_TIMEOUT_MS: '1000',
      BASH_MAX_TIMEOUT_MS: '2000',
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
      CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR: '0',
      BASH_MAX_OUTPUT_LENGTH: '50000',
    }).bash,
  ).toEqual({
    defaultTimeoutMs: '1000',
    maxTimeoutMs: '2000',
    disableBackgroundTasks: '1',
    maintainProjectWorkingDir: '0',
    maxOutputLength: '50000',
  });
  expect(hostEnvironment({}).tools).toEqual({ search: '', features: '' });
  expect(hostEnvironment({ ENABLE_TOOL_SEARCH: 'auto:5', GATEHOUSE_FEATURES: 'repl,-agent' }).tools).toEqual({
    search: 'auto:5',
    features: 'repl,-agent',
  });
  expect(hostEnvironment({ PATH: '/bin', ANTHROPIC_API_KEY: 'k', UNSET: undefined }).variables).toEqual({
    PATH: '/bin',
  });
  expect([environmentKey({}), environmentKey({ ANTHROPIC_API_KEY: ' ' })]).toEqual([null, null]);
  expect(environmentKey({ ANTHROPIC_API_KEY: ' k ', ANTHROPIC_AUTH_TOKEN: 't' })).toBe('k');
  expect(environmentKey({ ANTHROPIC_AUTH_TOKEN: 't' })).toBe('t');
});

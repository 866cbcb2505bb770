// What of the host's environment a hook sees.
import { expect, it } from 'vitest';
import { scrubbed, withVariables } from './hookEnvironment';

it.each([
  ...[
    'PATH',
    'HOME',
    'LANG',
    'EDITOR',
    'SSH_AUTH_SOCK',
    'GIT_ASKPASS',
    'XDG_RUNTIME_DIR',
    'KEYBOARD',
    'MONKEY',
    'TOKENIZERS',
  ].map((name) => [name, true] as const),
  ...['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'CLAUDE_CODE_OAUTH_TOKEN', 'GATEHOUSE_DATA_DIR', 'OPENAI_API_KEY'].map(
    (name) => [name, false] as const,
  ),
  ...[
    'GITHUB_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_ACCESS_KEY_ID',
    'DB_PASSWORD',
    'npm_config__auth',
    'STRIPE_KEY',
  ].map((name) => [name, false] as const),
])('%s is passed on: %s', (name, passed) => {
  expect(Object.keys(scrubbed({ [name]: 'x' }))).toEqual(passed ? [name] : []);
});

it.each([
  ['Bearer $A', 'Bearer a'],
  [`Bearer \${A}!`, 'Bearer a!'],
  ['$B', ''],
  ['$AB $A_ $A', '  a'],
  ['$toString', ''],
  ['$$A 5$', '$a 5$'],
])('%j becomes %j', (text, expected) => {
  expect(withVariables(text, { A: 'a', B: 'b' }, (name) => name !== 'B')).toBe(expected);
});

import { expect, test } from 'vitest';
import { launchEnvironment } from './launchEnvironment';

test('only harmless variables pass', () => {
  const env = {
    PATH: '/bin',
    HOME: '/home/a',
    LANG: 'C',
    TERM: undefined,
    ANTHROPIC_API_KEY: 'sk',
    ANTHROPIC_AUTH_TOKEN: 'sk',
    GITHUB_TOKEN: 'gh',
    NODE_OPTIONS: '--require x',
    LD_PRELOAD: 'x.so',
    path: '/other',
  };
  expect(launchEnvironment(env)).toEqual({ PATH: '/bin', HOME: '/home/a', LANG: 'C' });
});

import { describe, expect, it } from 'vitest';
import { allFeatures, featureOf, featuresInForce } from './features';
import { loadingPolicy, policyInWords, readToolSearch } from './loadingPolicy';

it.each<[string, ReturnType<typeof readToolSearch>]>([
  ['', null],
  ['true', { deferral: 'always', autoPercent: 10 }],
  [' TRUE ', { deferral: 'always', autoPercent: 10 }],
  ['false', { deferral: 'never', autoPercent: 10 }],
  ['auto', { deferral: 'auto', autoPercent: 10 }],
  ['auto:5', { deferral: 'auto', autoPercent: 5 }],
  ['auto:0', { deferral: 'auto', autoPercent: 0 }],
  ['auto:100', { deferral: 'auto', autoPercent: 100 }],
  ['auto:101', null],
  ['auto:x', null],
  ['auto:-1', null],
  ['yes', null],
])('ENABLE_TOOL_SEARCH=%j', (value, expected) => {
  expect(readToolSearch(value)).toEqual(expected);
});

describe('loadingPolicy', () => {
  it('takes the word of the environment before the preference before the usual', () => {
    const policy = (environment: string, preference: 'auto' | 'always' | 'never') =>
      loadingPolicy({ environment, preference, contextTokens: 1_000 });
    expect(policy('', 'auto')).toEqual({ deferral: 'auto', autoPercent: 10, contextTokens: 1_000, by: '' });
    expect(policy('', 'never')).toEqual({
      deferral: 'never',
      autoPercent: 10,
      contextTokens: 1_000,
      by: 'your settings',
    });
    expect(policy('auto:3', 'never')).toEqual({
      deferral: 'auto',
      autoPercent: 3,
      contextTokens: 1_000,
      by: 'the variable ENABLE_TOOL_SEARCH',
    });
    expect(policyInWords(policy('false', 'auto'))).toBe(
      'Every tool is loaded. This is the word of the variable ENABLE_TOOL_SEARCH.',
    );
  });
});

describe('featuresInForce', () => {
  it.each<[string, Parameters<typeof featuresInForce>[0], string[]]>([
    ['usual', { environment: '', preferences: {} }, ['agent', 'skills', 'web', 'languageServers', 'cron', 'worktrees']],
    [
      'preferences',
      { environment: '', preferences: { repl: true, cron: false } },
      ['agent', 'skills', 'web', 'languageServers', 'worktrees', 'repl'],
    ],
    [
      'the environment has the last word',
      { environment: 'REPL, -agent +cron -nothing', preferences: { repl: false, agent: true, cron: false } },
      ['skills', 'web', 'languageServers', 'cron', 'worktrees', 'repl'],
    ],
  ])('%s', (_, wishes, expected) => {
    expect([...featuresInForce(wishes)]).toEqual(expected);
  });

  it('knows which tools a feature takes along', () => {
    expect(['Agent', 'REPL', 'CronList', 'Bash'].map(featureOf)).toEqual(['agent', 'repl', 'cron', null]);
    expect(allFeatures.size).toBe(7);
  });
});

import { expect, test } from 'vitest';
import { attemptsOf, tableOf } from './security.mjs';

const attempt = (kind, name, verdict, reason = '') => ({
  title: name,
  status: 'any',
  meta: { attempt: { kind, name, verdict, reason } },
});

const report = {
  testResults: [
    {
      assertionResults: [
        { title: 'there are enough of them', status: 'passed', meta: {} },
        attempt('secrets', 'read a key', 'contained'),
        attempt('secrets', 'read by a link', 'escaped', 'a secret was printed'),
        attempt('limits', 'more memory', 'skipped', 'python3 is not installed'),
        { title: 'hung', status: 'failed', meta: {}, failureMessages: ['Error: timed out\n  at x'] },
      ],
    },
  ],
};

test('what is skipped is not counted as contained, and what has no outcome is not forgotten', () => {
  expect(tableOf(attemptsOf(report))).toBe(
    [
      '                          attempts contained   escaped   unclear   skipped',
      'secrets                          2         1         1         0         0',
      'limits                           1         0         0         0         1',
      'the suite itself                 1         0         0         1         0',
      'all                              4         1         1         1         1',
      '',
      'escaped: secrets: read by a link',
      '  a secret was printed',
      'unclear: the suite itself: hung',
      '  Error: timed out',
      'skipped: limits: more memory',
      '  python3 is not installed',
    ].join('\n'),
  );
});

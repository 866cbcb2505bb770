import { describe, expect, it } from 'vitest';
import { countUnitTests, summary } from './check.mjs';
import { countBrowserTests } from './test.mjs';

const vitestReport = (counts, testResults = []) => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults,
  ...counts,
});

describe('countUnitTests', () => {
  it.each([
    ['all passed', { report: vitestReport({ numPassedTests: 7 }), code: 0 }, { passed: 7, failed: 0, skipped: 0 }],
    [
      'some failed and skipped',
      { report: vitestReport({ numPassedTests: 5, numFailedTests: 2, numPendingTests: 1, numTodoTests: 1 }), code: 1 },
      { passed: 5, failed: 2, skipped: 2 },
    ],
    [
      'a file that does not load',
      { report: vitestReport({ numPassedTests: 5 }, [{ status: 'failed', assertionResults: [] }]), code: 1 },
      { passed: 5, failed: 1, skipped: 0 },
    ],
    [
      'an error outside of the tests',
      { report: vitestReport({ numPassedTests: 5 }), code: 1 },
      { passed: 5, failed: 1, skipped: 0 },
    ],
    ['no report', { report: undefined, code: 0 }, { passed: 0, failed: 1, skipped: 0 }],
  ])('%s', (_name, given, expected) => {
    expect(countUnitTests(given)).toEqual(expected);
  });
});

describe('countBrowserTests', () => {
  it.each([
    [
      'all passed',
      { report: { stats: { expected: 3, unexpected: 0, flaky: 0, skipped: 1 } }, code: 0 },
      { passed: 3, failed: 0, skipped: 1 },
    ],
    [
      'failed, and passed only when repeated',
      { report: { stats: { expected: 1, unexpected: 1, flaky: 1, skipped: 0 } }, code: 1 },
      { passed: 1, failed: 2, skipped: 0 },
    ],
    [
      'no test was found',
      { report: { stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0 } }, code: 1 },
      { passed: 0, failed: 1, skipped: 0 },
    ],
    ['no report', { report: undefined, code: 1 }, { passed: 0, failed: 1, skipped: 0 }],
  ])('%s', (_name, given, expected) => {
    expect(countBrowserTests(given)).toEqual(expected);
  });
});

it('closes with one plain line', () => {
  const step = (passed, failed, skipped) => ({ name: 'x', seconds: 1, passed, failed, skipped });
  expect(summary([step(3, 0, 0), step(4, 1, 0)])).toBe('7 passed, 1 failed');
  expect(summary([step(3, 0, 2), step(4, 0, 1)])).toBe('7 passed, 0 failed, 3 skipped');
});

import { describe, expect, test } from 'vitest';
import type { Seen } from '#shared/api/results';
import { now, resultFile } from '../testing/fakeResults';
import { goesSentence, goesWords, resultName, seenWords, weight } from './words';

const day = 24 * 60 * 60_000;

test('sizes are read at a glance', () => {
  const cases: readonly [bytes: number, words: string][] = [
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1 KB'],
    [212_400, '212 KB'],
    [999_499, '999 KB'],
    [999_500, '1.0 MB'],
    [4_800_000, '4.8 MB'],
    [61_200_000, '61 MB'],
    [999_500_000, '1.00 GB'],
    [1_020_000_000, '1.02 GB'],
    [12_340_000_000, '12.3 GB'],
  ];
  expect(cases.map(([bytes]) => [bytes, weight(bytes)])).toEqual(cases);
});

test('what the model knows stands in words', () => {
  const cases: readonly [seen: Seen, words: string][] = [
    [{ kind: 'preview', chars: 4_096 }, 'saw 4,096 characters'],
    [{ kind: 'again', callId: 'c', number: 31 }, 'read again at call 31'],
    [{ kind: 'whole' }, 'read whole'],
    [{ kind: 'never' }, 'never read'],
    [{ kind: 'unknown' }, 'not known'],
  ];
  expect(cases.map(([seen]) => [seen, seenWords(seen)])).toEqual(cases);
});

describe('time to the clean-up', () => {
  const cases: readonly [name: string, kept: boolean, goesAt: number | null, words: string][] = [
    ['some days', false, now + 11.2 * day, 'in 12 days'],
    ['the last day', false, now + 0.5 * day, 'in 1 day'],
    ['passed', false, now - 1, 'due'],
    ['kept', true, now + day, 'kept'],
    ['never', false, null, 'stays'],
  ];
  test.each(cases)('%s', (_name, kept, goesAt, words) => {
    expect(goesWords({ kept, goesAt }, now)).toBe(words);
  });
  test('says whose clean-up it is', () => {
    const file = resultFile({ id: 'a', origin: 'claudeCode', goesAt: now - 1 });
    expect(goesSentence(file, now)).toBe("Claude Code's own clean-up takes it next time.");
    expect(goesSentence({ ...file, kept: true }, now)).toBe('Kept: no clean-up takes it.');
  });
});

test('a file is called by its call; commands speak for themselves', () => {
  const call = (tool: string, what: string) => resultFile({ id: 'a', call: { callId: 'c', tool, what } });
  expect(resultName(call('Bash', 'npm test'))).toBe('npm test');
  expect(resultName(call('Grep', 'moorings'))).toBe('Grep moorings');
  expect(resultName(call('mcp__harbor__list_vessels', ''))).toBe('harbor list_vessels');
  expect(resultName(resultFile({ id: 'a', call: null }))).toBe('a.txt');
});

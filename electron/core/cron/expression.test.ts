import { describe, expect, it } from 'vitest';
import { nextRun, parseCron } from './expression';

const local = (text: string) => new Date(text).getTime();

function next(cron: string, after: string): string | null {
  const parsed = parseCron(cron);
  if (!parsed.ok) throw new Error(parsed.problem);
  const at = nextRun(parsed.expression, local(after));
  if (at === null) return null;
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

describe('the next run', () => {
  it.each([
    ['* * * * *', '2026-01-05T10:00:30', '2026-01-05T10:01'],
    ['* * * * *', '2026-01-05T10:00:00', '2026-01-05T10:01'],
    ['*/15 * * * *', '2026-01-05T10:46', '2026-01-05T11:00'],
    ['5,35 10-12 * * *', '2026-01-05T12:35', '2026-01-06T10:05'],
    ['0 9 * * 1-5', '2026-01-09T09:00', '2026-01-12T09:00'],
    ['0 0 * * 0', '2026-01-05T00:00', '2026-01-11T00:00'],
    ['0 0 * * 7', '2026-01-05T00:00', '2026-01-11T00:00'],
    ['0 0 31 * *', '2026-01-31T00:00', '2026-03-31T00:00'],
    ['0 0 1 1 *', '2026-01-01T00:00', '2027-01-01T00:00'],
    ['0 0 29 2 *', '2026-01-01T00:00', '2028-02-29T00:00'],
    ['0 0 30 2 *', '2026-01-01T00:00', null],
    ['0 0 13 * 5', '2026-01-05T00:00', '2026-01-09T00:00'],
    ['0 0 13 * *', '2026-01-05T00:00', '2026-01-13T00:00'],
    ['0 8-20/6 * * *', '2026-01-05T08:00', '2026-01-05T14:00'],
    ['59 23 31 12 *', '2026-12-31T23:59', '2027-12-31T23:59'],
  ])('%s after %s', (cron, after, expected) => {
    expect(next(cron, after)).toBe(expected);
  });
});

describe('what is no expression', () => {
  it.each([
    '',
    '* * * *',
    '* * * * * *',
    '@daily',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * 32 * *',
    '* * * 13 *',
    '* * * 0 *',
    '* * * * 8',
    '* * * * MON',
    '5-1 * * * *',
    '*/0 * * * *',
    '5/10 * * * *',
    '1, * * * *',
    '-1 * * * *',
    '1.5 * * * *',
    '1-2-3 * * * *',
    '* * * * *; ls',
  ])('%j', (cron) => {
    expect(parseCron(cron)).toMatchObject({ ok: false, problem: expect.stringMatching(/\.$/) });
  });
});

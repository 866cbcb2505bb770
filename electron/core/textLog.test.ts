import { expect, it } from 'vitest';
import { textLog } from './textLog';

const key = `sk-ant-api03-${'a1B2c3D4'.repeat(6)}`;

/** What is written, without the time. */
function written(say: (log: ReturnType<typeof textLog>) => void, verbose = false): string[] {
  const lines: string[] = [];
  say(textLog((line) => lines.push(line.replace(/^\S+ /, '')), { verbose }));
  return lines;
}

it('writes one line each, and what is merely good to know only when asked for', () => {
  const say = (log: ReturnType<typeof textLog>): void => {
    log.info('ready', { pid: 1 });
    log.warn('slow');
  };
  expect(written(say)).toEqual(['warn slow\n']);
  expect(written(say, true)).toEqual(['info ready {"pid":1}\n', 'warn slow\n']);
});

it.each([
  ['a key in a message', `the hook curl -H "x-api-key: ${key}" failed`],
  ['a key of the environment', `spawn env ANTHROPIC_API_KEY=${key} ENOENT`],
  ['a token of a header', `Authorization: Bearer ${key.slice(13)}`],
  ['a password in an address', `cannot reach https://ada:${key.slice(20, 40)}@example.com/`],
])('takes out %s, in words, in errors and in facts', (_name, text) => {
  const lines = written((log) => {
    log.warn(text);
    log.warn('said', { text });
    log.error('failed', new Error(text));
    log.error('failed', text);
  });
  expect(lines).toHaveLength(4);
  for (const line of lines) {
    expect(line).not.toContain(key.slice(20, 40));
    expect(line).toMatch(/\[(?:api key|secret|token|password)\]/);
  }
});

it.each([
  ['a line of its own', 'x\n2030-01-01 error forged', 'x\\u000a2030-01-01 error forged'],
  ['a return to its beginning', 'x\rforged', 'x\\u000dforged'],
  ['a terminal sequence', 'x\u001b]0;t\u0007', 'x\\u001b]0;t\\u0007'],
  ['an eight bit terminal sequence', 'x\u009b31m', 'x\\u009b31m'],
  ['a turn of direction', 'x\u202ey', 'x\\u202ey'],
  ['a line end of Unicode', 'x\u2028y', 'x\\u2028y'],
])('does not let %s through', (_name, text, shown) => {
  const [first = '', second = ''] = written((log) => {
    log.warn(text);
    log.error('failed', text);
  });
  expect(first).toBe(`warn ${shown}\n`);
  expect(second).toMatch(/^error failed \{"error":"[ -~]*"\}\n$/);
});

it('cuts what would fill a disk', () => {
  const [line = ''] = written((log) => log.warn('x'.repeat(1_000_000)));
  expect(line.length).toBeLessThan(21_000);
});

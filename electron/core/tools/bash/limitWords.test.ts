import { expect, test } from 'vitest';
import { limitWords } from './limitWords';

test.each([
  [{ what: 'memory', allowed: 4 * 1_024 ** 3 }, 'stopped: more than 4 GiB of memory'],
  [{ what: 'memory', allowed: 1_610_612_736 }, 'stopped: more than 1.5 GiB of memory'],
  [{ what: 'processes', allowed: 2_048 }, 'stopped: more than 2,048 processes'],
  [{ what: 'fileSize', allowed: 1_000 }, 'stopped: a file larger than 1,000 bytes'],
] as const)('%j', (limit, note) => {
  const words = limitWords(limit);
  expect(words.note).toBe(note);
  expect(words.text).toMatch(/^The command was stopped.*Output until then:$/);
  expect(words.next).toMatch(/^Next: .*only they can raise\.$/);
});

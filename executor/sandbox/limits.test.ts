import { expect, test } from 'vitest';
import { emptyFolderArgs, limitScript } from './limits';

const mebibyte = 1_048_576;

test.each([
  [undefined, ''],
  [{}, ''],
  [{ processes: 9 }, ''],
  [{ memoryBytes: 512 * mebibyte }, 'ulimit -d 524288 2>/dev/null || :; '],
  [{ memoryBytes: 1 }, 'ulimit -d 32768 2>/dev/null || :; '],
  [{ fileBytes: 1_025 }, 'ulimit -f 2 2>/dev/null || :; '],
  [
    { memoryBytes: 64 * mebibyte, fileBytes: mebibyte },
    'ulimit -d 65536 2>/dev/null || :; ulimit -f 1024 2>/dev/null || :; ',
  ],
])('%j', (limits, script) => {
  expect(limitScript(limits)).toBe(script);
});

test.each([
  { limits: undefined, sizes: true, is: '--tmpfs /tmp' },
  { limits: { processes: 9 }, sizes: true, is: '--tmpfs /tmp' },
  { limits: { memoryBytes: 64 * mebibyte }, sizes: false, is: '--tmpfs /tmp' },
  {
    limits: { memoryBytes: 64 * mebibyte },
    sizes: true,
    is: '--size 67108864 --tmpfs /tmp --size 67108864 --tmpfs /dev/shm --remount-ro /dev',
  },
])('temp with $limits, sizes $sizes', ({ limits, sizes, is }) => {
  expect(emptyFolderArgs(['/tmp'], { limits, sizes }).join(' ')).toBe(is);
});

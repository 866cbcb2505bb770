import { beforeAll, expect, test } from 'vitest';
import { isReadOnlyCommand } from './readOnlyCommand';
import { loadSecondParser } from './shell/treeSitter';

beforeAll(() => loadSecondParser());

test.each([
  ['ls -la', true],
  ['git status && git log -3 | head', true],
  ['grep -r foo src 2>/dev/null', true],
  ['ls 2>&1', true],
  ['sleep 0.2', true],
  ['echo x > out.txt', false],
  ['echo x >> out.txt', false],
  ['cat <> file', false],
  ['ls; rm x', false],
  ['npm test', false],
  ['ls $(rm x)', false],
  ['find . -delete', false],
  ['ls &&', false],
  ['', false],
  ['# only a comment', false],
])('%j read-only: %s', (command, expected) => {
  expect(isReadOnlyCommand(command)).toBe(expected);
});

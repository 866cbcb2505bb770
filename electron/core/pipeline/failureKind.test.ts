import { expect, test } from 'vitest';
import { errorClass } from '../results/errorClass';
import { ToolFailure } from '../tools/tool';
import { failureKind, unexpectedFailure } from './failureKind';

const named = (name: string, more: object = {}) => Object.assign(new Error('/secret/path: x'), { name, ...more });
const coded = (code: string) => named('Error', { code });

test.each([
  [coded('ECONNREFUSED'), 'network', 'Error:ECONNREFUSED'],
  [new TypeError('fetch failed', { cause: coded('ENOTFOUND') }), 'network', 'TypeError'],
  [new TypeError('fetch failed', { cause: coded('UND_ERR_CONNECT_TIMEOUT') }), 'timeout', 'TypeError'],
  [coded('ETIMEDOUT'), 'timeout', 'Error:ETIMEDOUT'],
  [named('TimeoutError'), 'timeout', 'TimeoutError'],
  [coded('EACCES'), 'permission', 'Error:EACCES'],
  [coded('ENOENT'), 'notFound', 'Error:ENOENT'],
  [named('AbortError'), 'aborted', 'AbortError'],
  [named('McpError', { code: -32_000 }), 'mcp', 'McpError'],
  [named('UnauthorizedError'), 'mcpAuth', 'UnauthorizedError'],
  [coded('EIO'), 'internal', 'Error:EIO'],
  [named('TypeError'), 'internal', 'TypeError'],
  [named('Abc'), 'internal', 'Error'],
  [named('/home/u/x.js'), 'internal', 'Error'],
  [coded('not a code'), 'internal', 'Error'],
  [named('Error', { telemetrySafe: 'Pool exhausted' }), 'internal', 'Pool exhausted'],
  [named('RangeError', { telemetrySafe: '/home/u/x.js:3' }), 'internal', 'RangeError'],
  [new ToolFailure('timeout', 'x'), 'internal', 'ToolFailure:timeout'],
  ['text', 'internal', 'UnknownError'],
  [undefined, 'internal', 'UnknownError'],
] as const)('%o is %s, of class %s', (error, kind, name) => {
  expect([failureKind(error), errorClass(error)]).toEqual([kind, name]);
  expect(unexpectedFailure(error).text).toContain(`(${name})`);
  expect(unexpectedFailure(error).text).not.toMatch(/secret|\/home/);
});

test('causes that go round in a circle end', () => {
  const error = new Error('x');
  error.cause = error;
  expect(failureKind(error)).toBe('internal');
});

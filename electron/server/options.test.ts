import { expect, test } from 'vitest';
import { readOptions } from './options';

test.each([
  [[], { port: 0, folder: null, allowBypass: false }],
  [['--port', '8080', '--folder', '/x', '--no-open'], { port: 8080, folder: '/x', allowBypass: false }],
  [['--allow-bypass'], { port: 0, folder: null, allowBypass: true }],
])('%j', (args, value) => {
  expect(readOptions(args)).toEqual({ ok: true, value });
});

test.each([
  [['--port', '70000'], '--port 70000 is no port number'],
  [['--port', 'abc'], '--port abc is no port number'],
  [['--prot', '1'], 'Known: --port N'],
  [['folder'], 'Known: --port N'],
])('%j is refused with what is known', (args, words) => {
  const result = readOptions(args);
  expect(result.ok ? '' : result.error).toContain(words);
});

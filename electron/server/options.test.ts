import { expect, test } from 'vitest';
import { readOptions } from './options';

const launch = {
  startFolder: null,
  allowBypass: false,
  permissions: { flagSettings: null, cliArg: { source: 'cliArg', allow: [], deny: [], additionalDirectories: [] } },
};

test.each([
  [[], { port: 0, launch }],
  [['--port', '8080', '--folder', 'x', '--no-open'], { port: 8080, launch: { ...launch, startFolder: '/here/x' } }],
  [['--allow-bypass'], { port: 0, launch: { ...launch, allowBypass: true } }],
  [
    ['--allowedTools', 'Bash(ls)', 'Edit', '--permission-mode', 'plan', '--port', '8'],
    {
      port: 8,
      launch: {
        ...launch,
        permissions: {
          flagSettings: null,
          cliArg: { ...launch.permissions.cliArg, allow: ['Bash(ls)', 'Edit'], defaultMode: 'plan' },
        },
      },
    },
  ],
])('%j', (args, value) => {
  expect(readOptions(args, '/here')).toEqual({ ok: true, value });
});

test.each([
  [['--port', '70000'], '--port 70000 is no port number'],
  [['--port', 'abc'], '--port abc is no port number'],
  [['--prot', '1'], 'Known: --port N'],
  [['folder'], 'Known: --port N, --folder DIR'],
  [['--folder'], '--folder needs a value.'],
  [['--permission-mode', 'yolo'], '--permission-mode yolo: there is no such mode'],
])('%j is refused with what is known', (args, words) => {
  const result = readOptions(args, '/here');
  expect(result.ok ? '' : result.error).toContain(words);
});

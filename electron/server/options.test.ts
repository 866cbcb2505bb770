import { expect, test } from 'vitest';
import { noLaunchPermissions } from '../core/launchOptions';
import { readOptions } from './options';

const nothing = {
  port: 0,
  folder: null,
  allowBypass: false,
  permissions: {
    ...noLaunchPermissions,
    cliArg: { source: 'cliArg', allow: [], deny: [], additionalDirectories: [] },
  },
};

test.each([
  [[], nothing],
  [['--port', '8080', '--folder', '/x', '--no-open'], { ...nothing, port: 8080, folder: '/x' }],
  [['--allow-bypass'], { ...nothing, allowBypass: true }],
  [
    ['--allowedTools', 'Bash(ls)', 'Edit', '--permission-mode', 'plan', '--port', '8'],
    {
      ...nothing,
      port: 8,
      permissions: {
        flagSettings: null,
        cliArg: {
          source: 'cliArg',
          allow: ['Bash(ls)', 'Edit'],
          deny: [],
          additionalDirectories: [],
          defaultMode: 'plan',
        },
      },
    },
  ],
])('%j', (args, value) => {
  expect(readOptions(args, '/')).toEqual({ ok: true, value });
});

test.each([
  [['--port', '70000'], '--port 70000 is no port number'],
  [['--port', 'abc'], '--port abc is no port number'],
  [['--prot', '1'], 'Known: --port N'],
  [['folder'], 'Known: --port N'],
  [['--permission-mode', 'yolo'], '--permission-mode yolo: there is no such mode'],
])('%j is refused with what is known', (args, words) => {
  const result = readOptions(args, '/');
  expect(result.ok ? '' : result.error).toContain(words);
});

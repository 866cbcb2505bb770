import { expect, it } from 'vitest';
import { readCommandLine, writeCommandLine } from './commandLine';

it.each([
  ['gopls', 'gopls', []],
  ['  a   --stdio\t-x ', 'a', ['--stdio', '-x']],
  ['"/opt/my server/run" --flag="a b" \'\'', '/opt/my server/run', ['--flag=a b', '']],
  [`a "it's" 'say "x"'`, 'a', ["it's", 'say "x"']],
  ['C:\\bin\\srv.exe $HOME *', 'C:\\bin\\srv.exe', ['$HOME', '*']],
])('%j', (text, command, args) => {
  const read = readCommandLine(text);
  expect(read).toEqual({ command, args });
  expect(readCommandLine(writeCommandLine({ command, args }))).toEqual(read);
});

it.each([[''], ['   '], ['"open'], ["a 'b"], ['""']])('%j is no command', (text) => {
  expect(readCommandLine(text)).toBeNull();
});

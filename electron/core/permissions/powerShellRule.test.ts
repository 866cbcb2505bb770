import { expect, test } from 'vitest';
import { compilePowerShell, mayHideCommands } from './powerShellRule';

test.each([
  ['Remove-Item:*', 'Remove-Item x', true],
  ['Remove-Item:*', 'Remove-Item', true],
  ['Remove-Item *', 'remove-item -Recurse x', true],
  ['Remove-Item *', 'REMOVE-ITEM\tx', true],
  ['Remove-Item:*', 'Remove-ItemProperty x', false],
  ['Remove-Item:*', 'rm x', true],
  ['Remove-Item:*', 'Get-ChildItem | del', true],
  ['rm:*', 'Remove-Item x', true],
  ['del *', 'ri x', true],
  ['Remove-Item:*', 'Get-ChildItem; Remove-Item x', true],
  ['Remove-Item:*', 'Get-ChildItem\nRemove-Item x', true],
  ['Remove-Item:*', 'Get-ChildItem && Remove-Item x || exit', true],
  ['Remove-Item:*', 'if ($true) { Remove-Item x }', true],
  ['Remove-Item:*', '$x = Remove-Item y', true],
  ['Remove-Item:*', "& 'Remove-Item' x", true],
  ['Remove-Item:*', '. Remove-Item x', true],
  ['Remove-Item:*', 'Re`move-It`em x', true],
  ['Remove-Item:*', 'Microsoft.PowerShell.Management\\Remove-Item x', true],
  ['Remove-Item:*', 'iex "Remove-Item x"', true],
  ['git push:*', '& "C:\\Program Files\\Git\\git.exe" push', true],
  ['git push:*', 'C:\\Git\\bin\\git.exe push origin', true],
  ['git push:*', 'git `\n push', true],
  ['git push:*', 'git pull', false],
  ['Get-Date', 'Get-Date', true],
  ['Get-Date', 'Get-Date -Format o', false],
  ['*-Item*', 'New-Item x', true],
])('a refusal of %s and the line %j', (content, line, stopped) => {
  expect(compilePowerShell(content)(line)).toBe(stopped);
});

test('a line of any size is looked at in a moment', () => {
  const started = performance.now();
  compilePowerShell('Remove-Item * -Force *')(`${'(;"'.repeat(3_800)}`);
  compilePowerShell('a*b*c*d')('a b c '.repeat(2_000));
  expect(performance.now() - started).toBeLessThan(1_000);
});

test.each([
  ['Get-Date', false],
  ['& $x', true],
  ['iex (gc x)', true],
  ['powershell -enc AAAA', true],
])('%j may run what is not written in it: %s', (line, hides) => {
  expect(mayHideCommands(line)).toBe(hides);
});

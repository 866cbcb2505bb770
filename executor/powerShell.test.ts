import { expect, test } from 'vitest';
import { findPowerShell, powerShellArgs } from './powerShell';

function decoded(args: readonly string[] | null): string {
  return Buffer.from(args?.at(-1) ?? '', 'base64').toString('utf16le');
}

test.each(['Get-ChildItem', `echo "a 'b' \`"; Remove-Item -Recurse C:\\x`, '日本 $env:PATH | % { $_ }'])(
  'nothing in %s needs quoting',
  (command) => {
    const args = powerShellArgs(command);
    expect(args?.slice(0, -1)).toEqual(['-NoLogo', '-NoProfile', '-NonInteractive', '-EncodedCommand']);
    expect(args?.at(-1)).toMatch(/^[A-Za-z0-9+/=]+$/);
    const lines = decoded(args).split('\n');
    expect(lines.slice(1, -1)).toEqual([command]);
    expect(lines.at(-1)).toBe('if ($null -ne $LASTEXITCODE) { exit $LASTEXITCODE }');
  },
);

test('a command that Windows could not take is refused', () => {
  expect(powerShellArgs('x'.repeat(20_000))).toBeNull();
});

const own = { PATH: 'relative;C:\\Tools;C:\\Program Files\\PowerShell\\7', SYSTEMROOT: 'D:\\Win' };
const seven = 'C:\\Program Files\\PowerShell\\7\\pwsh.exe';
const brought = 'D:\\Win\\System32\\WindowsPowerShell\\v1.0\\powershell.exe';

test.each([
  { there: [seven, brought], platform: 'win32', found: seven },
  { there: [brought], platform: 'win32', found: brought },
  { there: [], platform: 'win32', found: undefined },
  { there: ['relative\\pwsh.exe'], platform: 'win32', found: undefined },
  { there: [seven, brought], platform: 'linux', found: undefined },
] as const)('$platform with $there', ({ there, platform, found }) => {
  const files: readonly string[] = there;
  expect(findPowerShell({ own, platform, isFile: (path) => files.includes(path) })).toBe(found);
});

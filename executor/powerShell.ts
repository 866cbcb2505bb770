// How PowerShell is found and started. The command goes in encoded, so that no quoting can turn it into another one.
import { statSync } from 'node:fs';
import { win32 } from 'node:path';
import type { Environment } from './environment';

/** Windows takes 32,767 characters for a whole command line; the rest is for program and switches. */
const longestEncoded = 32_000;

/** Text that no terminal garbles, no progress bars in it, and the exit code of the last program as that of the whole. */
const before =
  "$ProgressPreference = 'SilentlyContinue'; [Console]::OutputEncoding = [Text.UTF8Encoding]::new($false);\n";
const after = '\nif ($null -ne $LASTEXITCODE) { exit $LASTEXITCODE }';

/** Arguments that run a command without profile and without anybody to ask; null: it is too long. */
export function powerShellArgs(command: string): readonly string[] | null {
  const encoded = Buffer.from(`${before}${command}${after}`, 'utf16le').toString('base64');
  if (encoded.length > longestEncoded) return null;
  return ['-NoLogo', '-NoProfile', '-NonInteractive', '-EncodedCommand', encoded];
}

/** Path of PowerShell: version 7 or later in PATH, else the one that Windows brings; undefined elsewhere. */
export function findPowerShell(options: {
  readonly own: Environment;
  readonly platform?: NodeJS.Platform;
  readonly isFile?: (path: string) => boolean;
}): string | undefined {
  const { own, platform = process.platform, isFile = exists } = options;
  if (platform !== 'win32') return undefined;
  const folders = (own.PATH ?? '').split(';').filter((folder) => win32.isAbsolute(folder));
  const brought = win32.join(own.SYSTEMROOT ?? 'C:\\Windows', 'System32\\WindowsPowerShell\\v1.0\\powershell.exe');
  return [...folders.map((folder) => win32.join(folder, 'pwsh.exe')), brought].find(isFile);
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

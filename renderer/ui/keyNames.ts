/** True where the command key does what Ctrl does elsewhere. */
export function isApple(platform: string): boolean {
  return /^(Mac|iP)/.test(platform);
}

const appleNames: Readonly<Record<string, string>> = {
  Mod: '⌘',
  Shift: '⇧',
  Alt: '⌥',
  Enter: '↵',
  Backspace: '⌫',
  Escape: 'Esc',
};

const otherNames: Readonly<Record<string, string>> = {
  Mod: 'Ctrl',
  Enter: '↵',
  Backspace: '⌫',
  Escape: 'Esc',
};

/** The caps of a shortcut written as `Mod+Shift+A`, as they are called on this machine's keyboard. */
export function keyNames(keys: string, platform = globalThis.navigator?.platform ?? ''): string[] {
  const names = isApple(platform) ? appleNames : otherNames;
  return keys.split('+').map((key) => names[key] ?? key);
}

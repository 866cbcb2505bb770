/** What the person said when starting the app. */
export interface LaunchOptions {
  readonly folder: string | null;
  readonly allowBypass: boolean;
  /** A switch that would let other programs drive the page. */
  readonly remoteDebugging: boolean;
}

/** Reads the words after the program's name. Chromium has switches of its own, so unknown ones are left alone. */
export function readLaunchOptions(words: readonly string[]): LaunchOptions {
  const named = words.find((word) => word.startsWith('--folder='))?.slice('--folder='.length);
  const flag = words.indexOf('--folder');
  const folder = named ?? (flag === -1 ? words.find((word) => !word.startsWith('-')) : words[flag + 1]);
  return {
    folder: folder ?? null,
    allowBypass: words.includes('--allow-bypass'),
    remoteDebugging: words.some((word) => /^--remote-debugging-(port|pipe|address)\b/.test(word)),
  };
}

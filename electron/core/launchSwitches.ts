// Switches of Chromium, Electron and Node that a packaged app must not be started with. Whoever starts it may do so by a
// link, a file association or another program, which can add words of their own.

/** Others could answer for the person: read the page, run code in it or in the main process, put programs around it. */
const driving =
  /^--(?:remote-(?:debugging|allow-origins)|inspect|js-flags|load-extension|(?:renderer|utility)-cmd-prefix|gpu-launcher|browser-subprocess-path)/i;
/** What keeps the page in its place, or what it shows among ourselves, would be off. */
const weakening =
  /^--(?:no-sandbox|disable-(?:\w+-)*sandbox|disable-web-security|disable-site-isolation|disable-features|allow-(?:file-access|running-insecure)|unsafely-|ignore-certificate-errors|host-(?:resolver-)?rules|single-process|no-zygote|ssl-key-log-file)/i;

/** Why the app may not start with these words, for the person; null: it may. */
export function whyNotStartedWith(words: readonly string[]): string | null {
  if (words.some((word) => driving.test(word)))
    return 'With remote debugging other programs could answer for you. Start Gatehouse without it.';
  const word = words.find((each) => weakening.test(each));
  if (word === undefined) return null;
  return `${word.split('=', 1)[0]} takes away what protects you from what Gatehouse shows. Start it without.`;
}

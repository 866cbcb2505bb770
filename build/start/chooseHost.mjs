// Which host starts, and why. Facts in, decision out.

/**
 * What stands against a window on this machine, or null. Electron cannot be started where Chromium's own sandbox
 * cannot work, and Gatehouse never switches that off.
 */
export function whyNoWindow({ platform, env, isRoot, userNamespaces }) {
  if (platform !== 'linux') return null;
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return 'there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)';
  if (isRoot) return "it runs as root, where Chromium's sandbox does not work";
  if (!userNamespaces)
    return "this system forbids user namespaces, which Chromium's sandbox needs (the packaged deb and rpm bring what is needed)";
  return null;
}

/** Whether an earlier failure to fetch Electron is recent enough not to try again: a day, for the same version. */
export function rememberedFailure({ remembered, version, now }) {
  if (remembered?.version !== version || typeof remembered.at !== 'string') return null;
  const age = now - Date.parse(remembered.at);
  if (!(age >= 0 && age < 24 * 60 * 60 * 1000)) return null;
  return `${remembered.reason} (tried ${remembered.at.slice(0, 16).replace('T', ' ')} UTC; --host desktop tries again, as does a start a day later)`;
}

/**
 * The host: {host, why}, or {error} when the person asked for the one that cannot be.
 * `noWindow` and `noElectron` are the reasons against the desktop app, null where there are none.
 */
export function chooseHost({ requested, noWindow, noElectron }) {
  if (requested === 'loopback') return { host: 'loopback', why: 'asked for with --host loopback' };
  const against = noWindow ?? noElectron;
  if (against === null)
    return {
      host: 'desktop',
      why: requested === 'desktop' ? 'asked for with --host desktop' : 'Electron and a display are there',
    };
  if (requested === 'desktop')
    return {
      error: `The desktop app cannot start: ${against}.\nUse --host loopback, which serves the same workspace to a browser on this machine.`,
    };
  return { host: 'loopback', why: against };
}

/** Whether to open the browser: wanted, and there is a screen to open it on. */
export function shouldOpenBrowser({ open, platform, env }) {
  return open && (platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY));
}

/** The program that opens an address in the person's browser. */
export function browserCommand({ platform, url }) {
  if (platform === 'darwin') return { command: 'open', args: [url] };
  if (platform === 'win32') return { command: 'rundll32', args: ['url.dll,FileProtocolHandler', url] };
  return { command: 'xdg-open', args: [url] };
}

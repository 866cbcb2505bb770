/** Variables that the executor process may see. A list of what is let through, so that no key or token ever is. */
const passedOn = [
  ...['HOME', 'LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'],
  // What Windows programs need to start at all.
  ...['APPDATA', 'COMSPEC', 'LOCALAPPDATA', 'PATHEXT', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERNAME', 'USERPROFILE'],
] as const;

/** The scrubbed environment in which a host starts the executor. */
export function launchEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const scrubbed: Record<string, string> = {};
  for (const name of passedOn) {
    const value = env[name];
    if (value !== undefined) scrubbed[name] = value;
  }
  return scrubbed;
}

// Links in what a model wrote: only web addresses are active, and the real host is always known.

export interface WebLink {
  /** The whole address as it will be opened. */
  readonly url: string;
  /** The host that will really be contacted (punycode for look-alike letters). */
  readonly host: string;
}

/** A web address, or null for everything that must stay text: scripts, files, other schemes, relative paths, embedded names. */
export function webLink(address: string | undefined): WebLink | null {
  if (address === undefined) return null;
  const parsed = URL.parse(address);
  if (parsed === null || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) return null;
  if (parsed.host === '') return null;
  return { url: parsed.href, host: parsed.host };
}

/** Whether a link's own text already names the host it goes to, so that it need not be said twice. */
export function textNamesHost(text: string, link: WebLink): boolean {
  const shown = webLink(text.trim()) ?? webLink(`https://${text.trim()}`);
  return shown !== null && shown.host === link.host;
}

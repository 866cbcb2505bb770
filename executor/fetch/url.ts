// Which addresses of the web may be asked at all, whatever they resolve to.

/** Ports of other protocols, whose servers a request could mislead; the list is that of the Fetch standard. */
const badPorts: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** Longest URL that is asked for or handed on, in characters. */
const maxUrlChars = 8_192;

export type CheckedUrl = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly problem: string };

/** Reads a URL, relative to `base` if there is one; the fragment is dropped. `problem` can follow the URL in a sentence. */
export function checkUrl(text: string, base?: URL): CheckedUrl {
  if (text.length > maxUrlChars) return { ok: false, problem: 'is too long for a URL' };
  let url: URL;
  try {
    url = new URL(text, base);
  } catch {
    return { ok: false, problem: 'is not a valid URL' };
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return { ok: false, problem: `is neither http nor https (${url.protocol.slice(0, 40)})` };
  if (url.username !== '' || url.password !== '')
    return { ok: false, problem: 'holds a user name or password, which are not sent' };
  if (url.hostname === '' || /(^\.|\.\.)/.test(url.hostname)) return { ok: false, problem: 'has no usable host name' };
  if (badPorts.has(portOf(url)))
    return { ok: false, problem: `names port ${url.port}, which belongs to another protocol than the web` };
  url.hash = '';
  return { ok: true, url };
}

/** The port that a URL means, stated or not. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** The host as it is connected to: without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

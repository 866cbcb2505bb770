// The URL of a call, as far as it can be judged before anything was asked of the network.

/** Longest URL that is fetched, in characters. */
const maxUrlChars = 8_192;

export type WebUrl = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly problem: string };

/** Reads a URL as a model writes it; the fragment is dropped. `problem` is a sentence for the model. */
export function webUrl(text: string): WebUrl {
  if (text.length > maxUrlChars)
    return { ok: false, problem: `The URL is longer than ${maxUrlChars.toLocaleString('en')} characters.` };
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    return { ok: false, problem: 'This is no complete URL. Give it whole, such as https://example.org/page.' };
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return {
      ok: false,
      problem: `Only http and https are fetched, not ${url.protocol.slice(0, 20)}. For files of this machine use Read.`,
    };
  if (url.username !== '' || url.password !== '')
    return {
      ok: false,
      problem:
        'The URL holds a user name or password, which are not sent. Leave them out, or tell the person that the page needs a login.',
    };
  url.hash = '';
  return { ok: true, url };
}

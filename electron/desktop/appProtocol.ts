// The page's own address, app://gatehouse/, which nothing but the built page can be read from.
import { type Protocol, protocol } from 'electron';
import { pageHeaders, readPage } from '../core/servedPage';

const scheme = 'app';
/** Origin of the page; its messages are accepted from nowhere else. */
export const pageOrigin = `${scheme}://gatehouse`;

/** Makes app:// behave like https as to origins and storage. Must run before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Answers app://gatehouse/ from `folder`. Throws when the page has not been built. */
export function serveApp(target: Pick<Protocol, 'handle'>, folder: string): void {
  const files = readPage(folder);
  // The page talks to the core by messages alone.
  const headers = pageHeaders("'none'");
  target.handle(scheme, async (request) => {
    const url = new URL(request.url);
    const ours = `${url.protocol}//${url.host}` === pageOrigin && request.method === 'GET';
    if (!ours) return new Response('Not here.\n', { status: 403, headers });
    const file = files.get(url.pathname);
    if (file === undefined) return new Response('There is nothing here.\n', { status: 404, headers });
    return new Response(new Uint8Array(file.body), { headers: { ...headers, 'content-type': file.type } });
  });
}

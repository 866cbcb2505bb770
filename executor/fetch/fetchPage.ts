// Fetches one page: every hop is checked anew, connected to the address that was checked, and bounded.
import type { Readable } from 'node:stream';
import type { FetchFailure, FetchResult, OperationOf } from '#shared/api/executor';
import { assertNever } from '#shared/util/assertNever';
import { errnoOf } from '../failure';
import { acceptedEncodings, encodingsOf, readBody, tooLarge } from './body';
import { connectChecked, type Dial } from './connect';
import { contentOf } from './content';
import { imageOf, pdfText } from './documents';
import { FetchStopped } from './failure';
import type { ReadPage } from './readInWorker';
import { checkHost, type Resolve } from './resolve';
import { contentTypeOf, textOf } from './text';
import { checkUrl, hostOf, portOf } from './url';

/** Redirects within one host that are followed. */
const maxRedirects = 5;
const maxHeaderBytes = 65_536;

export interface FetchParts {
  readonly resolve: Resolve;
  readonly dial: Dial;
  readonly readPage: ReadPage;
  /** Certificates to trust instead of the system's. */
  readonly ca?: string;
}

/** Fetches a page. Expected failures are answers; `signal` ends it by throwing its reason. */
export async function fetchPage(
  operation: OperationOf<'web.fetch'>,
  parts: FetchParts,
  signal: AbortSignal,
): Promise<FetchResult> {
  const late = AbortSignal.timeout(operation.timeoutMs);
  const either = AbortSignal.any([signal, late]);
  try {
    const answer = await follow(operation, parts, either);
    if ('kind' in answer) return answer;
    return await shown(answer, { operation, parts, signal });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (late.aborted && !(error instanceof FetchStopped)) {
      const seconds = Math.round(operation.timeoutMs / 1_000);
      return { kind: 'failure', reason: 'timeout', message: `The page did not come within ${seconds} seconds.` };
    }
    return failureOf(error, operation.url);
  }
}

interface Answer {
  readonly url: URL;
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

async function follow(
  operation: OperationOf<'web.fetch'>,
  parts: FetchParts,
  signal: AbortSignal,
): Promise<Answer | Extract<FetchResult, { kind: 'redirect' }>> {
  const first = checkUrl(operation.url);
  if (!first.ok) throw new FetchStopped('badUrl', `${operation.url} ${first.problem}.`);
  let { url } = first;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const { privateAllowed } = operation;
    const host = await checkHost({ host: hostOf(url), privateAllowed, resolve: parts.resolve });
    // Servers on one's own network often have no certificate; everything else is asked in a way that nobody reads along.
    if (!host.isPrivate) url = secured(url);
    const response = await ask(url, { addresses: host.addresses, operation, parts, signal });
    if ('body' in response) return { url, ...response };
    const { status, location } = response;
    const next = checkUrl(location, url);
    if (!next.ok)
      throw new FetchStopped(
        'badRedirect',
        `${url.href} redirects to something that ${next.problem}: ${location.slice(0, 200)}`,
      );
    const target = host.isPrivate ? next.url : secured(next.url);
    const same = target.hostname === url.hostname && (portOf(target) === portOf(url) || isUpgrade(url, target));
    if (!same) return { kind: 'redirect', from: url.href, to: next.url.href, status };
    url = target;
  }
  throw new FetchStopped('badRedirect', `${operation.url} redirects more than ${maxRedirects} times.`);
}

function secured(url: URL): URL {
  if (url.protocol === 'https:') return url;
  const upgraded = new URL(url);
  upgraded.protocol = 'https:';
  return upgraded;
}

function isUpgrade(from: URL, to: URL): boolean {
  return from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === '';
}

type Response = Omit<Answer, 'url'> | { readonly status: number; readonly location: string };

/** One request over a connection of its own. */
async function ask(
  url: URL,
  about: {
    readonly addresses: readonly string[];
    readonly operation: OperationOf<'web.fetch'>;
    readonly parts: FetchParts;
    readonly signal: AbortSignal;
  },
): Promise<Response> {
  const { addresses, operation, parts, signal } = about;
  const { Client } = await import('undici');
  const client = new Client(url.origin, {
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: operation.timeoutMs,
    bodyTimeout: operation.timeoutMs,
    // Whatever it is asked to connect to: only the checked addresses are.
    connect: (_, done) => {
      connectChecked({
        addresses,
        port: portOf(url),
        secureHost: url.protocol === 'https:' ? hostOf(url) : null,
        dial: parts.dial,
        ca: parts.ca,
        signal,
      }).then(
        (socket) => done(null, socket),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), null),
      );
    },
  });
  try {
    const {
      statusCode: status,
      headers,
      body,
    } = await client.request({
      method: 'GET',
      path: `${url.pathname}${url.search}`,
      headers: {
        'user-agent': 'Mozilla/5.0 (compatible; Gatehouse; reading for one person)',
        accept: 'text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.5',
        'accept-language': 'en, *;q=0.5',
        'accept-encoding': acceptedEncodings,
      },
      signal,
    });
    // Whatever becomes of the body, its errors are heard.
    body.on('error', () => undefined);
    const location = headerOf(headers.location);
    if ([301, 302, 303, 307, 308].includes(status) && location !== '') return { status, location };
    const length = Number(headerOf(headers['content-length']));
    if (length > operation.maxBytes) throw tooLarge(operation.maxBytes);
    const source: Readable = body;
    const encodings = encodingsOf(headerOf(headers['content-encoding']));
    return {
      status,
      contentType: headerOf(headers['content-type']),
      body: await readBody(source, { encodings, maxBytes: operation.maxBytes }),
    };
  } finally {
    await client.destroy().catch(() => undefined);
  }
}

function headerOf(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value.join(', ') : value) ?? '';
}

/** The answer as it can be shown. */
async function shown(
  { url, status, contentType, body }: Answer,
  about: { readonly operation: OperationOf<'web.fetch'>; readonly parts: FetchParts; readonly signal: AbortSignal },
): Promise<FetchResult> {
  const { operation, parts, signal } = about;
  const stated = contentTypeOf(contentType);
  const content = await contentOf(body, stated.mediaType);
  const answered = { url: url.href, status, mediaType: content.mediaType, bytes: body.length };
  switch (content.kind) {
    case 'image':
      return await imageOf(body, answered);
    case 'pdf': {
      const text = await pdfText(body, { named: url.href, maxChars: operation.maxChars, signal });
      return { kind: 'text', ...answered, title: '', form: 'plain', text, totalChars: text.length };
    }
    case 'binary':
      return { kind: 'binary', ...answered };
    case 'plain': {
      const text = textOf(body, stated.charset);
      const start = startOf(text, operation.maxChars);
      return { kind: 'text', ...answered, title: '', form: 'plain', text: start, totalChars: text.length };
    }
    case 'html': {
      const page = await parts.readPage({ html: textOf(body, stated.charset), url: url.href, signal });
      const { title, markdown } = page;
      const text = startOf(markdown, operation.maxChars);
      return { kind: 'text', ...answered, title, form: 'markdown', text, totalChars: markdown.length };
    }
    default:
      return assertNever(content, 'kind of content');
  }
}

/** Never half a surrogate pair. */
function startOf(text: string, maxChars: number): string {
  const start = text.slice(0, maxChars);
  return start.length < text.length ? start.replace(/[\ud800-\udbff]$/, '') : start;
}

/** Errors of the connection in words; anything else is a bug and is thrown on. */
function failureOf(error: unknown, asked: string): FetchFailure {
  if (error instanceof FetchStopped) return error.failure;
  const code = errnoOf(error);
  if (code === undefined) throw error;
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|^ERR_TLS/.test(code))
    return {
      kind: 'failure',
      reason: 'certificate',
      message: `The certificate of ${asked} is not to be trusted (${code}).`,
    };
  if (/^(?:EPROTO|ERR_SSL_)/.test(code))
    return { kind: 'failure', reason: 'certificate', message: `${asked} does not speak https as it should (${code}).` };
  if (/^(?:UND_ERR_|HPE_|Z_|ERR__ERROR_|ERR_BROTLI|ERR_|ERR_STREAM)/.test(code))
    return {
      kind: 'failure',
      reason: 'badAnswer',
      message: `${asked} did not answer as a web server should (${code}).`,
    };
  return { kind: 'failure', reason: 'unreachable', message: `${asked} could not be reached (${code}).` };
}

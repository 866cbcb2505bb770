// Who may talk to the loopback server: loopback Host, own Origin, and the cookie and key that a one-time link buys.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Names of this machine that a request may be addressed to; anything else is DNS rebinding or a stray proxy. */
const loopbackHost = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i;

/** The sub-protocol of the message socket; the page's key is offered beside it, as `key.<key>`. */
export const socketProtocol = 'gatehouse';

export class Access {
  private readonly cookieValue = randomBytes(32).toString('base64url');
  private readonly pageKey = randomBytes(32).toString('base64url');
  private token = randomBytes(32).toString('base64url');
  private port = 0;

  /** Cookies of one host are shared by all ports, so the name carries the port. */
  bindPort(port: number): void {
    this.port = port;
  }

  /** The link that opens the page once. */
  link(): string {
    return `http://127.0.0.1:${this.port}/?token=${this.token}`;
  }

  /** True once per link; a new one is made at once. */
  redeem(token: string): boolean {
    if (!same(token, this.token)) return false;
    this.token = randomBytes(32).toString('base64url');
    return true;
  }

  setCookie(): string {
    return `${this.cookieName()}=${this.cookieValue}; HttpOnly; SameSite=Strict; Path=/`;
  }

  /**
   * Where a link leads that was just used up. Browsers send cookies to every port of a host, also to a server that a
   * command of the agent runs; so the page gets a key besides, which it keeps in the storage of its own origin. It stands
   * behind `#`, which no browser sends anywhere.
   */
  landing(): string {
    return `/#key=${this.pageKey}`;
  }

  hasCookie(request: IncomingMessage): boolean {
    const wanted = `${this.cookieName()}=`;
    return (request.headers.cookie ?? '')
      .split(';')
      .map((part) => part.trim())
      .some((part) => part.startsWith(wanted) && same(part.slice(wanted.length), this.cookieValue));
  }

  /** Whether a socket's request offers the page's key among its sub-protocols. */
  hasPageKey(request: IncomingMessage): boolean {
    return (request.headers['sec-websocket-protocol'] ?? '')
      .split(',')
      .some((offered) => same(offered.trim(), `key.${this.pageKey}`));
  }

  /** Host must name this machine; it may carry another port, as through an SSH tunnel. */
  hostAllowed(request: IncomingMessage): boolean {
    return loopbackHost.test(request.headers.host ?? '');
  }

  /** Origin, where a browser sends it, must be the page itself; a socket must send it. */
  originAllowed(request: IncomingMessage, about: { readonly required: boolean }): boolean {
    const { origin, host } = request.headers;
    if (origin === undefined) return !about.required;
    return origin.toLowerCase() === `http://${host ?? ''}`.toLowerCase();
  }

  /** Another page may lead a person here, but neither load parts of this one nor show it inside itself. */
  siteAllowed({ headers }: IncomingMessage): boolean {
    const site = headers['sec-fetch-site'] ?? 'none';
    if (site === 'none' || site === 'same-origin') return true;
    return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  }

  private cookieName(): string {
    return `gatehouse_${this.port}`;
  }
}

function same(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

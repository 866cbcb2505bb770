// Who may talk to the loopback server: loopback Host, own Origin, and the cookie that a one-time link buys.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Names of this machine that a request may be addressed to; anything else is DNS rebinding or a stray proxy. */
const loopbackHost = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i;

export class Access {
  private readonly cookieValue = randomBytes(32).toString('base64url');
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

  hasCookie(request: IncomingMessage): boolean {
    const wanted = `${this.cookieName()}=`;
    return (request.headers.cookie ?? '')
      .split(';')
      .map((part) => part.trim())
      .some((part) => part.startsWith(wanted) && same(part.slice(wanted.length), this.cookieValue));
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

  private cookieName(): string {
    return `gatehouse_${this.port}`;
  }
}

function same(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

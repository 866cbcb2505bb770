// Nothing happens without a grant: a token signed with this process's key, bound to one operation, good once.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { GrantToken, Operation } from '#shared/api/executor';
import { RpcError } from '#shared/rpc/errors';
import { canonicalJson } from '#shared/util/canonicalJson';

/** Tokens live a minute; one that claims to live longer than this was not made by the core. */
const longestLifeMs = 10 * 60_000;

export class Grants {
  private key: Buffer | undefined;
  /** Used nonces until they expire by themselves. */
  private readonly used = new Map<string, number>();
  private readonly now: () => number;

  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  /** Takes the key, once. */
  start(hexKey: string): void {
    if (this.key !== undefined) throw new RpcError('refused', 'The executor has its key already.');
    if (!/^[0-9a-f]{64}$/.test(hexKey)) throw new RpcError('invalid', 'The grant key must be 32 bytes in hex.');
    this.key = Buffer.from(hexKey, 'hex');
  }

  /** Uses a token up. Throws RpcError `refused` when it does not allow this operation now. */
  redeem(token: GrantToken, operation: Operation): void {
    if (this.key === undefined) throw new RpcError('refused', 'The executor has not been started.');
    const { nonce, expiresAt } = token;
    const right = createHmac('sha256', this.key).update(canonicalJson({ nonce, expiresAt, operation })).digest();
    const given = Buffer.from(token.mac, 'hex');
    if (given.length !== right.length || !timingSafeEqual(given, right))
      throw new RpcError('refused', 'The grant is not for this operation.');
    const now = this.now();
    if (expiresAt <= now || expiresAt > now + longestLifeMs) throw new RpcError('refused', 'The grant has expired.');
    if (this.used.has(nonce)) throw new RpcError('refused', 'The grant was used already.');
    for (const [old, until] of this.used) if (until <= now) this.used.delete(old);
    this.used.set(nonce, expiresAt);
  }
}

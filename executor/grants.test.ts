import { expect, test } from 'vitest';
import type { Operation } from '#shared/api/executor';
import { Grants } from './grants';
import { testToken } from './testing/startExecutor';

const key = 'ab'.repeat(32);
const now = 1_700_000_000_000;
const operation: Operation = { op: 'file.stat', path: '/srv/a' };
const good = testToken(key, operation, { expiresAt: now + 30_000 });

function started(): Grants {
  const grants = new Grants(() => now);
  grants.start(key);
  return grants;
}

test('a good token works once', () => {
  const grants = started();
  expect(() => grants.redeem(good, { path: '/srv/a', op: 'file.stat' })).not.toThrow();
  expect(() => grants.redeem(good, operation)).toThrow('used already');
});

test.each([
  { name: 'other path', token: good, other: { ...operation, path: '/srv/b' }, says: 'not for this operation' },
  { name: 'forged mac', token: { ...good, mac: 'ab'.repeat(32) }, other: operation, says: 'not for this operation' },
  { name: 'mac that is no hex', token: { ...good, mac: 'zz' }, other: operation, says: 'not for this operation' },
  { name: 'empty mac', token: { ...good, mac: '' }, other: operation, says: 'not for this operation' },
  {
    name: 'longer life',
    token: { ...good, expiresAt: good.expiresAt + 1 },
    other: operation,
    says: 'not for this operation',
  },
  { name: 'other nonce', token: { ...good, nonce: 'fresh' }, other: operation, says: 'not for this operation' },
  {
    name: 'other key',
    token: testToken('cd'.repeat(32), operation, { expiresAt: now + 1 }),
    other: operation,
    says: 'not for',
  },
  { name: 'expired', token: testToken(key, operation, { expiresAt: now }), other: operation, says: 'expired' },
  {
    name: 'of another age',
    token: testToken(key, operation, { expiresAt: now + 86_400_000 }),
    other: operation,
    says: 'expired',
  },
])('refused: $name', ({ token, other, says }) => {
  const grants = started();
  expect(() => grants.redeem(token, other)).toThrow(says);
  expect(() => grants.redeem(good, operation)).not.toThrow();
});

test('nothing before the start, and only one start', () => {
  const grants = new Grants(() => now);
  expect(() => grants.redeem(good, operation)).toThrow('has not been started');
  expect(() => grants.start('short')).toThrow('32 bytes');
  grants.start(key);
  expect(() => grants.start(key)).toThrow('already');
});

test('a nonce can be forgotten only when its token has expired', () => {
  let time = now;
  const grants = new Grants(() => time);
  grants.start(key);
  grants.redeem(good, operation);
  time = good.expiresAt;
  grants.redeem(testToken(key, operation, { expiresAt: time + 1_000 }), operation);
  expect(() => grants.redeem(good, operation)).toThrow('expired');
});

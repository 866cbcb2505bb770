import { expect, test } from 'vitest';
import type { PermissionMode } from '#shared/permissions/modes';
import { bench } from '../testing/bench';
import { leaveForbiddenMode } from './forbiddenMode';

const withoutBypass = (mode: PermissionMode) =>
  mode === 'bypassPermissions' ? { available: false, reason: 'Not this time.' } : { available: true, reason: '' };

test.each<[PermissionMode, PermissionMode, readonly string[]]>([
  ['bypassPermissions', 'default', ['The session left Bypass mode. Not this time.']],
  ['plan', 'plan', []],
  ['default', 'default', []],
])('a session in %s goes on in %s', (mode, after, notices) => {
  const b = bench({ engine: { modeAvailable: withoutBypass } });
  b.sessions.append(b.sessionId, { type: 'mode.changed', mode });
  for (let opened = 0; opened < 2; opened += 1) leaveForbiddenMode(b.services, b.sessionId);
  const { mode: now, items } = b.sessions.state(b.sessionId);
  expect([now, items.flatMap((item) => (item.kind === 'notice' ? [item.text] : []))]).toEqual([after, notices]);
});

import { expect, test } from 'vitest';
import type { PartVerdict } from '#shared/permissions/decision';
import { decideCase } from '../permissions/caseWorld';
import { mintGrant } from '../permissions/grant';
import { checkCovered, GrantError, mayReachPrivate } from './coverage';

function grantOf(host: string, rule: string | null) {
  const reason =
    rule === null
      ? ({ type: 'mode', mode: 'bypassPermissions' } as const)
      : ({ type: 'rule', rule: { text: rule, behavior: 'allow', source: 'userSettings' } } as const);
  const part: PartVerdict = { text: host, kind: 'host', behavior: 'allow', reason };
  return mintGrant({
    decision: { behavior: 'allow', reason, parts: [part] },
    callId: 'call',
    facts: [{ kind: 'host', host }],
    realPaths: new Map(),
  });
}

test.each([
  // The grant's host, the rule that allowed it, what is fetched, whether private addresses are wanted; covered?
  ['example.org', null, 'https://example.org/a', false, true],
  ['example.org', null, 'https://EXAMPLE.org./a', false, true],
  ['example.org', null, 'https://example.org:8443/', false, true],
  ['example.org', null, 'https://example.org.evil.example/', false, false],
  ['example.org', null, 'https://evil.example/?example.org', false, false],
  ['example.org', null, 'https://www.example.org/', false, false],
  ['example.org', null, 'nonsense', false, false],
  ['example.org', null, 'https://example.org/', true, false],
  ['example.org', 'WebFetch(domain:*)', 'https://example.org/', true, false],
  ['example.org', 'WebFetch', 'https://example.org/', true, false],
  ['example.org', 'WebFetch(domain:*.org)', 'https://example.org/', true, false],
  ['example.org', 'WebFetch(domain:Example.org.)', 'https://example.org/', true, true],
  ['127.0.0.1', 'WebFetch(domain:127.0.0.1)', 'http://127.1:8080/', true, true],
  ['127.0.0.1', 'WebFetch(domain:127.0.0.1)', 'http://127.0.0.2/', true, false],
  ['localhost', null, 'http://localhost/', true, true],
])('a grant for %s by %s covers %s (private %s): %s', async (host, rule, url, privateAllowed, expected) => {
  const operation = { op: 'web.fetch' as const, url, privateAllowed, maxBytes: 1, maxChars: 1, timeoutMs: 1 };
  const grant = grantOf(host, rule);
  const covered = await checkCovered({ grant, operation, realPath: (path) => Promise.resolve(path) }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof GrantError) return false;
      throw error;
    },
  );
  expect(covered).toBe(expected);
});

test('only a rule that names the whole host lets it lie on a private network', () => {
  expect(mayReachPrivate(grantOf('wiki.example', 'WebFetch(domain:wiki.example)'), 'wiki.example')).toBe(true);
  expect(mayReachPrivate(grantOf('wiki.example', 'WebFetch(domain:*.example)'), 'wiki.example')).toBe(false);
  expect(mayReachPrivate(grantOf('wiki.example', 'WebFetch(domain:wiki.example)'), 'other.example')).toBe(false);
});

test.each([
  // Allow rules, mode; may wiki.example lie on a private network?
  [['WebFetch(domain:wiki.example)'], 'default', true],
  [['WebFetch', 'WebFetch(domain:*)', 'WebFetch(domain:*.example)', 'WebFetch(domain:wiki.example)'], 'default', true],
  [['WebFetch(domain:wiki.example)'], 'bypassPermissions', true],
  [['WebFetch', 'WebFetch(domain:*)', 'WebFetch(domain:*.example)'], 'default', false],
  [[], 'bypassPermissions', false],
] as const)('decided by %j in %s mode: %s', (allow, mode, expected) => {
  const url = 'https://wiki.example/a';
  const decision = decideCase({
    rules: { userSettings: { allow: [...allow] } },
    mode,
    workspace: '/ws',
    home: '/home/u',
    tool: 'WebFetch',
    input: { url, prompt: 'x' },
    files: {},
    trusted: true,
    platform: 'linux',
    ignoreCase: false,
    privateFiles: [],
  });
  const facts = [{ kind: 'host' as const, host: 'wiki.example' }];
  const grant = mintGrant({ decision, callId: 'call', facts, realPaths: new Map() });
  expect(mayReachPrivate(grant, 'wiki.example')).toBe(expected);
});

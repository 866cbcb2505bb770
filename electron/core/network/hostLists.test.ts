import { expect, test } from 'vitest';
import type { SandboxEntry } from '#shared/api/sandbox';
import { hostPattern, judgeHost, offeredPatterns } from './hostLists';

const entries = (texts: readonly string[]): SandboxEntry[] =>
  texts.map((text) => ({ text, from: { kind: 'default' } }));
const verdict = (host: string, port: number, allowed: readonly string[], denied: readonly string[] = []): string => {
  const judged = judgeHost({ host, port }, { allowed: entries(allowed), denied: entries(denied) });
  return judged.kind === 'allowed' && judged.named ? 'named' : judged.kind;
};

test.each<[string, number, string[], string[], string]>([
  ['example.com', 443, [], [], 'unlisted'],
  ['example.com', 443, ['example.com'], [], 'named'],
  ['example.com', 22, ['Example.COM.'], [], 'named'],
  ['api.example.com', 443, ['example.com'], [], 'unlisted'],
  ['api.example.com', 443, ['*.example.com'], [], 'allowed'],
  ['a.b.example.com', 443, ['*.example.com'], [], 'allowed'],
  ['example.com', 443, ['*.example.com'], [], 'unlisted'],
  ['badexample.com', 443, ['*.example.com'], [], 'unlisted'],
  ['example.com.evil.example', 443, ['*.example.com', 'example.com'], [], 'unlisted'],
  ['api-1.example.com', 443, ['api-*.example.com'], [], 'allowed'],
  ['api.x.example.com', 443, ['a*.example.com'], [], 'unlisted'],
  ['anything.example', 443, ['*'], [], 'allowed'],
  ['10.0.0.5', 443, ['*'], [], 'allowed'],
  ['api.example.com', 443, ['*.example.com', 'api.example.com'], [], 'named'],
  ['example.com', 8443, ['example.com:8443'], [], 'named'],
  ['example.com', 443, ['example.com:8443'], [], 'unlisted'],
  ['api.example.com', 8443, ['*.example.com:8443'], [], 'allowed'],
  ['xn--bcher-kva.example', 443, ['bücher.example'], [], 'named'],
  ['a.xn--bcher-kva.example', 443, ['*.bücher.example'], [], 'allowed'],
  ['127.0.0.1', 80, ['127.0.0.1'], [], 'named'],
  ['127.0.0.1', 80, ['0x7f.1'], [], 'named'],
  ['127.0.0.1', 80, ['*.0.0.1', '1*7.0.0.1'], [], 'unlisted'],
  ['::1', 80, ['[::1]'], [], 'named'],
  ['::1', 80, ['::1'], [], 'named'],
  ['::1', 80, ['[0:0::1]:80'], [], 'named'],
  ['::1', 81, ['[::1]:80'], [], 'unlisted'],
  ['example.com', 443, ['https://example.com/'], [], 'unlisted'],
  ['example.com', 443, ['user@example.com', 'example.com/path', ' ', '', ':443', '*.'], [], 'unlisted'],
  ['example.com', 443, ['example.com'], ['example.com'], 'denied'],
  ['api.example.com', 443, ['api.example.com'], ['*.example.com'], 'denied'],
  ['api.example.com', 443, ['*'], ['API.example.com.'], 'denied'],
  ['example.com', 443, ['*'], ['example.com:80'], 'named or allowed'],
  ['example.com', 443, ['*'], ['https://example.com/path'], 'denied'],
  ['example.com', 443, ['*'], ['example.com/path'], 'denied'],
  ['example.com', 443, ['*'], ['https://me:secret@example.com:444/'], 'denied'],
  ['example.com', 443, ['example.com'], ['*'], 'denied'],
])('%s:%d with allowed %j and denied %j is %s', (host, port, allowed, denied, wanted) => {
  expect(wanted.split(' or ')).toContain(verdict(host, port, allowed, denied));
});

test.each([
  ['example.com', { host: 'example.com', port: null }],
  ['*.Example.com:443', { host: '*.example.com', port: 443 }],
  ['example.com:0', null],
  ['example.com:70000', null],
  ['exa mple.com', null],
  ['example.com?x', null],
])('the entry %j is %j', (text, pattern) => {
  expect(hostPattern(text)).toEqual(pattern);
});

test.each<[string, number, string[]]>([
  ['registry.npmjs.org', 443, ['registry.npmjs.org', '*.npmjs.org']],
  ['registry.npmjs.org', 8443, ['registry.npmjs.org:8443', 'registry.npmjs.org', '*.npmjs.org']],
  ['npmjs.org', 80, ['npmjs.org']],
  ['shop.co.uk', 443, ['shop.co.uk']],
  ['somebody.github.io', 443, ['somebody.github.io']],
  ['bucket.s3.amazonaws.com', 443, ['bucket.s3.amazonaws.com']],
  ['10.0.0.5', 443, ['10.0.0.5']],
  ['::1', 8080, ['[::1]:8080', '[::1]']],
])('for %s:%d the patterns %j may be saved', (host, port, patterns) => {
  expect(offeredPatterns({ host, port })).toEqual(patterns);
  for (const pattern of patterns.filter((one) => !one.startsWith('*')))
    expect([pattern, verdict(host, port, [pattern])]).toEqual([pattern, 'named']);
});

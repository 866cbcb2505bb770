import { expect, test } from 'vitest';
import { withAllowedDomain } from './saveDomain';

test.each<[string, string | null, string]>([
  [
    'no file',
    null,
    '{\n  "sandbox": {\n    "network": {\n      "allowedDomains": [\n        "example.com"\n      ]\n    }\n  }\n}\n',
  ],
  [
    'a file with other settings',
    '{\n  "model": "m",\n  "sandbox": { "enabled": true }\n}\n',
    '{\n  "model": "m",\n  "sandbox": {\n    "enabled": true,\n    "network": {\n      "allowedDomains": [\n        "example.com"\n      ]\n    }\n  }\n}\n',
  ],
  [
    'a list',
    '{\n  "sandbox": {\n    "network": {\n      "allowedDomains": [\n        "a.example"\n      ]\n    }\n  }\n}\n',
    '{\n  "sandbox": {\n    "network": {\n      "allowedDomains": [\n        "a.example",\n        "example.com"\n      ]\n    }\n  }\n}\n',
  ],
  [
    'a list that has it',
    '{ "sandbox": { "network": { "allowedDomains": ["example.com"] } } }',
    '{ "sandbox": { "network": { "allowedDomains": ["example.com"] } } }',
  ],
])('%s gets the pattern and keeps the rest', (_what, text, wanted) => {
  expect(withAllowedDomain(text, 'example.com')).toEqual({ ok: true, value: wanted });
});

test.each([
  ['{ "sandbox": [] }', /“sandbox”/],
  ['{ "sandbox": { "network": true } }', /“sandbox\.network”/],
  ['{ "sandbox": { "network": { "allowedDomains": "a" } } }', /“sandbox\.network\.allowedDomains”/],
  ['{ "sandbox": ', /not valid JSON/],
])('%s is left as it is', (text, why) => {
  const written = withAllowedDomain(text, 'example.com');
  expect(written).toMatchObject({ ok: false, error: { kind: 'broken', message: expect.stringMatching(why) } });
});

import { describe, expect, test } from 'vitest';
import { textNamesHost, webLink } from './safeLink';

describe('webLink', () => {
  test.each([
    { address: 'https://example.com/a?b=c#d', expected: { url: 'https://example.com/a?b=c#d', host: 'example.com' } },
    { address: 'http://localhost:3000/x', expected: { url: 'http://localhost:3000/x', host: 'localhost:3000' } },
    // Letters that look like others show what they are.
    { address: 'https://раypal.com/', expected: { url: 'https://xn--ypal-43d9g.com/', host: 'xn--ypal-43d9g.com' } },
    {
      address: 'https://github.com@evil.example/x',
      expected: { url: 'https://github.com@evil.example/x', host: 'evil.example' },
    },
    { address: 'javascript:alert(1)', expected: null },
    { address: 'file:///etc/passwd', expected: null },
    { address: 'vscode://open?x', expected: null },
    { address: 'data:text/html,<script>', expected: null },
    { address: 'src/index.ts', expected: null },
    { address: '//example.com/x', expected: null },
    { address: '', expected: null },
    { address: undefined, expected: null },
  ])('$address', ({ address, expected }) => {
    expect(webLink(address)).toEqual(expected);
  });
});

describe('textNamesHost', () => {
  const link = { url: 'https://example.com/a', host: 'example.com' };
  test.each([
    { text: 'https://example.com/a', expected: true },
    { text: 'example.com', expected: true },
    { text: 'the docs', expected: false },
    { text: 'https://other.example', expected: false },
  ])('$text', ({ text, expected }) => {
    expect(textNamesHost(text, link)).toBe(expected);
  });
});

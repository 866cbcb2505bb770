import { expect, test } from 'vitest';
import { hostAndPort, hostName } from './hostName';

test.each<[string, string | null]>([
  ['Example.COM', 'example.com'],
  ['example.com.', 'example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['ＥＸＡＭＰＬＥ.com', 'example.com'],
  ['a_b.example', 'a_b.example'],
  ['127.1', '127.0.0.1'],
  ['0x7f.0.0.1', '127.0.0.1'],
  ['2130706433', '127.0.0.1'],
  ['0177.0.0.1', '127.0.0.1'],
  ['[::1]', '::1'],
  ['::1', '::1'],
  ['0:0:0:0:0:0:0:1', '::1'],
  ['::ffff:127.0.0.1', '::ffff:7f00:1'],
  ['fe80::1%eth0', null],
  ['example.com:80', null],
  ['user@example.com', null],
  ['example.com/x', null],
  ['example.com\\@other.example', null],
  ['exa%6dple.com', null],
  ['example.com#', null],
  ['example.com?', null],
  ['exam ple.com', null],
  ['example.com\0.other', null],
  ['exam\nple.com', null],
  ['example..com', null],
  ['.example.com', null],
  ['-a.example', null],
  ['*.example.com', null],
  ['1.2.3.4.5', null],
  ['256.1.1.1', null],
  ['', null],
  ['.', null],
  [`${'a'.repeat(64)}.example`, null],
  [`${'a.'.repeat(150)}example`, null],
])('the host %j is %j', (text, host) => {
  expect(hostName(text)).toBe(host);
});

test.each([
  ['example.com:443', { host: 'example.com', port: 443 }],
  ['[::1]:80', { host: '::1', port: 80 }],
  ['0x7f.1:80', { host: '127.0.0.1', port: 80 }],
  ['::1:80', null],
  ['example.com', null],
  ['example.com:0', null],
  ['example.com:65536', null],
  ['example.com:+80', null],
  ['example.com:80:90', null],
  ['a@example.com:80', null],
  ['[::1]x:80', null],
])('the place %j is %j', (text, place) => {
  expect(hostAndPort(text)).toEqual(place);
});

import { describe, expect, it } from 'vitest';
import { type AddressClass, addressClass, isLocalHost } from './address';

/** As a URL spells it, so that every odd form is read as a connection would read it. */
const hostOf = (host: string): string => new URL(`http://${host}/`).hostname;

const spellings: readonly (readonly [AddressClass, readonly string[]])[] = [
  [
    'loopback',
    [
      '127.0.0.1',
      '127.0.0.1.',
      '127.1',
      '127.0.1',
      '127.255.255.254',
      '2130706433',
      '017700000001',
      '0x7f000001',
      '0x7f.1',
      '0x7F.0x0.0x0.0x1',
      '0177.0.0.01',
      '%31%32%37.0.0.1',
      '①②⑦.⓪.⓪.①',
      '127。0。0。1',
      '0',
      '0.0.0.0',
      '0x0',
      '[::1]',
      '[0:0:0:0:0:0:0:1]',
      '[0000::0001]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::FFFF:7F00:0001]',
      '[::127.0.0.1]',
      '[::ffff:0:127.0.0.1]',
      '[64:ff9b::127.0.0.1]',
      '[2002:7f00:1::]',
    ],
  ],
  [
    'private',
    [
      '10.0.0.1',
      '10.255.255.255',
      '167772161',
      '012.0.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.0.1',
      '192.168.257',
      '0xc0a80001',
      '100.64.0.1',
      '100.127.255.255',
      '198.18.0.1',
      '198.19.255.255',
      '[::ffff:10.0.0.1]',
      '[64:ff9b::192.168.1.1]',
      '[64:ff9b:1::8.8.8.8]',
      '[2002:c0a8:101::1]',
      '[fc00::1]',
      '[fd12:3456:789a::1]',
      '[fec0::1]',
    ],
  ],
  ['linkLocal', ['169.254.0.1', '169.254.255.255', '[fe80::1]', '[febf::1]', '[::ffff:169.254.1.1]']],
  [
    'metadata',
    [
      '169.254.169.254',
      '2852039166',
      '0xa9fea9fe',
      '0251.0376.0251.0376',
      '169.254.43518',
      '169.254.170.2',
      '100.100.100.200',
      '168.63.129.16',
      '192.0.0.192',
      '[::ffff:169.254.169.254]',
      '[::ffff:a9fe:a9fe]',
      '[64:ff9b::a9fe:a9fe]',
      '[fd00:ec2::254]',
      '[fd20:ce::254]',
    ],
  ],
  [
    'forbidden',
    [
      '0.1.2.3',
      '192.0.0.1',
      '192.0.2.1',
      '192.88.99.1',
      '198.51.100.7',
      '203.0.113.9',
      '224.0.0.1',
      '239.255.255.250',
      '240.0.0.1',
      '255.255.255.255',
      '[ff02::1]',
      '[::ffff:224.0.0.1]',
      '[100::1]',
      '[2001::1]',
      '[2001:2::1]',
      '[2001:db8::1]',
      '[3fff::1]',
      '[4000::1]',
      '[5f00::1]',
      '[1::1]',
    ],
  ],
  [
    'public',
    [
      '1.1.1.1',
      '8.8.8.8',
      '134744072',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
      '128.0.0.0',
      '169.253.255.255',
      '169.255.0.0',
      '172.15.255.255',
      '172.32.0.0',
      '192.167.255.255',
      '192.169.0.0',
      '198.17.255.255',
      '198.20.0.0',
      '223.255.255.255',
      '[2606:4700:4700::1111]',
      '[2a00:1450:4001:81b::200e]',
      '[::ffff:8.8.8.8]',
      '[64:ff9b::8.8.8.8]',
      '[2002:808:808::1]',
    ],
  ],
];

describe.each(spellings)('%s', (kind, hosts) => {
  it.each(hosts)('%s', (host) => {
    expect(addressClass(hostOf(host))).toBe(kind);
    expect(isLocalHost(hostOf(host))).toBe(kind !== 'public');
  });
});

it('takes addresses as resolvers and sockets spell them', () => {
  expect(['::1', 'fe80::1%eth0', '::ffff:127.0.0.1', '2606:4700::1', '1.1.1.1'].map(addressClass)).toEqual([
    'loopback',
    'linkLocal',
    'loopback',
    'public',
    'public',
  ]);
});

it.each([
  'example.org',
  '',
  '1.2.3',
  '1.2.3.4.5',
  '1.2.3.256',
  '01.2.3.4',
  ':::',
  '::1::',
  '1:2:3',
  '1:2:3:4:5:6:7:8:9',
  '12345::',
  '::1.2.3',
  '1.2.3.4::',
])('does not take %j for an address', (text) => {
  expect(addressClass(text)).toBeNull();
});

it.each([
  ['localhost', true],
  ['LOCALHOST.', true],
  ['app.localhost', true],
  ['localhost.localdomain', true],
  ['printer', true],
  ['printer.local', true],
  ['wiki.internal', true],
  ['metadata.google.internal', true],
  ['nas.home.arpa', true],
  ['xn--bcher-kva.example', false],
  ['localhost.example.org', false],
  ['internal.example.org', false],
  ['example.org.', false],
  // Where a name leads is only known once it was resolved.
  ['127.0.0.1.nip.io', false],
])('%s is local: %s', (host, local) => {
  expect(isLocalHost(host)).toBe(local);
});

import { expect, test } from 'vitest';
import { ImageSniffer } from './imageOutput';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x0a, 0x0d, 0x0a, 0x00, 0x10, 0x4a, 0xff, 0xd9]);
const webp = Buffer.concat([Buffer.from('RIFF'), Buffer.from([0x0c, 0, 0, 0]), Buffer.from('WEBPVP8 \n\r\n\n')]);
const dataUrl = (bytes: Buffer, type = 'image/png') => Buffer.from(`data:${type};base64,${bytes.toString('base64')}`);

/** As a terminal passes it on. */
function onTerminal(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
}

function sniff(bytes: Buffer, chunk: number) {
  const sniffer = new ImageSniffer();
  for (let at = 0; at < bytes.length; at += chunk) sniffer.add(bytes.subarray(at, at + chunk));
  return sniffer.end();
}

test.each<[string, Buffer, { mediaType: string; bytes: Buffer } | undefined]>([
  ['PNG', png, { mediaType: 'image/png', bytes: png }],
  ['GIF', gif, { mediaType: 'image/gif', bytes: gif }],
  ['JPEG', jpeg, { mediaType: 'image/jpeg', bytes: jpeg }],
  ['WebP', webp, { mediaType: 'image/webp', bytes: webp }],
  ['PNG and a line end', Buffer.concat([png, Buffer.from('\n')]), { mediaType: 'image/png', bytes: png }],
  ['a data: URL', Buffer.concat([dataUrl(png), Buffer.from('\n')]), { mediaType: 'image/png', bytes: png }],
  [
    'a data: URL in lines',
    Buffer.from(
      dataUrl(png)
        .toString()
        .replace(/(.{40})/g, '$1\n'),
    ),
    { mediaType: 'image/png', bytes: png },
  ],
  ['a data: URL of something else', dataUrl(gif), undefined],
  ['a data: URL with more behind it', Buffer.concat([dataUrl(png), Buffer.from(' and words')]), undefined],
  ['half a PNG', png.subarray(0, 40), undefined],
  ['a PNG and text', Buffer.concat([png, Buffer.from('done\n')]), undefined],
  ['text and a PNG', Buffer.concat([Buffer.from('here: '), png]), undefined],
  ['text', Buffer.from('RIFFRAFF and more'), undefined],
  ['little', Buffer.from('GIF'), undefined],
  ['nothing', Buffer.alloc(0), undefined],
])('%s', (_, bytes, image) => {
  const expected =
    image === undefined ? undefined : { mediaType: image.mediaType, base64: image.bytes.toString('base64') };
  for (const chunk of [1, 5, 10_000]) expect(sniff(onTerminal(bytes), chunk)).toEqual(expected);
});

test('what cannot be an image is not kept', () => {
  const sniffer = new ImageSniffer();
  sniffer.add(Buffer.from('an ordinary line of text\n'));
  expect(sniffer.possible).toBe(false);
  const large = new ImageSniffer();
  large.add(onTerminal(png));
  expect(large.possible).toBe(true);
  for (let index = 0; index < 60; index += 1) large.add(Buffer.alloc(100_000));
  expect(large.possible).toBe(false);
});

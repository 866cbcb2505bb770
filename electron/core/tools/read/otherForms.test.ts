// Images, PDF and notebooks through the real executor; the files are made here, the hostile ones too.
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createDeflate, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { locked, type PdfPage, pdfOf } from '../testing/pdfFile';
import { type Outcome, type RealExecutor, startRealExecutor } from '../testing/realExecutor';
import type { AnyTool } from '../tool';
import { readTool } from './read';

let real: RealExecutor;
beforeAll(async () => {
  real = await startRealExecutor();
}, 60_000);
afterAll(() => real.dispose());

const tool = readTool as AnyTool;
const put = (name: string, content: string | Buffer) => writeFile(join(real.folder, name), content);
const read = (name: string, more: object = {}) => real.call(tool, { file_path: name, ...more });

function texts(outcome: Outcome): string {
  if (outcome.kind !== 'succeeded') return outcome.text;
  return outcome.blocks.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join('\n');
}

/** Format and size of the image in an answer, as a decoder sees it. */
async function imageIn(outcome: Outcome) {
  const block = outcome.kind === 'succeeded' ? outcome.blocks.find((each) => each.type === 'image') : undefined;
  if (block?.type !== 'image') return texts(outcome);
  const bytes = Buffer.from(block.base64, 'base64');
  const { format, width, height } = await sharp(bytes).metadata();
  expect(bytes.length).toBeLessThanOrEqual(3_750_000);
  expect(block.mediaType).toBe(`image/${format}`);
  return { format, width, height };
}

const plain = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: { r: 200, g: 30, b: 30, alpha: 0.5 } } });
const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: 'white', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  });

describe('images', () => {
  it.each([
    ['small.png', () => plain(100, 40).png().toBuffer(), { format: 'png', width: 100, height: 40 }],
    ['small.jpg', () => plain(100, 40).jpeg().toBuffer(), { format: 'jpeg', width: 100, height: 40 }],
    ['small.gif', () => plain(100, 40).gif().toBuffer(), { format: 'gif', width: 100, height: 40 }],
    ['small.webp', () => plain(100, 40).webp().toBuffer(), { format: 'webp', width: 100, height: 40 }],
    ['wide.png', () => plain(4_000, 1_000).png().toBuffer(), { format: 'png', width: 1_568, height: 392 }],
    ['tall.jpg', () => plain(1_000, 3_136).jpeg().toBuffer(), { format: 'jpeg', width: 500, height: 1_568 }],
    ['wide.gif', () => plain(3_136, 100).gif().toBuffer(), { format: 'png', width: 1_568, height: 50 }],
    ['clear.webp', () => plain(3_136, 100, 4).webp().toBuffer(), { format: 'png', width: 1_568, height: 50 }],
    ['noise.png', () => noise(1_600, 1_600).png().toBuffer(), { format: 'jpeg', width: 1_568, height: 1_568 }],
    [
      'turned.jpg',
      () => plain(100, 40).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
      { format: 'jpeg', width: 40, height: 100 },
    ],
    ['named.txt', () => plain(10, 10).png().toBuffer(), { format: 'png', width: 10, height: 10 }],
  ])('%s', async (name, make, expected) => {
    await put(name, await make());
    expect(await imageIn(await read(name))).toEqual(expected);
  });

  it('keeps the bytes of an image that fits, and says when it was made smaller', async () => {
    const bytes = await plain(30, 30).png().toBuffer();
    await put('same.png', bytes);
    expect(await read('same.png')).toMatchObject({
      blocks: [{ type: 'image', mediaType: 'image/png', base64: bytes.toString('base64') }],
    });
    await put('big.png', await plain(3_136, 1_568).png().toBuffer());
    expect(texts(await read('big.png'))).toBe(
      '<image>\n[Shown at 1568 × 784 pixels; the file has 3136 × 1568 pixels (image/png).]',
    );
  });

  it.each<[string, () => Promise<Buffer>, RegExp]>([
    [
      'a header that claims 30,000 × 30,000 pixels',
      () => Promise.resolve(pngOf({ width: 30_000, height: 30_000, data: deflateSync(Buffer.alloc(1_000)) })),
      /30000 × 30000 pixels; at most 100 million pixels are decoded\. Make a smaller copy/,
    ],
    [
      'a picture that unpacks to hundreds of megabytes',
      () => Promise.resolve(pngOf({ width: 50_000, height: 10_000, data: deflateSync(Buffer.alloc(50_001 * 2_000)) })),
      /at most 100 million pixels/,
    ],
    [
      'a picture that is cut off',
      async () => (await noise(200, 200).png().toBuffer()).subarray(0, 5_000),
      /cannot be decoded/,
    ],
    [
      'a JPEG that is cut off',
      async () => (await noise(200, 200).jpeg().toBuffer()).subarray(0, 2_000),
      /cannot be decoded/,
    ],
    [
      'a header and junk',
      () => Promise.resolve(Buffer.concat([pngOf({ width: 9, height: 9, data: Buffer.from('junk') })])),
      /cannot be decoded/,
    ],
  ])('refuses %s', async (_, make, message) => {
    await put('hostile', await make());
    const outcome = await read('hostile');
    expect(outcome.kind).toBe('failed');
    expect(texts(outcome)).toMatch(message);
  });

  it('refuses a huge file by its size alone', async () => {
    await put('huge.png', await plain(10, 10).png().toBuffer());
    await truncate(join(real.folder, 'huge.png'), 200_000_000);
    expect(texts(await read('huge.png'))).toMatch(/has 200\.0 MB; at most 100\.0 MB are opened/);
  });

  it('shows many at once', async () => {
    await put('many.png', await noise(1_700, 1_700).png().toBuffer());
    const all = await Promise.all(Array.from({ length: 6 }, () => read('many.png').then(imageIn)));
    expect(all).toEqual(Array.from({ length: 6 }, () => ({ format: 'jpeg', width: 1_568, height: 1_568 })));
  }, 60_000);
});

describe('PDF', () => {
  const pages = (count: number): PdfPage[] =>
    Array.from({ length: count }, (_, index) => ({ text: `Text ${index + 1}` }));

  it('reads up to ten pages at once, and knows the file as read', async () => {
    await put('two.pdf', pdfOf([{ text: 'Hello' }, { text: '' }]));
    const outcome = await read('two.pdf');
    expect(texts(outcome)).toBe(
      '[Page 1 of 2]\nHello\n\n[Page 2 of 2]\n[No text: the page is empty or a picture, such as a scan. To see it, turn it into an image with a program through Bash (for example pdftoppm) and read that.]',
    );
    expect(outcome).toMatchObject({ note: '2 pages' });
    expect(real.fileStates.get(join(real.folder, 'two.pdf'))).toMatchObject({ whole: true, unit: 'pages' });
  });

  it.each([
    [undefined, /^long\.pdf is a PDF of 30 pages\. Say which to read with `pages`, for example "1-20"/],
    [
      '1-2',
      /^\[Page 1 of 30\]\nText 1\n\n\[Page 2 of 30\]\nText 2\n\n\[PARTIAL: pages 1 to 2 of 30\. Read on with pages "3-22"\.\]$/,
    ],
    ['30', /^\[Page 30 of 30\]\nText 30$/],
    ['29-40', /^\[Page 29 of 30\]\nText 29\n\n\[Page 30 of 30\]\nText 30$/],
    ['31', /The pages asked for are after its end/],
    ['1-21', /expected at most 20 pages/],
  ])('pages %s of 30', async (asked, expected) => {
    await put('long.pdf', pdfOf(pages(30)));
    expect(texts(await read('long.pdf', asked === undefined ? {} : { pages: asked }))).toMatch(expected);
  });

  it('stops where one call has no more room', async () => {
    const text = 'words and more words '.repeat(6_000);
    await put('thick.pdf', pdfOf([{ text }, { text }, { text }, { text: 'end' }]));
    const outcome = await read('thick.pdf');
    expect(texts(outcome)).toMatch(/\[PARTIAL: pages 1 to 2 of 4\. Read on with pages "3-4"\.\]$/);
    expect(real.fileStates.get(join(real.folder, 'thick.pdf'))).toMatchObject({ whole: false, unit: 'pages' });
  });

  it('leaves a page where it has enough, however much there is', async () => {
    await put('many.pdf', pdfOf([{ text: '', packed: manyTexts() }]));
    const outcome = texts(await read('many.pdf'));
    expect(outcome).toMatch(/^\[Page 1 of 1\]\nwords/);
    expect(outcome).toMatch(/\[page cut: it has more text than one call gives\]$/);
    expect(outcome.length).toBeLessThan(300_000);
  }, 30_000);

  it.each<[string, () => Buffer | Promise<Buffer>, RegExp]>([
    ['one that is cut off', () => pdfOf(pages(3)).subarray(0, 200), /could not be read as a PDF/],
    ['a header alone', () => Buffer.from('%PDF-1.7\n'), /could not be read as a PDF/],
    ['one with a password', () => locked(pdfOf(pages(1))), /is protected by a password\. Ask the person/],
    [
      'a page that unpacks to hundreds of megabytes',
      async () => pdfOf([{ text: '', packed: await blanks() }]),
      /could not be read as a PDF: it needs too much memory\./,
    ],
  ])(
    'refuses %s',
    async (_, make, message) => {
      await put('hostile.pdf', await make());
      const outcome = await read('hostile.pdf');
      expect(outcome.kind).toBe('failed');
      expect(texts(outcome)).toMatch(message);
      // The executor lives and reads on.
      await put('after.pdf', pdfOf([{ text: 'still here' }]));
      expect(texts(await read('after.pdf'))).toContain('still here');
    },
    90_000,
  );

  it('takes `pages` for nothing else', async () => {
    await put('plain.txt', 'text');
    expect(texts(await read('plain.txt', { pages: '1' }))).toBe(
      'plain.txt is not a PDF. Leave `pages` out; use offset and limit.',
    );
  });
});

describe('notebooks', () => {
  const cells = [
    { cell_type: 'markdown', id: 'intro', metadata: {}, source: ['# Title\n', 'words'] },
    {
      cell_type: 'code',
      id: 'sum',
      execution_count: 3,
      metadata: {},
      source: '1 + 1',
      outputs: [
        { output_type: 'stream', name: 'stdout', text: ['\u001b[31mred\u001b[0m\n'] },
        { output_type: 'execute_result', data: { 'text/plain': ['2'] } },
        { output_type: 'error', ename: 'E', evalue: 'v', traceback: ['line one', 'line two'] },
        { output_type: 'display_data', data: { 'application/x-unknown': 'x' } },
      ],
    },
  ];
  const notebook = (list: unknown = cells) =>
    JSON.stringify({ cells: list, metadata: { kernelspec: { language: 'python' } }, nbformat: 4, nbformat_minor: 5 });

  it('shows cells with their ids and what they printed', async () => {
    await put('a.ipynb', notebook());
    const outcome = await read('a.ipynb');
    expect(texts(outcome)).toBe(
      [
        'Notebook in python, 2 cells.',
        '',
        '[Cell 1, id intro: markdown]',
        '# Title',
        'words',
        '',
        '[Cell 2, id sum: code, run 3]',
        '1 + 1',
        '[Output of cell 2]',
        'red',
        '2',
        'line one',
        'line two',
        '[not shown: an output of type application/x-unknown]',
      ].join('\n'),
    );
    expect(outcome).toMatchObject({ note: '2 cells' });
    expect(real.fileStates.get(join(real.folder, 'a.ipynb'))).toMatchObject({ whole: true, unit: 'cells' });
  });

  it('shows images among the text, and says what is wrong with others', async () => {
    const png = (await plain(2_000, 100).png().toBuffer()).toString('base64');
    const display = (data: string) => ({
      output_type: 'display_data',
      data: { 'image/png': data, 'text/plain': 'fig' },
    });
    const code = { cell_type: 'code', metadata: {}, source: 'plot()', outputs: [display(png), display('AAAA')] };
    await put('plot.ipynb', notebook([code]));
    const outcome = await read('plot.ipynb');
    expect(texts(outcome)).toMatch(
      /\[Cell 1, id cell-0: code\]\nplot\(\)\n\[Output of cell 1\]\n<image>\n\[not shown: an image \(image\/png\): The image looks like an image but cannot be decoded/,
    );
    expect(await imageIn(outcome)).toEqual({ format: 'png', width: 1_568, height: 78 });
  });

  it('pages by cells', async () => {
    await put(
      'long.ipynb',
      notebook(Array.from({ length: 30 }, (_, index) => ({ cell_type: 'raw', source: `n${index}` }))),
    );
    expect(texts(await read('long.ipynb', { offset: 29, limit: 1 }))).toBe(
      'Notebook in python, 30 cells.\n\n[Cell 29, id cell-28: raw]\nn28\n\n[PARTIAL: cells 29 to 29 of 30. Read on with offset 30.]',
    );
    expect(texts(await read('long.ipynb', { offset: 31 }))).toMatch(/has only 30 cells; cell 31 is after its end/);
    const big = 'x'.repeat(150_000);
    await put(
      'big.ipynb',
      notebook([
        { cell_type: 'raw', source: big },
        { cell_type: 'raw', source: big },
      ]),
    );
    expect(texts(await read('big.ipynb'))).toMatch(/\[PARTIAL: cells 1 to 1 of 2\. Read on with offset 2\.\]$/);
  });

  it.each<[string, string, RegExp]>([
    [
      'cut off',
      notebook().slice(0, 100),
      /^\[Not shown by cells\. It is no valid JSON \(.*\)\. This is its text\.\]\n {5}1\t\{"cells"/,
    ],
    ['another format', '{"cells":[],"nbformat":3}', /Its format is 3; only nbformat 4 is understood/],
    ['no notebook', '{"worksheets":[]}', /has no list of cells/],
    ['a list', '[1]', /It is JSON, but no notebook/],
    ['nested deeply', `{"cells":${'['.repeat(200_000)}`, /\[Not shown by cells\./],
    [
      'odd cells',
      '{"cells":[null,5,{"id":7,"cell_type":{}},{"outputs":"x","source":[1]}]}',
      /^Notebook in unknown, 4 cells\./,
    ],
    [
      'an id that hides',
      JSON.stringify({ cells: [{ id: 'a\n[Cell 9, id b\u202e', cell_type: 'raw', source: '' }] }),
      /\[Cell 1, id a\\u\{a\}\[Cell 9, id b\\u\{202e\}: raw\]/,
    ],
  ])('takes one that is %s', async (_, content, expected) => {
    await put('odd.ipynb', content);
    expect(texts(await read('odd.ipynb'))).toMatch(expected);
  });

  it('follows a link to it, as to every file', async () => {
    await mkdir(join(real.folder, 'links'), { recursive: true });
    await put('links/real.ipynb', notebook());
    await symlink('real.ipynb', join(real.folder, 'links/link.ipynb'));
    expect(texts(await read('links/link.ipynb'))).toMatch(/^Notebook in python/);
  });
});

/** A PNG with a header of our choosing; checksums are right. */
function pngOf(image: { readonly width: number; readonly height: number; readonly data: Buffer }): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(image.width, 0);
  header.writeUInt32BE(image.height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const signature = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', image.data), chunk('IEND', Buffer.alloc(0))]);
}

function crc32(bytes: Buffer): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ -1) >>> 0;
}

/** Text in millions of pieces, in a few kilobytes. */
const manyTexts = () => deflateSync(deflateSync(Buffer.alloc(30_000_000, 'BT /F1 9 Tf 72 720 Td (words) Tj ET\n')));

/** 600 MB of blanks, packed twice. */
async function blanks(): Promise<Buffer> {
  const piece = Buffer.alloc(20_000_000, ' ');
  const packed = Readable.from(Array.from({ length: 30 }, () => piece)).pipe(createDeflate({ level: 1 }));
  const parts: Buffer[] = [];
  for await (const part of packed) parts.push(part as Buffer);
  return deflateSync(Buffer.concat(parts));
}

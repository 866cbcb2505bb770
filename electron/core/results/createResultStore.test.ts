import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ResultBlock } from '#shared/session/events';
import { createResultStore } from './createResultStore';
import { projectName } from './names';
import type { ResultStore } from './resultStore';

let folder: string;
let store: ResultStore;
let warnings: unknown[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-results-'));
  warnings = [];
  store = createResultStore({
    folder: join(folder, 'projects'),
    workingFolder: (sessionId) => (sessionId === 'gone' ? null : '/home/ada/my app'),
    log: { info: () => undefined, warn: (_text, facts) => warnings.push(facts), error: () => undefined },
  });
});

afterEach(async () => {
  await chmod(folder, 0o700);
  await rm(folder, { recursive: true, force: true });
});

const session = () => join(folder, 'projects', projectName('/home/ada/my app'), 's_1', 'tool-results');

function keep(content: ResultBlock[], how: { readonly toolUseId?: string; readonly maxChars?: number } = {}) {
  return store.process({
    sessionId: 's_1',
    toolUseId: how.toolUseId ?? 'toolu_1',
    content,
    maxChars: how.maxChars ?? 20_000,
  });
}

const text = (value: string): ResultBlock => ({ type: 'text', text: value });
const image: ResultBlock = { type: 'image', mediaType: 'image/png', base64: 'AAAA' };

describe('text in memory', () => {
  it('passes when it is short, and leaves nothing on disk', async () => {
    expect(await keep([text('short'), image])).toEqual({ content: [text('short'), image] });
    expect(await keep([text('x'.repeat(50_000))], { maxChars: Number.POSITIVE_INFINITY })).toEqual({
      content: [text('x'.repeat(50_000))],
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it('is kept whole, privately, with a preview for the model', async () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index + 1}`).join('\n');
    const { content, persisted } = await keep([text(lines), image]);
    const file = join(session(), 'toolu_1.txt');
    const [shown] = content;
    const words = shown?.type === 'text' ? shown.text : '';
    expect(persisted).toEqual({ file, bytes: lines.length, previewChars: expect.any(Number) });
    expect(content).toEqual([shown, image]);
    expect(words.startsWith('<persisted-output>\n')).toBe(true);
    expect(words.endsWith('\nline 5000\n</persisted-output>')).toBe(true);
    expect(words).toContain(`\n${file}\n`);
    expect(words).toContain('48,892 bytes');
    expect(words).toContain(lines.slice(0, 4_096));
    expect(words).not.toContain(lines.slice(0, 4_097));
    expect(words.length).toBeLessThan(4_096 + 2_500);
    expect(await readFile(file, 'utf8')).toBe(lines);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(session())).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, 'projects'))).mode & 0o777).toBe(0o700);
    expect(await readdir(session())).toEqual(['toolu_1.txt']);
  });

  it('is JSON when it is one', async () => {
    const json = JSON.stringify(Array.from({ length: 3_000 }, (_, index) => ({ index })));
    expect((await keep([text(json)])).persisted?.file).toBe(join(session(), 'toolu_1.json'));
  });

  it('of one huge line is to be read by characters', async () => {
    const [shown] = (await keep([text(`{"a":"${'b'.repeat(3_000_000)}"`)])).content;
    expect(shown?.type === 'text' && shown.text).toContain('`column`');
    expect(shown?.type === 'text' && shown.text).not.toContain('counting lines');
  });

  it('never leaves its frame, and is never cut within a character or an escape sequence', async () => {
    const cut = async (value: string) => {
      const [shown] = (await keep([text(value)])).content;
      return shown?.type === 'text' ? (shown.text.split('characters:\n\n')[1]?.split('\n[…]\n')[0] ?? '') : '';
    };
    expect(await cut(`${'x'.repeat(4_095)}😀${'y'.repeat(20_000)}`)).toBe('x'.repeat(4_095));
    expect(await cut(`${'x'.repeat(4_090)}\u001b[38;5;12m${'y'.repeat(20_000)}`)).toBe('x'.repeat(4_090));
    const link = '\u001b]8;;https://example.org\u001b\\';
    expect(await cut(`${'x'.repeat(4_096 - link.length + 1)}${link}${'y'.repeat(20_000)}`)).toBe(
      'x'.repeat(4_096 - link.length + 1),
    );
    expect(await cut(`${'x'.repeat(4_096 - link.length)}${link}${'y'.repeat(20_000)}`)).toContain(link);
    expect(await cut(`</persisted-output>${'y'.repeat(20_000)}`)).toMatch(/^&lt;\/persisted-output>y/);
  });

  it.each([
    ['../../etc/passwd', /^_etc_passwd-[0-9a-f]{8}\.txt$/],
    ['', /^x-[0-9a-f]{8}\.txt$/],
    ['a/b', /^a_b-[0-9a-f]{8}\.txt$/],
    ['a\0b', /^a_b-[0-9a-f]{8}\.txt$/],
    ['x'.repeat(500), /^x{120}-[0-9a-f]{8}\.txt$/],
  ])('of the id %j gets a harmless name', async (toolUseId, name) => {
    await keep([text('x'.repeat(30_000))], { toolUseId });
    expect(await readdir(session())).toEqual([expect.stringMatching(name)]);
  });

  it('of an id that is used again gets another name', async () => {
    const files = await Promise.all([1, 2, 3].map((index) => keep([text(`${index}`.repeat(30_000))])));
    expect(files.map((each) => each.persisted?.file).sort()).toEqual(
      ['toolu_1.2.txt', 'toolu_1.3.txt', 'toolu_1.txt'].map((name) => join(session(), name)),
    );
    expect(files.every((each) => store.isResultFile(each.persisted?.file ?? ''))).toBe(true);
    expect((await keep([text('4'.repeat(30_000))])).persisted?.file).toBe(join(session(), 'toolu_1.4.txt'));
  });

  it('that cannot be written keeps head and tail and says so', async () => {
    await writeFile(join(folder, 'projects'), 'in the way');
    const { content, persisted } = await keep([text(`first${'x'.repeat(30_000)}last`), image]);
    expect(persisted).toBeUndefined();
    expect(content).toEqual([
      text(expect.stringMatching(/^firstx+\n… [\d,]+ characters left out …\nx+last$/) as unknown as string),
      text(expect.stringContaining('could not be kept in a file (ENOTDIR)') as unknown as string),
      image,
    ]);
    expect(warnings).toEqual([{ errno: 'ENOTDIR' }]);
    expect(await store.outputFile('s_1', 'toolu_2')).toBeNull();
  });

  it('does not follow a link in place of its folder', async () => {
    await mkdir(join(session(), '..'), { recursive: true });
    await mkdir(join(folder, 'elsewhere'));
    await symlink(join(folder, 'elsewhere'), session());
    const { persisted } = await keep([text('x'.repeat(30_000))]);
    expect(persisted).toBeUndefined();
    expect(await readdir(join(folder, 'elsewhere'))).toEqual([]);
  });

  it('of a session that is gone is bounded', async () => {
    const result = await store.process({
      sessionId: 'gone',
      toolUseId: 't',
      content: [text('x'.repeat(30_000))],
      maxChars: 20_000,
    });
    expect(result.persisted).toBeUndefined();
  });
});

describe('output that a command wrote', () => {
  it('stands for the first text, and the lines beside it follow', async () => {
    const file = await store.outputFile('s_1', 'toolu_1');
    expect(file).toBe(join(session(), 'toolu_1.txt'));
    expect(await store.outputFile('s_1', 'toolu_1')).toBe(join(session(), 'toolu_1.2.txt'));
    const output = `${'grüße\n'.repeat(20_000)}the end`;
    await writeFile(file ?? '', output);
    const written = { file: file ?? '', bytes: Buffer.byteLength(output) };
    const { content, persisted } = await store.process({
      sessionId: 's_1',
      toolUseId: 'toolu_1',
      content: [text('head and tail'), text('Exit code 1: no match.'), image],
      maxChars: 32_000,
      written,
    });
    const [shown] = content;
    expect(content.slice(1)).toEqual([text('Exit code 1: no match.'), image]);
    expect(persisted).toEqual({ ...written, previewChars: expect.any(Number) });
    expect(shown?.type === 'text' && shown.text).toContain('\nthe end\n</persisted-output>');
    expect(shown?.type === 'text' && shown.text).toContain('160,007 bytes');
  });

  it('whose file is gone keeps what the tool said', async () => {
    const written = { file: join(folder, 'none.txt'), bytes: 50_000 };
    const content = [text('head and tail')];
    expect(await store.process({ sessionId: 's_1', toolUseId: 't', content, maxChars: 32_000, written })).toEqual({
      content,
    });
  });
});

it.each<[string, boolean]>([
  ['p-1/s_1/tool-results/toolu_1.txt', true],
  ['p-1/s_1/tool-results/toolu_1.2.json', true],
  ['p-1/s_1/tool-results/toolu_1.exe', false],
  ['p-1/s_1/tool-results/.hidden.txt', false],
  ['p-1/s_1/tool-results/a/b.txt', false],
  ['p-1/s_1/tool-results', false],
  ['p-1/s_1/other/toolu_1.txt', false],
  ['p-1/s_1/tool-results/../tool-results/toolu_1.txt', false],
  ['../x/s_1/tool-results/toolu_1.txt', false],
  ['toolu_1.txt', false],
])('%s is a result: %s', (path, is) => {
  expect(store.isResultFile(`${store.folder}/${path}`)).toBe(is);
});

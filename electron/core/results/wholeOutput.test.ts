// From the command to the model: everything on disk, a preview for the model, and Read goes on from there.
import { readdirSync, readFileSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBashTool } from '../tools/bash/bash';
import { readTool } from '../tools/read/read';
import { type RealExecutor, startRealExecutor } from '../tools/testing/realExecutor';

let executor: RealExecutor;
const bash = createBashTool({ isReadOnlyCommand: () => false });

beforeAll(async () => {
  executor = await startRealExecutor();
}, 60_000);
afterAll(() => executor.dispose());

async function run(command: string) {
  const outcome = await executor.call(bash, { command });
  if (outcome.kind !== 'succeeded') throw new Error(outcome.text);
  return outcome;
}

async function say(command: string): Promise<string> {
  const { blocks } = await run(command);
  return blocks
    .map((block) => (block.type === 'image' ? `[${block.mediaType}]` : 'text' in block ? block.text : ''))
    .join('\n');
}

/** Characters between the words about the preview and the rest. */
const previewOf = (text: string) => text.split('characters:\n\n')[1]?.split('\n[…]\n')[0] ?? '';

describe('a command that prints much', () => {
  it.each([
    ['one-letter lines', 'yes | head -c 50000000', 50_000_000],
    ['one line', "head -c 50000000 /dev/zero | tr '\\0' x", 50_000_000],
  ])(
    'leaves every byte of %s on disk and the model a preview',
    async (_, command, bytes) => {
      const { blocks, persisted } = await run(command);
      const [block] = blocks;
      const text = block?.type === 'text' ? block.text : '';
      expect(persisted?.bytes).toBe(bytes);
      expect((await stat(persisted?.file ?? '')).size).toBe(bytes);
      expect(previewOf(text).length).toBe(4_096);
      expect(Buffer.byteLength(text) - 4_096).toBeLessThanOrEqual(2_500);
      const start = (await readFile(persisted?.file ?? '')).subarray(0, 4_096).toString();
      expect(previewOf(text)).toBe(start);
    },
    60_000,
  );

  it('leaves exactly its lines, in order', async () => {
    const { persisted } = await run('seq 1 700000');
    const expected = Array.from({ length: 700_000 }, (_, index) => `${index + 1}\n`).join('');
    expect((await readFile(persisted?.file ?? '', 'utf8')) === expected).toBe(true);
  }, 60_000);

  it('leaves nothing behind when it is little', async () => {
    const before = readdirSync(executor.results.sessionFolder(executor.sessionId) ?? '');
    await run('seq 1 3000');
    expect(readdirSync(executor.results.sessionFolder(executor.sessionId) ?? '')).toEqual(before);
  });

  it('can be read on from any line', async () => {
    const { persisted } = await run('seq 1 500000');
    const page = await executor.call(readTool, { file_path: persisted?.file, offset: 400_000, limit: 2 });
    const [block] = page.kind === 'succeeded' ? page.blocks : [];
    expect(block?.type === 'text' && block.text).toContain('400000\t400000\n400001\t400001');
  });
});

describe('output that is no plain text', () => {
  it('redraws are collapsed, escapes gone', async () => {
    const command = "for i in $(seq 1 100); do printf '\\r\\033[2KStep %d%%' $i; done; echo; echo done";
    expect(await say(command)).toBe('Step 100%\ndone');
  });

  it('raw bytes become valid text, which is told', async () => {
    const text = await say("head -c 2000 /dev/urandom; printf 'a\\0b legible'");
    expect(text).toContain('b legible');
    expect(text).not.toContain('\0');
    expect(Buffer.from(text).toString()).toBe(text);
    expect(text).toMatch(/held [\d,]+ bytes that are not text/);
  });

  it('characters are whole, however they come', async () => {
    expect(await say("for i in $(seq 1 50); do printf '€%.0s' $(seq 1 100); done")).toBe('€'.repeat(5_000));
    expect(await say("printf '\\xf0\\x9f'; sleep 0.05; printf '\\x98\\x80 \\xef\\xbf\\xbd'")).toBe('😀 \uFFFD');
  });

  it('a picture is a picture', async () => {
    const png = readFileSync(new URL('../../../build/icons/icon.png', import.meta.url));
    await writeFile(join(executor.folder, 'a.png'), png);
    for (const command of ['cat a.png', 'printf "data:image/png;base64,"; base64 a.png']) {
      const { blocks } = await run(command);
      expect(blocks.filter((block) => block.type === 'image')).toEqual([
        { type: 'image', mediaType: 'image/png', base64: png.toString('base64') },
      ]);
    }
  });
});

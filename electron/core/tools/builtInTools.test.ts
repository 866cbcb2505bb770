// The tools as the model uses them, through the real executor and the real disk.
import { mkdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInTools } from './builtInTools';
import { createRegistry } from './registry';
import { type Outcome, type RealExecutor, startRealExecutor } from './testing/realExecutor';
import type { AnyTool } from './tool';

let real: RealExecutor;
const registry = createRegistry({ tools: builtInTools() });

beforeAll(async () => {
  real = await startRealExecutor();
}, 60_000);
afterAll(() => real.dispose());

function tool(name: string): AnyTool {
  const found = registry.find(name);
  if (!found.found) throw new Error(found.message);
  return found.tool;
}

const call = (name: string, input: unknown): Promise<Outcome> => real.call(tool(name), input);

/** The text that the model gets, or why the call did not succeed. */
async function say(name: string, input: unknown): Promise<string> {
  return textOf(await call(name, input));
}

function textOf(outcome: Outcome): string {
  if (outcome.kind !== 'succeeded') return `${outcome.kind}: ${outcome.text}`;
  return outcome.blocks
    .map((block) => (block.type === 'image' ? `[${block.mediaType}]` : 'text' in block ? block.text : ''))
    .join('');
}

const at = (path: string): string => join(real.folder, path);

async function put(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(at(path)), { recursive: true });
  await writeFile(at(path), content);
}

describe('a small piece of work', () => {
  it('reads, edits twice, writes, searches and runs', async () => {
    await put('work/a.js', 'const foo = 1;\nconsole.log(foo);\n');
    expect(await say('Read', { file_path: 'work/a.js' })).toBe('     1\tconst foo = 1;\n     2\tconsole.log(foo);');
    const edit = { file_path: 'work/a.js', old_string: 'foo', new_string: 'bar', replace_all: 'true' };
    expect(await call('Edit', edit)).toMatchObject({
      kind: 'succeeded',
      blocks: [{ type: 'text', text: 'Edited work/a.js: 2 replacements, +2 −2 lines.' }],
      view: { kind: 'diff', path: 'work/a.js', added: 2, removed: 2, truncated: false },
      note: '+2 −2',
    });
    expect(await say('Edit', { file_path: 'work/a.js', old_string: '= 1', new_string: '= 2' })).toBe(
      'Edited work/a.js: 1 replacement, +1 −1 lines.',
    );
    expect(await say('Write', { file_path: 'work/deep/b.js', content: 'import "../a.js";\n' })).toBe(
      'Created work/deep/b.js with 1 line.',
    );
    expect(await say('Grep', { pattern: 'bar', path: 'work', output_mode: 'content' })).toBe(
      '[Paths start from work.]\na.js:1:const bar = 2;\na.js:2:console.log(bar);',
    );
    expect(await say('Bash', { command: 'cd work && node a.js' })).toBe('2');
    expect(await say('Bash', { command: 'cd .. && ls -d work' })).toBe('work');
  });
});

describe('Read', () => {
  it('pages through a file; pages that cover it count as reading it', async () => {
    await put('pages.txt', 'one\ntwo\nthree\n');
    const replace = { file_path: 'pages.txt', old_string: 'two', new_string: 'TWO' };
    expect(await say('Read', { file_path: 'pages.txt', limit: '2' })).toBe(
      '     1\tone\n     2\ttwo\n\n[PARTIAL: lines 1 to 2 of 3. Read on with offset 3, or look for what you need with Grep.]',
    );
    expect(await say('Edit', replace)).toMatch(/^rejected: You have read only a part of pages.txt \(lines 1–2\)/);
    expect(await say('Read', { file_path: 'pages.txt', offset: 3 })).toBe('     3\tthree');
    expect(await say('Edit', replace)).toBe('Edited pages.txt: 1 replacement, +1 −1 lines.');
  });

  it('cuts a page at 256 KB between lines and goes on without a gap', async () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => `${index + 1} ${'x'.repeat(500)}`);
    await put('wide.txt', `${lines.join('\n')}\n`);
    const first = await say('Read', { file_path: 'wide.txt' });
    const next = Number(/Read on with offset (\d+)/.exec(first)?.[1]);
    const second = await say('Read', { file_path: 'wide.txt', offset: next });
    const numbers = [first, second].flatMap((page) => [...page.matchAll(/^ *(\d+)\t(\d+) x{500}$/gm)]);
    expect(numbers.map(([, number, text]) => [number, text])).toEqual(
      lines.map((_, index) => [String(index + 1), String(index + 1)]),
    );
    expect(first.length).toBeLessThan(300_000);
  });

  it('shows the start of a line of 3 MB', async () => {
    await put('line.json', `{"a":"${'x'.repeat(3_000_000)}"}`);
    const text = await say('Read', { file_path: 'line.json' });
    expect(text.slice(0, 20)).toBe('     1\t{"a":"xxxxxxx');
    expect(text.slice(2_000)).toMatch(
      /x \[line cut: more than 262,144 characters; read on with offset 1 and column 2001\]$/,
    );
    let read = text.slice(7, 2_007);
    for (let pages = 0; pages < 200; pages += 1) {
      const page = await say('Read', { file_path: 'line.json', offset: 1, column: read.length + 1 });
      const [piece = '', notice = ''] = page.split('\n\n[');
      read += piece;
      if (!notice.startsWith('PARTIAL')) break;
    }
    expect(read === `{"a":"${'x'.repeat(3_000_000)}"}`).toBe(true);
  });

  it('gives images as images, refuses what is binary, and knows empty and missing files', async () => {
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await put('pixel', Buffer.from(pixel, 'base64'));
    await put('large.png', Buffer.concat([Buffer.from(pixel, 'base64'), Buffer.alloc(1_000_000)]));
    await put('data.bin', Buffer.from([0, 1, 2, 3, 255, 254, 0, 9]));
    await put('empty.txt', '');
    await put('near/name.tsx', 'x');
    expect(await say('Read', { file_path: 'pixel' })).toBe('[image/png]');
    expect(await say('Read', { file_path: 'large.png' })).toBe('[image/png]');
    expect(await say('Read', { file_path: 'data.bin' })).toMatch(/^failed: data\.bin is a binary file \(.*, 8 bytes\)/);
    expect(await say('Read', { file_path: 'empty.txt' })).toBe('empty.txt exists but is empty.');
    expect(await say('Read', { file_path: 'near/name.ts' })).toMatch(/^failed: .* Did you mean near\/name\.tsx\?$/);
    expect(await say('Read', { file_path: 'near' })).toMatch(/^failed: .* is a folder/);
    expect(await say('Read', { file_path: 'empty.txt', offset: 5 })).toBe('empty.txt exists but is empty.');
    expect(await say('Read', { file_path: 'near/name.tsx', offset: 5 })).toMatch(/^failed: .* has only 1 line/);
  });
});

describe('Edit', () => {
  it('keeps CRLF and BOM', async () => {
    await put('crlf.txt', '\uFEFFa\r\nb\r\nc\r\n');
    expect(await say('Read', { file_path: 'crlf.txt' })).toBe('     1\ta\n     2\tb\n     3\tc');
    expect(await say('Edit', { file_path: 'crlf.txt', old_string: 'a\nb', new_string: 'a\nB' })).toMatch(/^Edited/);
    expect(await readFile(at('crlf.txt'), 'utf8')).toBe('\uFEFFa\r\nB\r\nc\r\n');
  });

  it('compares content, not time: a touched file is edited, a changed one is not, and loses nothing', async () => {
    await put('time.txt', 'old text\n');
    await say('Read', { file_path: 'time.txt' });
    await utimes(at('time.txt'), new Date(), new Date());
    expect(await say('Edit', { file_path: 'time.txt', old_string: 'old', new_string: 'new' })).toMatch(/^Edited/);
    await put('time.txt', 'new text of somebody else\n');
    expect(await say('Edit', { file_path: 'time.txt', old_string: 'new', new_string: 'newer' })).toMatch(
      /^rejected: time\.txt has changed on disk since you read it/,
    );
    expect(await readFile(at('time.txt'), 'utf8')).toBe('new text of somebody else\n');
  });

  it('notices a change between the ask and the write', async () => {
    await put('race.txt', 'one\n');
    await say('Read', { file_path: 'race.txt' });
    const input = { file_path: 'race.txt', old_string: 'one', new_string: 'two' };
    const outcome = await real.callWith(tool('Edit'), input, () => put('race.txt', 'one of somebody else\n'));
    expect(textOf(outcome)).toMatch(/^failed: .*was changed by something else/);
    expect(await readFile(at('race.txt'), 'utf8')).toBe('one of somebody else\n');
  });

  it('writes nothing where the text is missing or not unique, and says so before anybody is asked', async () => {
    await put('twice.txt', 'same\nsame\n');
    await say('Read', { file_path: 'twice.txt' });
    const edit = (old_string: string) => say('Edit', { file_path: 'twice.txt', old_string, new_string: 'x' });
    expect(await edit('same')).toMatch(/^rejected: .*stands 2 times .*replace_all/);
    expect(await edit('other')).toMatch(/^rejected: .*was not found/);
    expect(await readFile(at('twice.txt'), 'utf8')).toBe('same\nsame\n');
  });

  it('refuses links and names their target', async () => {
    await put('target.txt', 'text\n');
    await symlink(at('target.txt'), at('link.txt'));
    await say('Read', { file_path: 'link.txt' });
    const edit = { file_path: 'link.txt', old_string: 'text', new_string: 'x' };
    expect(await say('Edit', edit)).toMatch(/^rejected: link\.txt is a link to .*target\.txt\./);
    expect(await say('Write', { file_path: 'link.txt', content: 'x' })).toMatch(/^rejected: link\.txt is a link/);
    expect(await readFile(at('target.txt'), 'utf8')).toBe('text\n');
  });
});

describe('Write', () => {
  it('replaces only what was read, keeps the mode, and makes a deleted file anew', async () => {
    await put('tool.sh', 'old\n');
    await real.call(tool('Bash'), { command: 'chmod 750 tool.sh' });
    expect(await say('Write', { file_path: 'tool.sh', content: 'new\n' })).toMatch(
      /^rejected: You have not read tool\.sh/,
    );
    await say('Read', { file_path: 'tool.sh' });
    expect(await say('Write', { file_path: 'tool.sh', content: 'new\n' })).toBe(
      'Replaced the content of tool.sh: +1 −1 lines.',
    );
    expect((await stat(at('tool.sh'))).mode & 0o777).toBe(0o750);
    await real.call(tool('Bash'), { command: 'rm tool.sh' });
    expect(await say('Write', { file_path: 'tool.sh', content: 'again\n' })).toBe('Created tool.sh with 1 line.');
  });

  it('does not overwrite a file that appears between the ask and the write', async () => {
    const input = { file_path: 'fresh.txt', content: 'mine\n' };
    const outcome = await real.callWith(tool('Write'), input, () => put('fresh.txt', 'theirs\n'));
    expect(textOf(outcome)).toMatch(/^failed: .*exists already/);
    expect(await readFile(at('fresh.txt'), 'utf8')).toBe('theirs\n');
  });
});

describe('Glob and Grep', () => {
  it('finds by name, newest first, from a pattern that names its own place too', async () => {
    await put('find/old.ts', 'needle\n');
    await put('find/sub/new.ts', 'needle needle\n');
    await utimes(at('find/old.ts'), 1_000, 1_000);
    expect(await say('Glob', { pattern: '**/*.ts', path: 'find' })).toBe('find/sub/new.ts\nfind/old.ts');
    expect(await say('Glob', { pattern: at('find/*.ts') })).toBe('find/old.ts');
    expect(await say('Glob', { pattern: './*', path: 'find' })).toBe('find/old.ts');
    expect(await say('Glob', { pattern: '*.ts', path: 'find' })).toBe('find/sub/new.ts\nfind/old.ts');
    expect(await say('Glob', { pattern: '*.nix', path: 'find' })).toBe('No files match.');
    expect(await say('Glob', { pattern: '*', path: 'nowhere' })).toMatch(/^failed: .*does not exist/);
  });

  it('searches files and single files, with modes, pages and patterns that do not parse', async () => {
    await put('grep/a.txt', 'needle\nhay\nNeedle\n');
    await put('grep/b.txt', 'needle\n');
    const grep = (input: object) => say('Grep', { pattern: 'needle', path: 'grep', ...input });
    expect(await grep({})).toBe('grep/a.txt\ngrep/b.txt');
    expect(await grep({ path: 'grep/a.txt' })).toBe('grep/a.txt');
    expect(await grep({ path: 'grep/a.txt', output_mode: 'content', '-i': 'true', '-n': true })).toBe(
      '[Paths start from grep.]\na.txt:1:needle\na.txt:3:Needle',
    );
    expect(await grep({ output_mode: 'count', '-i': true })).toBe('[Paths start from grep.]\na.txt:2\nb.txt:1');
    expect(await grep({ output_mode: 'content', '-n': false, '-A': 1, glob: 'a*' })).toBe(
      '[Paths start from grep.]\na.txt:needle\na.txt-hay',
    );
    expect(await grep({ head_limit: 1 })).toBe(
      'grep/a.txt\n\n[Lines 1 to 1 of 2. Go on with offset 1, or narrow the search.]',
    );
    expect(await grep({ offset: 1 })).toBe('grep/b.txt');
    expect(await grep({ pattern: 'needle\\nhay', multiline: true })).toBe('grep/a.txt');
    expect(await grep({ pattern: 'nothing' })).toBe('No matches.');
    expect(await grep({ pattern: '(' })).toMatch(/^failed: .*escape them\.$/s);
    expect(await grep({ type: 'nosuchtype' })).toMatch(/^failed: .*nosuchtype/s);
  });
});

describe('Bash', () => {
  it.each<[string, object, RegExp]>([
    ['both streams', { command: 'echo out; echo err >&2' }, /^out\nerr$/],
    ['no match is an answer', { command: 'echo a | grep b' }, /^Exit code 1: nothing was found/],
    ['a failure', { command: 'echo why; exit 3' }, /^failed: Exit code 3\.\n\nwhy$/],
    ['closed input', { command: 'read -p "Proceed? " a; echo "got:$a"' }, /got:$/],
    [
      'a timeout',
      { command: 'echo begun; sleep 30', timeout: 300 },
      /^failed: The command was stopped at its timeout of 300 ms.*\n\nbegun\n\nNext:/,
    ],
    ['two lines', { command: 'echo one\necho two' }, /^one\ntwo$/],
    ['no colour for the model', { command: "printf '\\033[31mred\\033[0m\\n'" }, /^red$/],
  ])('%s', async (_, input, expected) => {
    expect(await say('Bash', input)).toMatch(expected);
  });
});

// Memory: CLAUDE.md files of administrator, person, project and checkout, what they import, and `.claude/rules`.
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { splitFrontMatter, splitOutside } from './frontMatter';
import { importsIn } from './imports';
import { type ContextPlace, isOwnConfig, projectFolders } from './places';
import { liesIn, listFolder, readTextFile, realOr } from './textFile';

export type MemoryScope = 'managed' | 'user' | 'project' | 'local';

export interface MemoryFile {
  readonly scope: MemoryScope;
  readonly file: string;
  readonly text: string;
}

export interface Memory {
  /** In the order in which the model gets them: the later is the more specific. */
  readonly files: readonly MemoryFile[];
  /** Rules that count only for some files: the model is told where they are. */
  readonly conditional: readonly { readonly file: string; readonly patterns: readonly string[] }[];
  /** Files of a folder that is not trusted. */
  readonly waiting: readonly string[];
  /** What was left out and why, for people. */
  readonly problems: readonly string[];
}

/** How many files an import may lead through. */
const maxHops = 5;
/** All memory of a session, in characters. */
const maxTotal = 200_000;
/** Files of all rules folders together. */
const maxRules = 200;

/** Reads the memory of a session's folder anew. Never rejects. */
export async function readMemory(place: ContextPlace): Promise<Memory> {
  const reading = new MemoryReading(place);
  await reading.run();
  return reading;
}

class MemoryReading implements Memory {
  readonly files: MemoryFile[] = [];
  readonly conditional: { readonly file: string; readonly patterns: readonly string[] }[] = [];
  readonly waiting: string[] = [];
  readonly problems: string[] = [];
  private readonly seen = new Set<string>();
  private total = 0;

  constructor(private readonly place: ContextPlace) {}

  async run(): Promise<void> {
    const { paths, trusted, folder } = this.place;
    await this.read(join(dirname(paths.managedSettings), 'CLAUDE.md'), 'managed', null);
    await this.read(join(paths.claudeConfig, 'CLAUDE.md'), 'user', null);
    await this.rules(join(paths.claudeConfig, 'rules'), 'user', null);
    const folders = await projectFolders(this.place);
    const root = await realOr(folders[0] ?? folder);
    for (const at of folders) {
      const own = await isOwnConfig(at, paths);
      const found: readonly (readonly [string, MemoryScope])[] = [
        [join(at, 'CLAUDE.md'), 'project'],
        ...(own ? [] : [[join(at, '.claude', 'CLAUDE.md'), 'project'] as const]),
        [join(at, 'CLAUDE.local.md'), 'local'],
      ];
      for (const [file, scope] of found) {
        if (trusted) await this.read(file, scope, [root]);
        else if ((await readTextFile(file, null)).ok) this.waiting.push(file);
      }
      if (!own) await this.rules(join(at, '.claude', 'rules'), 'project', [root]);
    }
  }

  private async read(file: string, scope: MemoryScope, within: readonly string[] | null, hops = 0): Promise<void> {
    if (await this.isHidden(file)) return void this.problems.push(`${file} was left out: it belongs to Gatehouse.`);
    const read = await readTextFile(file, within);
    if (!read.ok) {
      if (read.error !== 'absent') this.problems.push(`${file} was left out: ${read.error}.`);
      return;
    }
    const { text, real } = read.value;
    if (this.seen.has(real)) return;
    this.seen.add(real);
    await this.take({ file, scope, text }, real, hops);
  }

  private async take(memory: MemoryFile, real: string, hops: number): Promise<void> {
    const { file, scope, text } = memory;
    if (text.trim() === '') return;
    if (this.total + text.length > maxTotal)
      return void this.problems.push(
        `${file} was left out: all memory together is longer than ${maxTotal} characters.`,
      );
    this.total += text.length;
    this.files.push({ file, scope, text: text.trim() });
    for (const wished of importsIn(text)) {
      const path = this.pathOf(wished, dirname(real));
      if (hops === maxHops) {
        if ((await readTextFile(path, null)).ok)
          this.problems.push(`${file}: @${wished} was left out: imports go at most ${maxHops} files deep.`);
      } else await this.import(path, { file, scope, real, hops });
    }
  }

  private pathOf(wished: string, from: string): string {
    if (wished.startsWith('~/')) return join(this.place.paths.home, wished.slice(2));
    return isAbsolute(wished) ? wished : resolve(from, wished);
  }

  /**
   * The person's and the administrator's own files import from anywhere. What they import, and what a project imports, has
   * its say only within its own folder, the folders that the person trusts, and the person's notes.
   */
  private async import(
    path: string,
    from: {
      readonly file: string;
      readonly scope: MemoryScope;
      readonly real: string;
      readonly hops: number;
    },
  ): Promise<void> {
    const { file, scope, hops } = from;
    const isOwn = scope === 'managed' || scope === 'user';
    if (isOwn && hops === 0) return await this.read(path, scope, null, hops + 1);
    const home = isOwn ? dirname(from.real) : await realOr((await projectFolders(this.place))[0] ?? this.place.folder);
    const real = await realOr(path);
    if (liesIn(real, home)) return await this.read(path, scope, [home], hops + 1);
    const config = await realOr(this.place.paths.claudeConfig);
    const isOwnNote = liesIn(real, config) && real.endsWith('.md');
    if (isOwnNote || this.inTrusted(real)) return await this.read(path, scope, [dirname(real)], hops + 1);
    // Names after an @ that are no files are just names.
    if ((await readTextFile(path, null)).ok)
      this.problems.push(
        `${file}: ${path} was left out: it lies outside of the folder, in none that you trust. Import it from your own CLAUDE.md instead.`,
      );
  }

  private inTrusted(real: string): boolean {
    for (let at = dirname(real); ; at = dirname(at)) {
      if (this.place.isTrusted(at)) return true;
      if (dirname(at) === at) return false;
    }
  }

  private async isHidden(file: string): Promise<boolean> {
    const real = await realOr(file);
    const hidden = await Promise.all(this.place.paths.hidden.map(realOr));
    return hidden.some((one) => liesIn(real, one));
  }

  private async rules(folder: string, scope: MemoryScope, within: readonly string[] | null): Promise<void> {
    for (const file of await markdownIn(folder)) {
      if (scope === 'project' && !this.place.trusted) {
        this.waiting.push(file);
        continue;
      }
      const read = await readTextFile(file, within);
      if (!read.ok) {
        this.problems.push(`${file} was left out: ${read.error}.`);
        continue;
      }
      const { real, text } = read.value;
      if (this.seen.has(real)) continue;
      this.seen.add(real);
      const { fields, body, problem } = splitFrontMatter(text);
      if (problem !== '') this.problems.push(`${file}: ${problem}; it counts for all files.`);
      const patterns = textsIn(fields.paths);
      if (patterns.length > 0) this.conditional.push({ file, patterns });
      else await this.take({ file, scope, text: body }, real, 0);
    }
  }
}

/** A list of texts, or one text with commas between. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return splitOutside(value, /,/);
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => (typeof one === 'string' && one.trim() !== '' ? [one.trim()] : []));
}

/** Markdown files below a folder, sorted by path. */
export async function markdownIn(folder: string, depth = 0): Promise<readonly string[]> {
  const files: string[] = [];
  for (const { name, kind } of await listFolder(folder)) {
    const path = join(folder, name);
    if (kind === 'folder' && depth < 4) files.push(...(await markdownIn(path, depth + 1)));
    else if (kind !== 'folder' && name.endsWith('.md')) files.push(path);
  }
  return files.slice(0, maxRules);
}

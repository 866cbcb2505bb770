// The files that a server was told about, kept as they are on disk.
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

/** Servers are not asked about larger files. */
const longestFile = 5_000_000;
/** Files beyond this many are closed again, those used longest ago first. */
const mostOpen = 40;

/** Why a file cannot be asked about, in words. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem';
}

interface Document {
  version: number;
  hash: string;
  mtimeMs: number;
  readonly languageId: string;
}

export class Documents {
  private readonly open = new Map<string, Document>();

  constructor(private readonly notify: (method: string, params: unknown) => void) {}

  /** Tells the server of the file as it is now. `changed`: that was news to it. Throws FileProblem. */
  async sync(path: string, languageId: string): Promise<{ readonly text: string; readonly changed: boolean }> {
    const { text, mtimeMs } = await readText(path);
    const hash = createHash('sha256').update(text).digest('hex');
    const uri = uriOf(path);
    const known = this.open.get(path);
    this.open.delete(path);
    if (known === undefined) {
      this.open.set(path, { version: 1, hash, mtimeMs, languageId });
      this.notify('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } });
      this.closeOldest();
      return { text, changed: true };
    }
    this.open.set(path, known);
    known.mtimeMs = mtimeMs;
    if (known.hash === hash) return { text, changed: false };
    known.hash = hash;
    known.version += 1;
    this.notify('textDocument/didChange', {
      textDocument: { uri, version: known.version },
      contentChanges: [{ text }],
    });
    this.notify('textDocument/didSave', { textDocument: { uri } });
    return { text, changed: true };
  }

  /** The same for all files that the server was told about and that changed. */
  async refresh(): Promise<void> {
    for (const [path, document] of [...this.open]) {
      const facts = await stat(path).catch(() => undefined);
      if (facts === undefined) this.close(path);
      else if (facts.mtimeMs !== document.mtimeMs)
        await this.sync(path, document.languageId).catch(() => this.close(path));
    }
  }

  private close(path: string): void {
    if (this.open.delete(path)) this.notify('textDocument/didClose', { textDocument: { uri: uriOf(path) } });
  }

  private closeOldest(): void {
    const extra = [...this.open.keys()].slice(0, Math.max(0, this.open.size - mostOpen));
    for (const path of extra) this.close(path);
  }
}

export function uriOf(path: string): string {
  return pathToFileURL(path).href;
}

async function readText(path: string): Promise<{ readonly text: string; readonly mtimeMs: number }> {
  try {
    const facts = await stat(path);
    if (!facts.isFile()) throw new FileProblem(`${path} is not a file.`);
    if (facts.size > longestFile)
      throw new FileProblem(`${path} is larger than 5 MB, which is too much for a language server. Use Grep.`);
    return { text: await readFile(path, 'utf8'), mtimeMs: facts.mtimeMs };
  } catch (error) {
    if (error instanceof FileProblem) throw error;
    throw new FileProblem(`${path} could not be read. Check the path, or look for the file with Glob.`);
  }
}

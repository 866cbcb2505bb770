// Which results the person wants to keep: a file beside the data, so that it survives and can be read by the clean-up.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { ResultFile } from '#shared/api/results';
import { RpcError } from '#shared/rpc/errors';

/** Where one of Claude Code's came from, and what was known of it then. */
const Source = z.object({
  file: z.string(),
  session: ResultFile.shape.session,
  call: ResultFile.shape.call,
  seen: ResultFile.shape.seen,
});
export type KeptSource = z.infer<typeof Source>;

const Kept = z.object({
  /** Below the folder of all results, with `/`. */
  file: z.string(),
  at: z.number(),
  source: Source.optional(),
});
export type Kept = z.infer<typeof Kept>;

const Stored = z.object({ kept: z.array(Kept) });

export class KeptFiles {
  private readonly path: string;
  private last: Promise<unknown> = Promise.resolve();

  /** `data`: Gatehouse's own folder. */
  constructor(data: string) {
    this.path = join(data, 'kept-results.json');
  }

  /** All that are kept. Rejects when they cannot be told: then nothing may be cleaned up. */
  async all(): Promise<readonly Kept[]> {
    let text: string;
    try {
      text = await readFile(this.path, 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
      throw error;
    }
    const read = Stored.safeParse(parsed(text));
    if (read.success) return read.data.kept;
    throw new RpcError(
      'refused',
      `${this.path} is damaged, so it is not known which results are to be kept, and none are cleaned up. Correct it or delete it.`,
    );
  }

  /** Changes the list, one change after another. */
  async change(work: (kept: readonly Kept[]) => readonly Kept[]): Promise<void> {
    const next = this.last.then(async () => {
      const kept = work(await this.all());
      try {
        await writeFileAtomic(this.path, `${JSON.stringify({ kept }, null, 2)}\n`, { mode: 0o600 });
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new RpcError('unavailable', `What is to be kept cannot be written down (${why}). Nothing was changed.`);
      }
    });
    this.last = next.catch(() => undefined);
    await next;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

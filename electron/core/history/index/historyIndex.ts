// The index with everything that keeps it: opened at first use, made anew when it is damaged.
import type { HistoryState } from '#shared/api/history';
import { RpcError } from '#shared/rpc/errors';
import { isDamaged } from '../../sessions/rebuildable';
import { CallStore } from './callStore';
import { HistoryReading, type ReadingOptions } from './historyReading';
import { openIndexDatabase, removeIndex } from './indexDatabase';

interface Opened {
  readonly calls: CallStore;
  readonly reading: HistoryReading;
  close(): Promise<void>;
}

export class HistoryIndex {
  private opened: Opened | null = null;
  private failure = '';
  private disposed = false;
  /** Another one whenever the index was made anew: what was computed from the one before is void. */
  private onOpen: (calls: CallStore) => void = () => undefined;

  constructor(private readonly options: ReadingOptions) {}

  /** Tells of the index each time that it is opened. */
  whenOpened(listener: (calls: CallStore) => void): void {
    this.onOpen = listener;
  }

  /** Throws RpcError `unavailable` when there can be no index. */
  get calls(): CallStore {
    return this.open().calls;
  }

  /** While reading: keeps it back until `work` is done. */
  async meanwhile<T>(work: () => Promise<T>): Promise<T> {
    const { reading } = this.open();
    try {
      return await reading.meanwhile(work);
    } catch (error) {
      const isSame = this.opened?.reading === reading;
      if (isSame && !isDamaged(error)) throw error;
      if (error instanceof RpcError) throw error;
      if (isSame) await this.makeAnew();
      throw new RpcError('unavailable', 'The index of past calls was damaged and is being made anew. Ask again.');
    }
  }

  get state(): HistoryState {
    if (this.opened !== null) return this.opened.reading.state;
    return {
      phase: this.failure === '' ? 'idle' : 'failed',
      files: 0,
      filesDone: 0,
      bytes: 0,
      bytesDone: 0,
      calls: 0,
      sessions: 0,
      skipped: 0,
      problem: this.failure,
      folder: `${this.options.claudeConfig}/projects`,
    };
  }

  pause(paused: boolean): void {
    this.open().reading.pause(paused);
  }

  /** Settles when all is read, or cannot be: the state then says why. */
  async read(maxAgeMs: number): Promise<void> {
    for (const attempt of ['first', 'anew'] as const) {
      try {
        await this.open().reading.read(maxAgeMs);
        return;
      } catch (error) {
        if (this.disposed) return;
        if (isDamaged(error) && attempt === 'first') {
          await this.makeAnew();
          continue;
        }
        await this.fail(error);
        return;
      }
    }
  }

  async dispose(): Promise<void> {
    this.disposed = true;
    await this.close();
  }

  private open(): Opened {
    if (this.disposed) throw new RpcError('unavailable', 'Gatehouse is closing.');
    if (this.opened !== null) return this.opened;
    try {
      this.opened = this.openOrMakeAnew();
    } catch (error) {
      this.failure = failureText(error);
      this.options.onState(this.state);
      throw new RpcError('unavailable', this.failure);
    }
    this.failure = '';
    this.onOpen(this.opened.calls);
    return this.opened;
  }

  private openOrMakeAnew(): Opened {
    try {
      return this.openAsItIs();
    } catch (error) {
      if (!isDamaged(error)) throw error;
      removeIndex(this.options.data);
      return this.openAsItIs();
    }
  }

  private openAsItIs(): Opened {
    const database = openIndexDatabase({ folder: this.options.data, nativeBinding: this.options.nativeBinding });
    try {
      const calls = new CallStore(database);
      const reading = new HistoryReading(database, calls, this.options);
      const close = async (): Promise<void> => {
        await reading.dispose();
        database.close();
      };
      return { calls, reading, close };
    } catch (error) {
      database.close();
      throw error;
    }
  }

  private async close(): Promise<void> {
    const { opened } = this;
    this.opened = null;
    await opened?.close();
  }

  private async makeAnew(): Promise<void> {
    await this.close();
    if (this.options.data !== ':memory:') removeIndex(this.options.data);
  }

  private async fail(error: unknown): Promise<void> {
    // An index that cannot be opened has said so already.
    if (!(error instanceof RpcError)) this.failure = failureText(error);
    await this.close();
    this.options.onState(this.state);
  }
}

function failureText(error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return `Past calls cannot be indexed: ${why}. See that Gatehouse’s data folder can be written and has room, then look again.`;
}

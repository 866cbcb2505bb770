// What the model has seen of each file: content hash and which part. Bounded, least recently used goes first.

/** A file as it was when last read or written. `whole` false: only a window of it was read. */
export interface FileState {
  readonly path: string;
  readonly hash: string;
  readonly mtimeMs: number;
  readonly size: number;
  readonly whole: boolean;
}

/** 100 entries and 25 MB (spec 5). Only hashes are kept, so the byte bound holds for the files they stand for. */
const maxEntries = 100;
const maxBytes = 25_000_000;

export class FileStates {
  private readonly states = new Map<string, FileState>();
  private bytes = 0;

  get(path: string): FileState | undefined {
    const state = this.states.get(path);
    if (state !== undefined) {
      this.states.delete(path);
      this.states.set(path, state);
    }
    return state;
  }

  set(state: FileState): void {
    this.forget(state.path);
    this.states.set(state.path, state);
    this.bytes += state.size;
    for (const oldest of this.states.values()) {
      const full = this.states.size > maxEntries || this.bytes > maxBytes;
      if (!full || oldest.path === state.path) break;
      this.forget(oldest.path);
    }
  }

  forget(path: string): void {
    const state = this.states.get(path);
    if (state === undefined) return;
    this.states.delete(path);
    this.bytes -= state.size;
  }
}

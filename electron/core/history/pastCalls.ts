// What the index knows of a past call, and what those who replay may ask of it.
import type { PastCall } from '#shared/api/history';

/** A past call with its whole input. Equal calls in equal places have the same `key`. */
export interface IndexedCall extends Omit<PastCall, 'input'> {
  readonly input: Readonly<Record<string, unknown>>;
  /** The folder whose project settings counted: where the session was started, absolute. */
  readonly project: string;
  /** Stands for tool, input and cwd together. */
  readonly key: string;
}

export interface CallScope {
  /** Calls made in this folder or below; null = everywhere. */
  readonly folder: string | null;
  /** Epoch milliseconds; older calls are left out. */
  readonly since: number;
}

/** Read side of the index. Everything is synchronous: it runs in a thread of its own. */
export interface CallIndex {
  /** Grows whenever calls came or went, so that what was computed from them can be kept. */
  readonly version: number;
  /** The newest first. */
  calls(scope: CallScope): Iterable<IndexedCall>;
  find(id: string): IndexedCall | null;
}

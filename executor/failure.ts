import type { OperationFailure } from '#shared/api/executor';

type Reason = OperationFailure['reason'];

/** An expected failure; `message` says fact, cause and next step. */
export function failure(reason: Reason, message: string, errno?: string): OperationFailure {
  return { kind: 'failure', reason, message, ...(errno === undefined ? {} : { errno }) };
}

/** The errno name of a system error. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

const known: Readonly<Record<string, { readonly reason: Reason; readonly words: string }>> = {
  ENOENT: { reason: 'missing', words: 'does not exist' },
  ENOTDIR: { reason: 'missing', words: 'does not exist: a part of the path is a file' },
  EISDIR: { reason: 'isFolder', words: 'is a folder' },
  EACCES: { reason: 'denied', words: 'may not be accessed: the file permissions refuse it' },
  EPERM: { reason: 'denied', words: 'may not be accessed: the system refuses it' },
  EROFS: { reason: 'denied', words: 'cannot be written: the file system is read-only' },
  ENOSPC: { reason: 'io', words: 'cannot be written: the disk is full' },
  ELOOP: { reason: 'isLink', words: 'cannot be resolved: its links form a loop' },
  ESTALE: {
    reason: 'changed',
    words: 'leads somewhere else than when this was allowed: ask again for the path as it is now',
  },
  ENAMETOOLONG: { reason: 'io', words: 'cannot be used: the name is too long' },
};

/** A system error as a failure about `path`; anything else is a bug and is thrown on. */
export function systemFailure(error: unknown, path: string): OperationFailure {
  const errno = errnoOf(error);
  if (errno === undefined) throw error;
  const entry = known[errno];
  if (entry === undefined) return failure('io', `${path} could not be used (${errno}).`, errno);
  return failure(entry.reason, `${path} ${entry.words} (${errno}).`, errno);
}

// Which sessions a core beside the workspace works in, so that nobody else repairs, continues or deletes them meanwhile.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

export interface SessionClaims {
  /** Keeps others out of a session until `dispose`. False when somebody else is in it already. */
  take(sessionId: string): boolean;
  heldElsewhere(sessionId: string): boolean;
  dispose(): void;
}

/** For cores that no other process can get at. */
export const noClaims: SessionClaims = { take: () => true, heldElsewhere: () => false, dispose: () => undefined };

/**
 * Claims as locked files `<folder>/at-work/<session>.<claim>.lock`. The system releases a lock however its process ends; a
 * file that is no longer locked is nobody's, and its name never comes again, so that it can be removed.
 */
export function createClaims(options: {
  readonly folder: string;
  readonly nativeBinding: string | undefined;
}): SessionClaims {
  const folder = join(options.folder, 'at-work');
  const binding = options.nativeBinding === undefined ? {} : { nativeBinding: options.nativeBinding };
  const own = new Map<string, { readonly name: string; readonly lock: Database.Database }>();

  function tryLock(name: string): Database.Database | null {
    const lock = new Database(join(folder, name), { ...binding, timeout: 0 });
    try {
      // The lock is all there is to it: no second file beside it.
      lock.pragma('journal_mode = MEMORY');
      lock.exec('begin exclusive');
      return lock;
    } catch (error) {
      lock.close();
      if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') return null;
      throw error;
    }
  }

  function release(name: string, lock: Database.Database): void {
    rmSync(join(folder, name), { force: true });
    lock.close();
  }

  function others(sessionId: string): readonly string[] {
    try {
      const mine = own.get(sessionId)?.name;
      return readdirSync(folder).filter(
        (name) => name.startsWith(`${sessionId}.`) && name.endsWith('.lock') && name !== mine,
      );
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
      throw error;
    }
  }

  function heldElsewhere(sessionId: string): boolean {
    return others(sessionId).some((name) => {
      const lock = tryLock(name);
      if (lock === null) return true;
      release(name, lock);
      return false;
    });
  }

  return {
    take(sessionId) {
      if (own.has(sessionId)) return true;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const name = `${sessionId}.${randomUUID()}.lock`;
      const lock = tryLock(name);
      if (lock === null) return false;
      // First there, then looking: of two that come at once, both may turn away, but never do both go in.
      own.set(sessionId, { name, lock });
      if (existsSync(join(folder, name)) && !heldElsewhere(sessionId)) return true;
      own.delete(sessionId);
      release(name, lock);
      return false;
    },
    heldElsewhere,
    dispose() {
      for (const { name, lock } of own.values()) release(name, lock);
      own.clear();
    },
  };
}

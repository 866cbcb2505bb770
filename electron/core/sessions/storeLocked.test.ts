import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openDatabase } from './database';
import { SessionStore } from './store';

test('a file that another process holds is waited for once; then writes fail at once until it is free', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-store-'));
  const opened = openDatabase({ folder, nativeBinding: undefined });
  const other = new Database(join(folder, 'gatehouse.db'));
  try {
    const store = new SessionStore(opened.database, () => undefined);
    store.create({ sessionId: 's', title: 'T', folder: '/f', at: 1 });
    const took = (): number => {
      const startedAt = performance.now();
      expect(() => store.setPreference('a', 1)).toThrow('locked');
      return performance.now() - startedAt;
    };
    other.exec('begin immediate');
    const first = took();
    expect(first).toBeGreaterThan(1_500);
    expect(Math.max(took(), took())).toBeLessThan(first / 2);
    other.exec('rollback');
    store.setPreference('a', 2);
    expect(store.preference('a')).toBe(2);
    other.exec('begin immediate');
    expect(took()).toBeGreaterThan(1_500);
  } finally {
    other.close();
    opened.close();
    rmSync(folder, { recursive: true, force: true });
  }
}, 30_000);

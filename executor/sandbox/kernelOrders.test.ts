import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findOrders } from './kernelOrders';

test('what can be written is found, alone or in folders; numbers and links are processes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-orders-'));
  const put = (name: string, mode: number) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), '');
    chmodSync(join(folder, name), mode);
  };
  put('cpuinfo', 0o444);
  put('sysrq-trigger', 0o200);
  put('sys/kernel/name', 0o444);
  put('tty/drivers', 0o444);
  put('acpi/wakeup', 0o644);
  put('fs/deep/down/here/file', 0o444);
  put('1234/comm', 0o644);
  symlinkSync('1234', join(folder, 'self'));
  expect(findOrders(folder).map((path) => path.slice(folder.length + 1))).toEqual([
    'acpi',
    'fs',
    'sys',
    'sysrq-trigger',
  ]);
  rmSync(folder, { recursive: true });
});

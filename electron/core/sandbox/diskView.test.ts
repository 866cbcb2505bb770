import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { diskView } from './diskView';

it('reads files, and neither what is missing nor what would hold it up', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-disk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'file'), 'text');
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  expect(['file', 'pipe', 'none', '.'].map((name) => diskView.text(join(folder, name)))).toEqual([
    'text',
    null,
    null,
    null,
  ]);
});

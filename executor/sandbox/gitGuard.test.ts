import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { guardRepositories } from './gitGuard';

let work: string;
let end: () => void;
const git = (...args: string[]) => execFileSync('git', ['-C', work, ...args], { stdio: 'ignore' });

beforeEach(() => {
  work = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-guard-')));
  git('init', '-q');
  end = guardRepositories({ enabled: true, network: 'off', writable: [work], hidden: [] });
});
afterEach(() => {
  end();
  rmSync(work, { recursive: true });
});

test('while the command still runs, a file that leads git elsewhere is set aside', async () => {
  writeFileSync(join(work, '.git/commondir'), '../evil');
  await expect.poll(() => existsSync(join(work, '.git/commondir'))).toBe(false);
  expect(readFileSync(join(work, '.git/commondir.from-sandbox'), 'utf8')).toBe('../evil');
});

test('and the orders of a repository that git would look into are taken out', async () => {
  git('init', '-q', 'inner');
  git('-C', 'inner', '-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-q', '--allow-empty', '-m', 'a');
  git('-C', 'inner', 'config', 'core.fsmonitor', 'evil');
  git('add', 'inner');
  await expect.poll(() => readFileSync(join(work, 'inner/.git/config'), 'utf8')).not.toContain('fsmonitor');
});

test('a file of a worktree that became a link comes back, though its text is the same for now', () => {
  end();
  const own = join(work, '.git/worktrees/side');
  mkdirSync(own, { recursive: true });
  for (const path of [join(own, 'commondir'), join(work, 'same')]) writeFileSync(path, '../..\n');
  end = guardRepositories({ enabled: true, network: 'off', writable: [work], hidden: [] });
  rmSync(join(own, 'commondir'));
  symlinkSync(join(work, 'same'), join(own, 'commondir'));
  end();
  expect(lstatSync(join(own, 'commondir')).isFile()).toBe(true);
});

test('what lies outside of the writable folders is not touched, whatever leads there', () => {
  const other = mkdtempSync(join(tmpdir(), 'gatehouse-other-'));
  execFileSync('git', ['init', '-q', other]);
  execFileSync('git', ['-C', other, 'config', 'core.fsmonitor', 'its own']);
  git('update-index', '--add', '--cacheinfo', '160000,0123456789012345678901234567890123456789,inner');
  mkdirSync(join(work, 'inner'));
  symlinkSync(join(other, '.git'), join(work, 'inner/.git'));
  end();
  expect(readFileSync(join(other, '.git/config'), 'utf8')).toContain('its own');
  rmSync(other, { recursive: true });
});

test('pipes in the place of what git reads hold nobody up', () => {
  for (const name of ['index', 'config', 'commondir', 'sharedindex.x']) {
    rmSync(join(work, '.git', name), { force: true });
    execFileSync('mkfifo', [join(work, '.git', name)]);
  }
  guardRepositories({ enabled: true, network: 'off', writable: [work], hidden: [] })();
  end();
  expect(existsSync(join(work, '.git/commondir'))).toBe(false);
});

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SandboxPolicy } from '#shared/api/executor';
import { planSeatbelt } from './seatbelt';

let work: string;
beforeEach(() => {
  work = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-seatbelt-')));
  for (const name of ['.git/hooks', '.claude/worktrees/one/.claude', 'secret/open/key', 'deep/er', 'real'])
    mkdirSync(join(work, name), { recursive: true });
  for (const name of ['.git/config', 'secret/key', 'deep/er/file']) writeFileSync(join(work, name), '');
  symlinkSync('real', join(work, 'link'));
});
afterEach(() => rmSync(work, { recursive: true, force: true }));

const inWork = (paths: readonly string[] = []) => paths.map((path) => join(work, path));

function planned(change: Partial<SandboxPolicy>) {
  const { writable = [''], hidden, readOnly, readable, ...others } = change;
  return planSeatbelt({
    policy: {
      enabled: true,
      network: 'off',
      ...others,
      writable: inWork(writable).map((path) => path.replace(/\/$/, '')),
      hidden: inWork(hidden),
      readOnly: inWork(readOnly),
      readable: inWork(readable),
    },
    temp: '/private/temp',
    alsoWritable: ['/private/report'],
  });
}

/** What the rules say of one deed: the last that matches holds. `*` in an operation stands for the rest of its name. */
function verdict(profile: string, operation: string, path: string): 'allow' | 'deny' {
  let last: 'allow' | 'deny' = 'deny';
  for (const line of profile.split('\n')) {
    const rule = /^\((allow|deny) ([a-z-]+)(\*?)(?: \((.*)\))?\)$/.exec(line);
    if (rule === null) continue;
    const [, how, name = '', star, filter] = rule;
    if (star === '*' ? !operation.startsWith(name) : operation !== name) continue;
    if (filter !== undefined && !matches(filter, path)) continue;
    last = how === 'allow' ? 'allow' : 'deny';
  }
  return last;
}

function matches(filter: string, path: string): boolean {
  const [, how, text = ''] = /^(subpath|literal|regex) #?"(.*)"$/.exec(filter) ?? [];
  if (how === 'regex') return new RegExp(text).test(path);
  const named = text.replaceAll(/\\(.)/g, '$1');
  return path === named || (how === 'subpath' && path.startsWith(`${named}/`));
}

describe('what a policy comes to', () => {
  const policy: Partial<SandboxPolicy> = {
    writable: ['', '.claude/worktrees/one'],
    readOnly: [
      '.claude',
      '.claude/worktrees/one/.claude',
      '.mcp.json',
      'deep/er/file',
      'link/note',
      'a "b"\\c',
      'süß/x',
    ],
    hidden: ['secret', 'secret/open/key', '.ssh'],
    readable: ['secret/open'],
  };

  test.each([
    ['file-write-data', 'src/a.ts', 'allow'],
    ['file-write-create', 'new', 'allow'],
    ['file-write-data', '.git/index', 'allow'],
    ['file-write-data', '.git/config', 'deny'],
    ['file-write-create', '.git/hooks/pre-commit', 'deny'],
    ['file-write-unlink', '.git', 'deny'],
    ['file-write-create', '.mcp.json', 'deny'],
    ['file-write-create', '.MCP.json', 'deny'],
    ['file-write-create', '.mcp.jsonl', 'allow'],
    ['file-write-create', '.mcpxjson', 'allow'],
    ['file-write-create', '.claude/settings.json', 'deny'],
    ['file-write-create', '.Claude/settings.json', 'deny'],
    ['file-write-create', '.claude/worktrees/one/a.ts', 'allow'],
    ['file-write-create', '.claude/worktrees/two/a.ts', 'deny'],
    ['file-write-create', '.claude/worktrees/one/.claude/settings.json', 'deny'],
    ['file-write-data', 'deep/er/file', 'deny'],
    ['file-write-unlink', 'deep/er', 'deny'],
    ['file-write-unlink', 'deep', 'deny'],
    ['file-write-unlink', 'deep/other', 'allow'],
    ['file-write-create', 'deep/er/other', 'allow'],
    ['file-write-unlink', 'link', 'deny'],
    ['file-write-create', 'link', 'deny'],
    ['file-write-create', 'real/note', 'deny'],
    ['file-write-create', 'real/other', 'allow'],
    ['file-write-create', 'a "b"\\c', 'deny'],
    ['file-write-create', 'süß/x', 'deny'],
    ['file-write-create', 'su\u0308ß/x', 'deny'],
    ['file-read-data', 'src/a.ts', 'allow'],
    ['file-read-data', 'secret/key', 'deny'],
    ['file-read-data', 'Secret/key', 'deny'],
    ['file-read-metadata', 'secret/key', 'deny'],
    ['file-read-metadata', 'secret', 'allow'],
    ['file-read-data', 'secret', 'deny'],
    ['file-read-data', 'secret/open/note', 'allow'],
    ['file-read-data', 'secret/open/key', 'deny'],
    ['file-write-data', 'secret/key', 'deny'],
    ['file-write-data', 'secret/open/note', 'deny'],
    ['file-write-create', '.ssh/authorized_keys', 'deny'],
  ] as const)('%s %s: %s', (operation, name, expected) => {
    expect(verdict(planned(policy).profile, operation, join(work, name))).toBe(expected);
  });

  test.each([
    ['file-write-create', '/private/temp/a', 'allow'],
    ['file-write-data', '/private/report', 'allow'],
    ['file-write-data', '/private/report/x', 'deny'],
    ['file-write-data', '/etc/hosts', 'deny'],
    ['file-write-data', '/dev/null', 'allow'],
    ['file-write-data', '/dev/disk0', 'deny'],
    ['file-read-data', '/etc/hosts', 'allow'],
  ] as const)('%s %s: %s', (operation, path, expected) => {
    expect(verdict(planned(policy).profile, operation, path)).toBe(expected);
  });

  test('links in folders that may be written are told', () => {
    expect(planned(policy).links).toEqual([join(work, 'link')]);
  });
});

test.each([
  { change: { network: 'off' }, ip: false, unix: false },
  { change: { network: 'listed' }, ip: false, unix: false },
  { change: { network: 'open' }, ip: true, unix: false },
  { change: { network: 'off', unixSockets: true }, ip: false, unix: true },
] as const)('network $change', ({ change, ip, unix }) => {
  const { profile } = planned(change);
  expect([profile.includes('(remote ip)'), profile.includes('(remote unix-socket)')]).toEqual([ip, unix]);
});

test('the whole disk is not made writable', () => {
  const { profile } = planSeatbelt({
    policy: { enabled: true, network: 'off', writable: ['/', '/dev'], hidden: [] },
    temp: '/private/temp',
    alsoWritable: [],
  });
  expect(profile.match(/\(allow file-write\* \(subpath .*/g)).toEqual([
    '(allow file-write* (subpath "/private/temp"))',
  ]);
});

test('a path that no profile can hold is not allowed, and no rule of its own', () => {
  const odd = join(work, 'a")\n(allow default)');
  mkdirSync(odd);
  const { profile } = planSeatbelt({
    policy: { enabled: true, network: 'off', writable: [odd], hidden: [odd] },
    temp: '/private/temp',
    alsoWritable: [],
  });
  expect(profile).not.toContain('(allow default)');
  expect(verdict(profile, 'file-write-data', join(odd, 'x'))).toBe('deny');
  expect(verdict(profile, 'file-read-data', join(odd, 'x'))).toBe('deny');
});

test('what the profile of a plain folder says, word for word', () => {
  rmSync(join(work, '.git'), { recursive: true });
  const { profile } = planned({ readOnly: ['.mcp.json'] });
  const own = profile
    .split('\n')
    .filter((line) => line.includes('gatehouse-seatbelt') || (/[mM]/.test(line) && line.includes('deny file')));
  const folded = (path: string) =>
    path
      .replaceAll(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`)
      .replaceAll(/\.(?![^[]*\])/g, '[.]');
  expect(own).toEqual([
    `(allow file-read* (subpath "${work}"))`,
    `(allow file-write* (subpath "${work}"))`,
    `(deny file-write* (regex #"^${folded(`${work}/.mcp.json`)}(/|$)"))`,
    `(deny file-write-unlink (regex #"^${folded(work)}$"))`,
  ]);
});

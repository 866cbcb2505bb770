import { describe, expect, it, test } from 'vitest';
import { type LintFinding, LintKind } from '#shared/api/rules';
import { lintRules } from './lint';
import { key, rows, user } from './lint.cases';
import { home, lintWorldOf } from './testing/lintBench';

function nameOf({ rule, file }: LintFinding): string {
  return rule?.text ?? file?.replace(/^.*\//, '') ?? '';
}

function fixOf({ fix }: LintFinding): string | null {
  const [edit] = fix?.edits ?? [];
  switch (edit?.type) {
    case undefined:
      return null;
    case 'remove':
      return '-';
    case 'change':
      return edit.text;
    case 'add':
      return `+${edit.text}`;
    default:
      return edit?.type ?? null;
  }
}

test.each(rows.map((row, index) => [row.kind, index, row] as const))('%s, row %i', (kind, _, row) => {
  const found = lintRules(lintWorldOf(row.world)).filter((one) => one.kind === kind);
  expect(found.map(nameOf).sort()).toEqual([...row.found].sort());
  const [first] = found;
  if (row.fix !== undefined) expect(first === undefined ? null : fixOf(first)).toBe(row.fix);
  if (row.safe !== undefined) expect(first?.fix?.safe).toBe(row.safe);
});

it('has rows for each kind, and one where it must not speak', () => {
  for (const kind of LintKind.options) {
    const mine = rows.filter((row) => row.kind === kind);
    expect([kind, mine.length >= 3]).toEqual([kind, true]);
    expect([kind, mine.some((row) => row.found.length === 0)]).toEqual([kind, true]);
  }
});

describe('remarks', () => {
  it('name the place of the rule and of the other', () => {
    const [found] = lintRules(
      lintWorldOf({ settings: user({ allow: ['Bash(git push *)'], deny: ['Bash(git *)'] }) }),
    ).filter((one) => one.kind === 'shadowedByDeny');
    const file = `${home}/.claude/settings.json`;
    expect(found).toEqual({
      kind: 'shadowedByDeny',
      severity: 'warning',
      rule: { text: 'Bash(git push *)', behavior: 'allow', source: 'userSettings', file, line: 4 },
      file,
      line: 4,
      message: 'It never counts: everything that it speaks of is denied by Bash(git *) · user, line 7.',
      other: { text: 'Bash(git *)', behavior: 'deny', source: 'userSettings', file, line: 7 },
      fix: {
        label: 'Remove the rule',
        safe: true,
        edits: [{ type: 'remove', rule: found?.rule }],
      },
    });
  });

  it('say for locked sources where they come from, and offer what restricts as a rule of one’s own', () => {
    const found = lintRules(
      lintWorldOf({ settings: { policySettings: { deny: ['Write(x/**)'], allow: ['Bash(ls*)'] } } }),
    );
    const dead = found.find((one) => one.kind === 'neverConsulted');
    expect(dead?.fix).toEqual({
      label: 'Add Edit(x/**) to your own settings',
      edits: [{ type: 'add', source: 'userSettings', behavior: 'deny', text: 'Edit(x/**)' }],
      safe: true,
    });
    const wide = found.find((one) => one.kind === 'wordBoundary');
    expect(wide?.fix).toBeNull();
    expect(wide?.message).toContain('are not changed here: they come from /etc/claude-code/managed-settings.json');
  });

  it('put errors first', () => {
    const found = lintRules(
      lintWorldOf({ settings: user({ allow: ['Bash(ls*)', `Bash(x ${key})`], deny: ['bash(x)'] }) }),
    );
    expect(found.map((one) => one.severity)).toEqual(
      [...found.map((one) => one.severity)].sort((a, b) => (a < b ? -1 : 1)),
    );
    expect(found[0]?.severity).toBe('error');
  });
});

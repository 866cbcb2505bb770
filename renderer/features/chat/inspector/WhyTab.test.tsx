// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { WhyTree } from '#shared/permissions/why';
import { useApp } from '../../../stores/app';
import { useRulesPage } from '../../../stores/rulesPage';
import { draw, preparePage } from '../testing/draw';
import { sampleAsk, sampleBase, succeeded } from '../testing/samples';
import { WhyTab } from './WhyTab';

preparePage({ fakeTime: false });

const why: WhyTree = {
  tool: 'Bash',
  mode: 'default',
  modeNote: 'Default: Reads run; everything else asks unless a rule allows it.',
  commands: [{ text: 'git push', nested: true, readOnly: false, note: 'it is run by another command' }],
  files: [
    { given: 'a', real: '/p/a', access: 'write', from: 'redirect', inside: true, note: 'reached through a link' },
    { given: '$X', real: null, access: 'read', from: 'argument', inside: false, note: 'not known before it runs' },
  ],
  hosts: [],
  rules: [
    {
      rule: { text: 'Bash(git push *)', behavior: 'ask', source: 'projectSettings', file: '/p/s.json', line: 21 },
      standing: 'wins',
      parts: ['git push'],
      because: 'Ask beats allow, and no deny rule fits.',
    },
    {
      rule: { text: 'Bash(git:*)', behavior: 'allow', source: 'session' },
      standing: 'loses',
      parts: ['git push'],
      because: 'Ask beats allow.',
    },
  ],
  nearMisses: [
    {
      rule: { text: 'Bash(git pus:*)', behavior: 'deny', source: 'userSettings', file: '/h/s.json', line: 3 },
      kind: 'wordBoundary',
      part: 'git push',
      because: 'It covers “git pus” as whole words; here the last word goes on.',
      instead: 'Bash(git pus*)',
    },
  ],
  gates: [{ check: 'protectedPath', detail: 'a is protected.', decides: false }],
  doubts: ['the two shell parsers find different commands in it'],
  opinions: ['A hook allows: fine'],
  leftOut: 2,
};

/** All lines in sight, with their level, as a person reads them. */
function lines(): readonly string[] {
  return screen.getAllByRole('treeitem').map((item) => `${item.getAttribute('aria-level')} ${item.textContent}`);
}

const asking = { ...sampleBase, status: 'asking', ask: { ...sampleAsk, why }, askedAt: 1 } as const;

test('draws a waiting call: verdict, steps, and below permission the parts and rules, the winner first', async () => {
  draw(<WhyTab call={asking} />);
  expect(lines()).toEqual([
    '1 asksbecause ofBash(git push *)project · /p/.claude/settings.json:21',
    '2 Lookupnot reached',
    '2 Inputnot reached',
    '2 Validationnot reached',
    '2 Pre-hook and classifiernot reached',
    '2 Permissionwaiting for you',
    '3 2 parts, each with its own verdict',
    '4 allowedgit commit -am "Fix tide offset"user · ~/.claude/settings.jsonby Bash(git commit:*) · user, line 9',
    '4 asksgit push origin tidesproject · .claude/settings.jsonbecause of Bash(git push *) · project, line 21',
    '3 Checks above all allow rules',
    '4 a is protected.',
    '3 Why no rule may allow the line as a whole',
    '4 the two shell parsers find different commands in it',
    '3 Rules that fit',
    '4 askBash(git push *)decidesproject · /p/s.json:21fits git pushAsk beats allow, and no deny rule fits.',
    '4 allowBash(git:*)losessession · this session, in memoryfits git pushAsk beats allow.',
    '3 Rules that nearly fit',
    '4 denyBash(git pus:*)user · /h/s.json:3' +
      'git push: It covers “git pus” as whole words; here the last word goes on.the form that fits: Bash(git pus*)',
    '3 Commands found',
    '3 Files touched',
    '3 Said by others',
    '3 Mode',
    '3 2 more entries are not shown.',
    '2 Executionnot reached',
    '2 Post-hooknot reached',
  ]);
  expect(screen.getByText('Bash(git pus:*)').closest('[role=treeitem]')?.className).toContain('text-dim');
  await userEvent.click(screen.getByText('Files touched'));
  await userEvent.click(screen.getByText('Commands found'));
  expect(
    lines()
      .filter((line) => line.startsWith('4 '))
      .slice(-3),
  ).toEqual([
    '4 git pushrun by another command; it is run by another command',
    '4 a → /p/awritereached through a link',
    '4 $Xreadnot known before it runs',
  ]);
});

test('moves, opens and closes by arrows, and goes to a rule by Enter', async () => {
  draw(<WhyTab call={asking} />);
  await userEvent.tab();
  const here = () => document.activeElement?.textContent ?? '';
  expect(here()).toMatch(/^asks/);
  await userEvent.keyboard('{End}{ArrowUp}{ArrowUp}{ArrowUp}');
  expect(here()).toBe('Mode');
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  expect(here()).toBe('Default: Reads run; everything else asks unless a rule allows it.');
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
  expect(here()).toBe('Mode');
  expect(document.activeElement?.getAttribute('aria-expanded')).toBe('false');
  await userEvent.keyboard('{ArrowLeft}');
  expect(here()).toBe('Permissionwaiting for you');
  await userEvent.keyboard('{ArrowLeft}');
  expect(lines()).toHaveLength(8);
  await userEvent.keyboard('*{Home}{Enter}');
  expect(useApp.getState().page).toBe('rules');
  expect(useRulesPage.getState()).toMatchObject({
    view: 'table',
    search: 'Bash(git push *)',
    active: 'projectSettings\nask\nBash(git push *)\n0',
  });
});

test('goes to a rule by its place', async () => {
  draw(<WhyTab call={asking} />);
  await userEvent.click(screen.getByRole('button', { name: 'session · this session, in memory' }));
  expect(useRulesPage.getState().active).toBe('session\nallow\nBash(git:*)\n0');
});

test('an older call has no more than its verdict and steps', () => {
  const reason = { type: 'noPermissionNeeded' } as const;
  draw(<WhyTab call={succeeded({ decision: { behavior: 'allow', reason, parts: [] } })} />);
  expect(lines()[0]).toBe('1 allowedthis tool needs no permission');
  expect(lines()).toHaveLength(8);
  expect(screen.getByText(/Deny beats ask/)).toBeDefined();
});

test('tells what the answer of a hook is worth', () => {
  const reason = { type: 'hook', detail: 'the hook check.sh: a list' } as const;
  draw(<WhyTab call={succeeded({ decision: { behavior: 'allow', reason, parts: [] } })} />);
  expect(lines()[0]).toMatch(
    /^1 allowedbythe hook check\.sh: a listA hook gave this answer\. What a hook allows lifts/,
  );
});

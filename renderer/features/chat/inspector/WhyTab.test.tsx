// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { WhyTree } from '#shared/permissions/why';
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

/** Text of each entry of a named branch. */
function branch(name: string): readonly (string | null)[] {
  const section = screen.getByRole('region', { name });
  return within(section)
    .getAllByRole('listitem')
    .map((item) => item.textContent);
}

test('draws the tree of a waiting call: the winner first, near misses dim', () => {
  draw(<WhyTab call={{ ...sampleBase, status: 'asking', ask: { ...sampleAsk, why }, askedAt: 1 }} />);
  expect(branch('Rules that fit')).toEqual([
    'askBash(git push *)decidesproject · /p/s.json:21fits git pushAsk beats allow, and no deny rule fits.',
    'allowBash(git:*)losessession · this session, in memoryfits git pushAsk beats allow.',
  ]);
  expect(branch('Rules that nearly fit')).toEqual([
    'deny Bash(git pus:*)user · /h/s.json:3git push: It covers “git pus” as whole words; here the last word goes on.' +
      'the form that fits: Bash(git pus*)',
  ]);
  const [near] = within(screen.getByRole('region', { name: 'Rules that nearly fit' })).getAllByRole('listitem');
  expect(near?.className).toContain('text-dim');
  expect(branch('Files touched')).toEqual(['write a → /p/areached through a link', 'read $Xnot known before it runs']);
  expect(branch('Commands found')).toEqual(['git pushrun by another command; it is run by another command']);
  expect(branch('Why no rule may allow the line as a whole')).toEqual([
    'the two shell parsers find different commands in it',
  ]);
  expect(branch('Checks above all allow rules')).toEqual(['a is protected.']);
  expect(branch('Said by others')).toEqual(['A hook allows: fine']);
  expect(branch('Mode')).toEqual(['Default: Reads run; everything else asks unless a rule allows it.']);
  expect(screen.queryByRole('region', { name: 'Hosts reached' })).toBeNull();
  expect(screen.getByText('2 more entries are not shown.')).toBeDefined();
});

test('draws the tree of a decided call, and nothing of it for older calls', () => {
  const decision = { behavior: 'allow', reason: { type: 'noPermissionNeeded' }, parts: [] } as const;
  draw(<WhyTab call={succeeded({ decision: { ...decision, parts: [], why: { ...why, nearMisses: [] } } })} />);
  expect(branch('Rules that fit')).toHaveLength(2);
  expect(screen.queryByRole('region', { name: 'Rules that nearly fit' })).toBeNull();
});

test('an older call has no tree', () => {
  draw(
    <WhyTab call={succeeded({ decision: { behavior: 'allow', reason: { type: 'noPermissionNeeded' }, parts: [] } })} />,
  );
  expect(screen.queryByRole('region', { name: 'Rules that fit' })).toBeNull();
  expect(screen.getByText(/Deny beats ask/)).toBeDefined();
});

test('tells what the answer of a hook is worth', () => {
  const reason = { type: 'hook', detail: 'the hook check.sh: a list' } as const;
  const { container } = draw(<WhyTab call={succeeded({ decision: { behavior: 'allow', reason, parts: [] } })} />);
  expect(container.textContent).toMatch(
    /^allowedbythe hook check\.sh: a listA hook gave this answer\. What a hook allows lifts/,
  );
});

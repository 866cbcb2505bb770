import { expect, it, test } from 'vitest';
import { settingsAsDraft } from './asDraft';

const file = '/srv/app/.claude/settings.json';
const text = (permissions: object): string => JSON.stringify({ permissions }, null, 2);
const rule = (behavior: 'allow' | 'deny', written: string, line: number) => ({
  text: written,
  behavior,
  source: 'projectSettings',
  file,
  line,
});

function draftOf(before: string | null, after: string | null) {
  return settingsAsDraft({ source: 'projectSettings', file, before, after, afterName: 'draft.json' });
}

test.each<[string, string | null, string | null, object]>([
  ['nothing', text({ allow: ['Bash(ls)'] }), text({ allow: ['Bash(ls)'] }), { draft: [], notCarried: [] }],
  ['no file on both sides', null, null, { draft: [], notCarried: [] }],
  [
    'rules that come and go',
    text({ allow: ['Bash(ls)'] }),
    text({ deny: ['Bash(rm *)'] }),
    {
      draft: [
        { type: 'remove', rule: rule('allow', 'Bash(ls)', 4) },
        { type: 'add', source: 'projectSettings', behavior: 'deny', text: 'Bash(rm *)' },
      ],
      notCarried: [],
    },
  ],
  [
    'exceptions, whose place counts',
    text({ deny: ['Read(x/**)'] }),
    text({ deny: ['Read(!x/a)', 'Read(x/**)'] }),
    {
      draft: [
        { type: 'remove', rule: rule('deny', 'Read(x/**)', 4) },
        { type: 'add', source: 'projectSettings', behavior: 'deny', text: 'Read(!x/a)' },
        { type: 'add', source: 'projectSettings', behavior: 'deny', text: 'Read(x/**)' },
      ],
      notCarried: [],
    },
  ],
  [
    'settings and folders',
    text({ defaultMode: 'plan', additionalDirectories: ['/srv/a'] }),
    text({ disableAutoMode: 'disable', additionalDirectories: ['/srv/b'], denyInsteadOfPrompting: true }),
    {
      draft: [
        { type: 'setScalar', source: 'projectSettings', key: 'defaultMode', value: null },
        { type: 'setScalar', source: 'projectSettings', key: 'disableAutoMode', value: 'disable' },
        { type: 'removeDirectory', source: 'projectSettings', path: '/srv/a' },
        { type: 'addDirectory', source: 'projectSettings', path: '/srv/b' },
      ],
      notCarried: ['denyInsteadOfPrompting'],
    },
  ],
])('%s', (_, before, after, value) => {
  expect(draftOf(before, after)).toEqual({ ok: true, value });
});

it('names the place of what does not parse', () => {
  expect(draftOf('{}', '{"a": ]')).toMatchObject({ ok: false });
  const found = draftOf('{}', '{"a": ]');
  expect(!found.ok && found.error.startsWith('draft.json, line 1, column 7')).toBe(true);
});

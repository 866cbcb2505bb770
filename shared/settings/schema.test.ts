import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readSettings } from './schema';

it('takes rules, folders and the mode, and names what it skips', () => {
  const reading = readSettings({
    model: 'x',
    permissions: {
      allow: ['Bash(ls:*)', 7, 'Bash(x)*', 'toString'],
      deny: 'Bash',
      ask: ['Bash(npm publish:*)'],
      alwaysDeny: ['Bash(rm:*)'],
      additionalDirectories: ['../lib', ''],
      defaultMode: 'manual',
      disableBypassPermissionsMode: 'disable',
      extra: { a: 1 },
    },
    alwaysAllow: ['Bash(pwd)'],
  });
  expect(reading).toEqual({
    rules: [
      { text: 'Bash(ls:*)', behavior: 'allow', path: ['permissions', 'allow', 0] },
      { text: 'toString', behavior: 'allow', path: ['permissions', 'allow', 3] },
      { text: 'Bash(npm publish:*)', behavior: 'ask', path: ['permissions', 'ask', 0] },
      { text: 'Bash(rm:*)', behavior: 'deny', path: ['permissions', 'alwaysDeny', 0] },
      { text: 'Bash(pwd)', behavior: 'allow', path: ['alwaysAllow', 0] },
    ],
    additionalDirectories: ['../lib'],
    defaultMode: 'default',
    disableBypass: true,
    disableAuto: false,
    managedRulesOnly: false,
    switches: {
      blockReadsOutside: false,
      blockWritesOutside: false,
      denyInsteadOfPrompting: false,
      classifyAllShell: false,
    },
    descriptions: { allow: [], deny: [], environment: [] },
    problems: [
      { path: ['permissions', 'allow', 1], message: 'A rule must be a text; this entry was skipped.' },
      {
        path: ['permissions', 'allow', 2],
        message:
          '“Bash(x)*” is not a rule and was skipped. It must read Tool or Tool(content), without blanks around it.',
      },
      { path: ['permissions', 'deny'], message: 'permissions.deny must be a list; it was skipped.' },
      {
        path: ['permissions', 'additionalDirectories', 1],
        message: 'A folder must be a path; this entry was skipped.',
      },
    ],
  });
});

it.each([null, [], 'x', 3])('says that %j is not a settings file', (value) => {
  expect(readSettings(value).problems).toHaveLength(1);
});

it('is not misled by inherited names', () => {
  const value: unknown = JSON.parse('{"permissions":{"__proto__":{"allow":["Bash"]},"toString":["Bash"]}}');
  expect(readSettings(value).rules).toEqual([]);
});

it('never throws', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => void readSettings({ permissions: value })));
});

it.each([
  [{ permissions: { disableAutoMode: 'disable' } }, { disableAuto: true }],
  [{ permissions: { disableAutoMode: true } }, { disableAuto: false }],
  [{ permissions: { allowManagedPermissionRulesOnly: true } }, { managedRulesOnly: true }],
  [{ allowManagedPermissionRulesOnly: true }, { managedRulesOnly: true }],
  [{ allowManagedPermissionRulesOnly: 'yes' }, { managedRulesOnly: false }],
  [
    {
      permissions: {
        blockReadsOutsideWorkingDirectories: true,
        blockWritesOutsideWorkingDirectories: 'yes',
        denyInsteadOfPrompting: true,
      },
    },
    {
      switches: { blockReadsOutside: true, blockWritesOutside: false, denyInsteadOfPrompting: true },
      problems: [{ message: 'blockWritesOutsideWorkingDirectories must be true or false; it was skipped.' }],
    },
  ],
  [
    { autoMode: { allow: [' runs tests ', 3], soft_deny: ['deploys'], hard_deny: ['deletes'] } },
    { descriptions: { allow: ['runs tests'], deny: ['deploys', 'deletes'], environment: [] } },
  ],
  [
    {
      autoMode: {
        allow: ['$defaults'],
        environment: ['$defaults', 'Our code lies at git.example'],
        classifyAllShell: true,
      },
    },
    {
      descriptions: { allow: [], deny: [], environment: ['Our code lies at git.example'] },
      switches: { classifyAllShell: true },
      problems: [],
    },
  ],
  [
    { autoMode: { classifyAllShell: 'yes' } },
    {
      switches: { classifyAllShell: false },
      problems: [
        { path: ['autoMode', 'classifyAllShell'], message: 'classifyAllShell must be true or false; it was skipped.' },
      ],
    },
  ],
])('%j', (value, expected) => {
  expect(readSettings(value)).toMatchObject(expected);
});

it('names a switch with a value that it does not know', () => {
  expect(readSettings({ permissions: { disableBypassPermissionsMode: true } }).problems).toEqual([
    {
      path: ['permissions', 'disableBypassPermissionsMode'],
      message: 'disableBypassPermissionsMode knows only "disable"; it was skipped.',
    },
  ]);
});

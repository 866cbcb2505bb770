import { beforeAll, describe, expect, it } from 'vitest';
import type { CaseCall, CaseGroup } from './cases';
import { decideCase, type PermissionCase } from './caseWorld';
import { documentCases } from './documents.cases';
import { fileCases } from './file.cases';
import { observedCases } from './observed.cases';
import { observedFileCases } from './observedFile.cases';
import { otherCases } from './other.cases';
import { readOnlyCases } from './readOnly.cases';
import { loadSecondParser } from './shell/treeSitter';
import { shellCases } from './shell.cases';
import { shellAllowCases } from './shellAllow.cases';
import { stricterCases } from './stricter.cases';

beforeAll(loadSecondParser);

function toCase(group: CaseGroup, call: CaseCall): PermissionCase {
  const [tool, input] = typeof call === 'string' ? ['Bash', { command: call }] : call;
  const { allow = [], ask = [], deny = [], additionalDirectories = [] } = group;
  return {
    rules: {
      ...group.more,
      ...(allow.length + ask.length + deny.length + additionalDirectories.length === 0
        ? {}
        : { [group.source ?? 'userSettings']: { allow, ask, deny, additionalDirectories } }),
    },
    mode: group.mode ?? 'default',
    workspace: group.workspace ?? '/ws',
    home: '/home/u',
    tool,
    input,
    files: group.files ?? {},
    trusted: group.trusted ?? true,
    platform: 'linux',
    ignoreCase: false,
    privateFiles: ['/home/u/.gatehouse/key'],
  };
}

describe.each([
  ...shellCases,
  ...shellAllowCases,
  ...fileCases,
  ...otherCases,
  ...readOnlyCases,
  ...documentCases,
  ...observedCases,
  ...observedFileCases,
])('$about', (group) => {
  it.each(group.rows.map(([call, expected]) => [JSON.stringify(call).slice(0, 100), expected, call] as const))(
    '%s → %s',
    (_, expected, call) => {
      const decision = decideCase(toCase(group, call));
      expect({ behavior: decision.behavior, reason: decision.behavior === expected ? '' : decision.reason }).toEqual({
        behavior: expected,
        reason: '',
      });
    },
  );
});

describe('looks harmless and asks all the same', () => {
  it.each(stricterCases.map(([command, why, allow]) => ({ command, why, allow })))(
    '$command: $why',
    ({ command, allow }) => {
      const group = { about: '', rows: [], ...(allow === undefined ? {} : { allow: [allow] }) };
      expect(decideCase(toCase(group, command)).behavior).toBe('ask');
    },
  );
});

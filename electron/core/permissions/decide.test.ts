import { beforeAll, describe, expect, it } from 'vitest';
import { decideCase, type PermissionCase } from './caseWorld';
import { type CaseCall, type CaseGroup, fileCases, otherCases, shellCases } from './decide.cases';
import { readOnlyCases } from './readOnly.cases';
import { loadSecondParser } from './shell/treeSitter';

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

describe.each([...shellCases, ...fileCases, ...otherCases, ...readOnlyCases])('$about', (group) => {
  it.each(group.rows)('%j → %s', (call, expected) => {
    const decision = decideCase(toCase(group, call));
    expect({ behavior: decision.behavior, reason: decision.behavior === expected ? '' : decision.reason }).toEqual({
      behavior: expected,
      reason: '',
    });
  });
});

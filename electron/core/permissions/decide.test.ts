import { beforeAll, describe, expect, it } from 'vitest';
import type { RuleSource } from '#shared/permissions/sources';
import type { CaseCall, CaseGroup } from './cases';
import { decideCase, type PermissionCase } from './caseWorld';
import { criticalCases } from './critical.cases';
import { dailyCases } from './daily.cases';
import { dailyBareCases } from './dailyBare.cases';
import { depthCases } from './depth.cases';
import { documentCases } from './documents.cases';
import { effectReadCases } from './effectsRead.cases';
import { effectWriteCases } from './effectsWrite.cases';
import { fileCases } from './file.cases';
import { modeCases } from './modes.cases';
import { nameCases } from './names.cases';
import { observedCases } from './observed.cases';
import { observedFileCases } from './observedFile.cases';
import { otherCases } from './other.cases';
import { ownLimitCases } from './ownLimits.cases';
import { placeCases } from './places.cases';
import { placeMoreCases } from './placesMore.cases';
import { prefixFormCases } from './prefixForms.cases';
import { protectedCases } from './protected.cases';
import { readOnlyCases } from './readOnly.cases';
import { readOnlyDailyCases } from './readOnlyDaily.cases';
import { readOnlyNotCases } from './readOnlyNot.cases';
import { loadSecondParser } from './shell/treeSitter';
import { shellCases } from './shell.cases';
import { shellAllowCases } from './shellAllow.cases';
import { shellMoreCases } from './shellMore.cases';
import { stricterCases } from './stricter.cases';
import { throughFormCases } from './throughForms.cases';
import { throughOptionCases } from './throughOptions.cases';
import { throughRunnerCases } from './throughRunners.cases';
import { throughWrapperCases } from './throughWrappers.cases';

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
  ...criticalCases,
  ...dailyBareCases,
  ...dailyCases,
  ...depthCases,
  ...shellMoreCases,
  ...effectReadCases,
  ...effectWriteCases,
  ...modeCases,
  ...nameCases,
  ...placeCases,
  ...placeMoreCases,
  ...prefixFormCases,
  ...ownLimitCases,
  ...protectedCases,
  ...readOnlyDailyCases,
  ...readOnlyNotCases,
  ...throughFormCases,
  ...throughOptionCases,
  ...throughRunnerCases,
  ...throughWrapperCases,
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

/** Every pair of sources: which list wins never depends on where a rule stands. */
const sources: readonly RuleSource[] = [
  'userSettings',
  'projectSettings',
  'localSettings',
  'flagSettings',
  'policySettings',
  'cliArg',
  'command',
  'session',
];

describe.each(sources.flatMap((one) => sources.map((other) => ({ one, other }))))(
  '$one and $other',
  ({ one, other }) => {
    it.each([
      ['deny over a narrower allow', { allow: ['Bash(npm x)'] }, { deny: ['Bash(npm:*)'] }, 'deny'],
      ['deny over a narrower ask', { ask: ['Bash(npm x)'] }, { deny: ['Bash(npm *)'] }, 'deny'],
      ['ask over a narrower allow', { allow: ['Bash(npm x)'] }, { ask: ['Bash(npm:*)'] }, 'ask'],
      ['a union of what is allowed', { allow: ['Bash(npm:*)'] }, { allow: ['Bash(make:*)'] }, 'allow'],
    ] as const)('%s', (_, first, second, expected) => {
      const together = {
        ...first,
        ...second,
        allow: [...('allow' in first ? first.allow : []), ...('allow' in second ? second.allow : [])],
      };
      const rules = one === other ? { [one]: together } : { [one]: first, [other]: second };
      const question = { ...toCase({ about: '', rows: [] }, 'npm x'), rules };
      expect(decideCase(question).behavior).toBe(expected);
    });
  },
);

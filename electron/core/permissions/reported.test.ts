import { beforeAll, describe, expect, it } from 'vitest';
import { decideCase } from './caseWorld';
import { fillIn } from './reported';
import { reportedPlaceCases } from './reportedPlace.cases';
import { reportedRuleCases } from './reportedRule.cases';
import { reportedShellCases } from './reportedShell.cases';
import { reportedTextCases } from './reportedText.cases';
import { loadSecondParser } from './shell/treeSitter';

beforeAll(loadSecondParser);

describe.each([
  ['shell lines', reportedShellCases],
  ['shell text', reportedTextCases],
  ['places', reportedPlaceCases],
  ['hosts, servers, hooks, modes, trust', reportedRuleCases],
])('%s', (_, cases) => {
  it.each(cases.map((one) => [one.about, JSON.stringify(one.call).slice(0, 80), one.expected, one] as const))(
    '%s: %s → %s',
    (_about, _call, expected, one) => {
      const decision = decideCase(fillIn(one));
      expect({ behavior: decision.behavior, reason: decision.behavior === expected ? '' : decision.reason }).toEqual({
        behavior: expected,
        reason: '',
      });
    },
  );
});

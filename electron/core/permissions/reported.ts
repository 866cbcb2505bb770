// The form of cases that stand alone: each with its own rules, place, files and hooks.
import type { Behavior } from '#shared/permissions/decision';
import type { CaseCall } from './cases';
import type { PermissionCase } from './caseWorld';

type World = Omit<PermissionCase, 'tool' | 'input' | 'privateFiles'>;

export interface ReportedCase extends Partial<World> {
  readonly about: string;
  readonly call: CaseCall;
  readonly expected: Behavior;
}

/** The case with everything that it leaves out. */
export function fillIn(one: ReportedCase): PermissionCase {
  const { about: _about, call, expected: _expected, ...given } = one;
  const [tool, input] = typeof call === 'string' ? ['Bash', { command: call }] : call;
  return {
    rules: {},
    mode: 'default',
    workspace: '/ws',
    home: '/home/u',
    files: {},
    trusted: true,
    platform: 'linux',
    ignoreCase: false,
    privateFiles: [],
    tool,
    input,
    ...given,
  };
}

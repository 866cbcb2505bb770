import type { AppContract } from '#shared/api/app';
import type { ruleCalls } from '#shared/api/rules';
import type { Handlers } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';

type RuleHandlers = Omit<
  Pick<Handlers<AppContract, object>, keyof typeof ruleCalls>,
  'rules.lint' | 'rules.try' | 'rules.tests' | 'rules.setTests'
>;

function missing(): never {
  throw new RpcError('unavailable', 'This part is not there yet.');
}

export function ruleHandlers(): RuleHandlers {
  return {
    'rules.policy': missing,
    'rules.preview': missing,
    'rules.save': missing,
    'rules.steps': missing,
    'rules.undo': missing,
    'rules.redo': missing,
    'rules.file': missing,
    'rules.checkText': missing,
    'rules.writeFile': missing,
    'rules.repair': missing,
    'rules.notes': missing,
    'rules.setNote': missing,
  };
}

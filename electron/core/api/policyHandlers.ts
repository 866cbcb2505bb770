import type { AppContract } from '#shared/api/app';
import type { Handlers } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';

type PolicyHandlers = Pick<
  Handlers<AppContract, object>,
  'rules.lint' | 'rules.try' | 'rules.tests' | 'rules.setTests'
>;

function missing(): never {
  throw new RpcError('unavailable', 'This part is not there yet.');
}

export function policyHandlers(): PolicyHandlers {
  return { 'rules.lint': missing, 'rules.try': missing, 'rules.tests': missing, 'rules.setTests': missing };
}

import type { AppContract } from '#shared/api/app';
import type { Handlers } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import type { Policy, PolicySession } from '../policy/createPolicy';
import type { SessionService } from '../sessions/service';

type PolicyHandlers = Pick<
  Handlers<AppContract, object>,
  'rules.lint' | 'rules.try' | 'rules.tests' | 'rules.setTests'
>;

export function policyHandlers({
  policy,
  sessions,
}: {
  readonly policy: Policy;
  readonly sessions: Pick<SessionService, 'exists' | 'state'>;
}): PolicyHandlers {
  const known = (sessionId: string): PolicySession => {
    if (!sessions.exists(sessionId)) throw new RpcError('notFound', 'This session no longer exists.');
    const { folder, cwd, mode } = sessions.state(sessionId);
    return { sessionId, folder, cwd, mode };
  };
  return {
    async 'rules.lint'({ sessionId, draft }) {
      return { findings: [...(await policy.lint(known(sessionId), draft))] };
    },
    async 'rules.try'({ sessionId, draft, call, cwd, mode }) {
      const trial = await policy.try(known(sessionId), { draft, call, cwd, mode });
      if (!trial.ok) throw new RpcError('refused', trial.error);
      return trial.value;
    },
    async 'rules.tests'({ sessionId, draft }) {
      const { file, problem, results } = await policy.tests(known(sessionId), draft);
      return { file, problem, results: [...results] };
    },
    async 'rules.setTests'({ sessionId, base, tests }) {
      const saved = await policy.setTests(known(sessionId), { base, tests });
      if (!saved.ok) throw new RpcError(saved.error.kind, saved.error.message);
      return saved.value;
    },
  };
}

import type { Decision } from '#shared/permissions/decision';
import type { ToolCall } from '#shared/session/toolCall';
import { WhyTree } from '../../why/WhyTree';
import type { WhyStep } from '../../why/whyNodes';
import { segmentWords, stepLabels, trackOf } from '../cards/track';
import { Hint } from './Hint';

/** Why the call was allowed, denied or asks: the seven steps, and below permission each part and rule. */
export function WhyTab({ call }: { readonly call: ToolCall }) {
  const asked = call.status === 'asking' && call.ask.kind === 'permission' ? call.ask : null;
  const decision: Decision | null =
    asked === null ? call.decision : { behavior: 'ask', reason: asked.reason, parts: asked.parts };
  if (decision === null) {
    return (
      <Hint title="Nothing has been decided">
        The permission step comes fifth. A call that stops before it, for example because its input is not valid, is
        never put before the rules.
      </Hint>
    );
  }
  return (
    <div className="flex flex-col gap-4 px-3 py-3.5">
      <WhyTree
        key={call.callId}
        decision={decision}
        why={asked === null ? call.decision?.why : asked.why}
        steps={stepsOf(call)}
      />
      <p className="px-1 text-muted text-small">
        Deny beats ask, and ask beats allow, over the rules of all sources. An allow counts only when it covers every
        part. Enter goes to the rule of a line.
      </p>
    </div>
  );
}

function stepsOf(call: ToolCall): readonly WhyStep[] {
  return trackOf(call).map(({ step, state, trace }) => ({
    step,
    label: stepLabels[step],
    state: segmentWords[state],
    // The verdict above says what the permission step found.
    detail: step === 'permission' ? '' : (trace?.note ?? ''),
    stops: state === 'stopped' || state === 'waiting',
  }));
}

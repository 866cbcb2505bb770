import type { Decision, DecisionReason } from '#shared/permissions/decision';
import { permissionModes } from '#shared/permissions/modes';
import { ruleSources } from '#shared/permissions/sources';
import type { ToolCall } from '#shared/session/toolCall';
import { VisibleText } from '../../../ui/VisibleText';
import { VerdictLine } from '../cards/VerdictLine';
import { verdictOfDecision } from '../cards/verdict';
import { Hint } from './Hint';
import { WhyTreeView } from './WhyTreeView';

/** Why the call was allowed, denied or asks, part by part. */
export function WhyTab({ call }: { readonly call: ToolCall }) {
  const asked = call.status === 'asking' && call.ask.kind === 'permission' ? call.ask : null;
  const decision: Decision | null =
    asked === null ? call.decision : { behavior: 'ask', reason: asked.reason, parts: asked.parts };
  const why = asked === null ? call.decision?.why : asked.why;
  if (decision === null) {
    return (
      <Hint title="Nothing has been decided">
        The permission step comes fifth. A call that stops before it, for example because its input is not valid, is
        never put before the rules.
      </Hint>
    );
  }
  return (
    <div className="flex flex-col gap-4 px-4 py-3.5">
      <VerdictLine verdict={verdictOfDecision(decision)} />
      <Reason reason={decision.reason} />
      {decision.parts.length > 0 && (
        <section aria-label="Parts" className="flex flex-col gap-3">
          <h3 className="font-semibold text-head text-muted">
            {decision.parts.length === 1 ? 'The call' : `${decision.parts.length} parts, each with its own verdict`}
          </h3>
          {decision.parts.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same part may stand in a command twice.
            <div key={index}>
              <code className="chat-verbatim block font-mono text-mono">
                <VisibleText text={part.text} />
              </code>
              <div className="mt-1 border-line border-l pl-2.5">
                <VerdictLine verdict={verdictOfDecision({ behavior: part.behavior, reason: part.reason, parts: [] })} />
                <Reason reason={part.reason} />
              </div>
            </div>
          ))}
        </section>
      )}
      {why !== undefined && <WhyTreeView why={why} />}
      <p className="text-muted text-small">
        Deny beats ask, and ask beats allow, over the rules of all sources. An allow counts only when it covers every
        part.
      </p>
    </div>
  );
}

/** What a verdict line has no room for: the file of a rule, the meaning of a mode. */
function Reason({ reason }: { readonly reason: DecisionReason }) {
  if (reason.type === 'rule') {
    const { file, line, source } = reason.rule;
    const place = file === undefined ? ruleSources[source].where : line === undefined ? file : `${file}:${line}`;
    return <p className="chat-verbatim font-mono text-dim text-mono">{place}</p>;
  }
  if (reason.type === 'classifier')
    return (
      <p className="text-muted text-small">
        A model judged this call, because neither a rule nor the mode decided it. Deny rules, ask rules and safety
        checks come before it.
      </p>
    );
  if (reason.type === 'hook')
    return (
      <p className="text-muted text-small">
        A hook gave this answer. What a hook allows lifts neither deny rules nor ask rules; the tab Trace has what the
        hook was told and what it said.
      </p>
    );
  if (reason.type === 'mode') return <p className="text-muted text-small">{permissionModes[reason.mode].meaning}</p>;
  return null;
}

import { ArrowUpRight, Check, Copy, FlaskConical, Plus, X } from 'lucide-react';
import { useMemo } from 'react';
import type { Decision } from '#shared/permissions/decision';
import type { HookRun } from '#shared/session/hookRun';
import type { ToolCall } from '#shared/session/toolCall';
import type { TraceRow } from '#shared/trace/traceRow';
import { useApp } from '../../stores/app';
import { goToPlace } from '../../stores/place';
import { useRulesPage } from '../../stores/rulesPage';
import { useSession } from '../../stores/session';
import { type TraceTab, useTracePage } from '../../stores/tracePage';
import { Button } from '../../ui/Button';
import { IconButton } from '../../ui/IconButton';
import { Skeleton } from '../../ui/Skeleton';
import { TabPanel, Tabs } from '../../ui/Tabs';
import { Verdict } from '../../ui/Verdict';
import { VisibleText } from '../../ui/VisibleText';
import { CardPicture } from '../chat/cards/CardPicture';
import { countedHooks } from '../chat/cards/hookRuns';
import { statusWords } from '../chat/cards/statusWords';
import { Hint } from '../chat/inspector/Hint';
import { HookRuns } from '../chat/inspector/HookRuns';
import { ResultTab } from '../chat/inspector/ResultTab';
import { TraceTab as StepsTab } from '../chat/inspector/TraceTab';
import { WhyTab } from '../chat/inspector/WhyTab';
import { JsonTree } from '../chat/views/JsonTree';
import { useCopy } from '../chat/views/useCopy';
import { useLab } from '../rules/lab/lab';
import { ruleFor } from '../rules/lab/ruleFor';
import { stateWords } from './LineCells';
import { useTracedCall } from './useTracedCall';

const tabNames: readonly { readonly value: TraceTab; readonly label: string }[] = [
  { value: 'steps', label: 'Steps' },
  { value: 'why', label: 'Why' },
  { value: 'hooks', label: 'Hooks' },
  { value: 'input', label: 'Input' },
  { value: 'output', label: 'Output' },
];

export interface TraceDetailProps {
  readonly sessionId: string;
  readonly row: TraceRow;
}

/** One call: its seven steps, why it was decided so, its hooks, what went in and what came out. */
export function TraceDetail({ sessionId, row }: TraceDetailProps) {
  const tab = useTracePage((page) => page.tab);
  const show = useTracePage((page) => page.show);
  const { call, problem } = useTracedCall(sessionId, row);
  const hooks = row.hooks.runs;
  return (
    <Tabs<TraceTab>
      label="Call"
      value={tab}
      onChange={(chosen) => show({ tab: chosen })}
      tabs={tabNames.map((one) => (one.value === 'hooks' && hooks > 0 ? { ...one, label: `Hooks ${hooks}` } : one))}
      extra={
        <IconButton
          size="small"
          icon={X}
          label="Close the details"
          keys="Escape"
          onClick={() => show({ active: null })}
        />
      }
    >
      <Head sessionId={sessionId} row={row} call={call} />
      {tabNames.map(({ value }) => (
        <TabPanel key={value} value={value}>
          {problem !== '' && call === null ? (
            <p role="alert" className="px-4 py-3 text-deny">
              {problem}
            </p>
          ) : call === null ? (
            <Skeleton label="Loading the call" className="p-4" rows={4} />
          ) : (
            <TabBody sessionId={sessionId} tab={value} call={call} />
          )}
        </TabPanel>
      ))}
    </Tabs>
  );
}

function Head(props: { readonly sessionId: string; readonly row: TraceRow; readonly call: ToolCall | null }) {
  const { sessionId, row, call } = props;
  const place = { in: { kind: 'session', sessionId } as const, words: [] };
  return (
    <div className="border-line border-b px-4 py-2.5">
      <h2 className="flex items-center gap-2">
        <CardPicture icon={row.icon} />
        <span className="truncate font-semibold text-title">
          <VisibleText text={row.title} />
        </span>
        <span className="whitespace-nowrap text-muted text-small">
          call {row.number} · {call === null ? stateWords[row.status] : statusWords(call)}
        </span>
        {row.verdict === null ? null : (
          <span className="ml-auto text-small">
            <Verdict verdict={row.verdict} />
          </span>
        )}
      </h2>
      <p className="chat-verbatim mt-1 max-h-24 overflow-y-auto font-mono text-mono text-muted">
        <VisibleText text={row.what} />
      </p>
      <p className="mt-2 flex flex-wrap items-center gap-2">
        <Button
          size="small"
          icon={ArrowUpRight}
          onClick={() => goToPlace({ ...place, messageId: row.messageId, callId: row.callId })}
        >
          Show in the chat
        </Button>
        <span className="text-muted text-small" title={new Date(row.createdAt).toISOString()}>
          {new Date(row.createdAt).toLocaleTimeString('en-GB')}
        </span>
        {row.agent === null ? (
          <span className="text-muted text-small">asked for by the session</span>
        ) : (
          <span className="flex min-w-0 items-center gap-1.5 text-muted text-small">
            asked for by
            <AgentLink agent={row.agent} />
          </span>
        )}
      </p>
    </div>
  );
}

/** Leads to the call that started the sub-agent. */
function AgentLink({ agent }: { readonly agent: NonNullable<TraceRow['agent']> }) {
  const show = useTracePage((page) => page.show);
  const { byCall, name } = agent;
  if (byCall === null) return <VisibleText text={name} />;
  return (
    <button
      type="button"
      title={`The call that started ${name}`}
      onClick={() => show({ active: byCall })}
      className="min-w-0 truncate rounded-small text-accent underline-offset-2 hover:underline"
    >
      <VisibleText text={name} />
    </button>
  );
}

function TabBody(props: { readonly sessionId: string; readonly tab: TraceTab; readonly call: ToolCall }) {
  const { sessionId, tab, call } = props;
  switch (tab) {
    case 'steps':
      return <StepsTab call={call} />;
    case 'why':
      return (
        <>
          <WhyTab call={call} />
          <MakeOfIt sessionId={sessionId} call={call} />
        </>
      );
    case 'hooks':
      return <HooksTab runs={call.hooks ?? []} />;
    case 'input':
      return <InputTab call={call} />;
    case 'output':
      return <ResultTab call={call} />;
  }
}

/** From what became of a call to its rule and its test. The Rules page is about the open session alone. */
function MakeOfIt({ sessionId, call }: { readonly sessionId: string; readonly call: ToolCall }) {
  const isOpen = useSession((session) => session.sessionId === sessionId && session.status === 'ready');
  const asked = call.status === 'asking' && call.ask.kind === 'permission' ? call.ask : null;
  const decision: Decision | null =
    asked === null ? call.decision : { behavior: 'ask', reason: asked.reason, parts: asked.parts };
  if (decision === null || !isOpen) return null;
  const lead = (to: Parameters<ReturnType<typeof useRulesPage.getState>['show']>[0]) => {
    // What that page knew of another session goes now; later it would take the new rule along.
    if (useRulesPage.getState().sessionId !== sessionId)
      useRulesPage.setState({ sessionId, preview: null, findings: null, usage: [] });
    useRulesPage.getState().show({ view: 'table', active: null, editing: false, ...to });
    useApp.getState().go('rules');
  };
  const { input } = call;
  const fields = typeof input === 'object' && input !== null && !Array.isArray(input) ? input : null;
  return (
    <div className="flex flex-wrap gap-2 border-line border-t px-4 py-3">
      <Button
        size="small"
        icon={FlaskConical}
        disabled={fields === null}
        title="Tries the call with the rules as they are; what comes of it can be made a test."
        onClick={() => {
          if (fields === null) return;
          useLab.getState().set({ input: { kind: 'input', tool: call.name, input: { ...fields } } });
          lead({ tab: 'try', writing: null });
        }}
      >
        Make a test…
      </Button>
      <Button
        size="small"
        icon={Plus}
        onClick={() =>
          lead({
            tab: 'rule',
            writing: {
              behavior: decision.behavior === 'allow' && decision.reason.type !== 'user' ? 'ask' : 'allow',
              text: ruleFor({ tool: call.name, decision }),
              source: 'localSettings',
            },
          })
        }
      >
        Make a rule…
      </Button>
    </div>
  );
}

function HooksTab({ runs }: { readonly runs: readonly HookRun[] }) {
  const sorted = useMemo(() => [...runs].sort((a, b) => a.startedAt - b.startedAt), [runs]);
  if (sorted.length === 0)
    return (
      <Hint title="No hook ran for this call">
        Hooks are commands of your own that run before and after calls; the Hooks page sets them up.
      </Hint>
    );
  return (
    <div className="px-4 py-3">
      <p className="text-muted text-small">Ran for this call: {countedHooks(sorted)}.</p>
      <HookRuns runs={sorted} />
    </div>
  );
}

function InputTab({ call }: { readonly call: ToolCall }) {
  const { copied, copy } = useCopy();
  return (
    <section aria-label="Input" className="px-4 py-3">
      <div className="flex min-h-6 items-center justify-between pb-1">
        <h3 className="font-semibold text-head text-muted">Input, as the model wrote it</h3>
        <IconButton
          size="small"
          icon={copied ? Check : Copy}
          label={copied ? 'Copied' : 'Copy input'}
          onClick={() => copy(JSON.stringify(call.input, null, 2))}
        />
      </div>
      <div className="overflow-hidden rounded-control border border-line bg-code">
        <JsonTree value={call.input} />
      </div>
    </section>
  );
}

/** A hook that ran for no call. */
export function HookDetail({ run }: { readonly run: HookRun }) {
  const show = useTracePage((page) => page.show);
  return (
    <>
      <div className="flex h-11.5 shrink-0 items-center justify-between border-line border-b px-4">
        <h2 className="font-semibold text-title">Hook for {run.event}</h2>
        <IconButton
          size="small"
          icon={X}
          label="Close the details"
          keys="Escape"
          onClick={() => show({ active: null })}
        />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 py-3">
        <p className="text-muted text-small">It belongs to the session itself, not to a call.</p>
        <HookRuns runs={[run]} />
      </div>
    </>
  );
}

import type { StepTrace, ToolCall } from '#shared/session/toolCall';
import { VisibleText } from '../../../ui/VisibleText';
import { PartList } from '../ask/PartList';
import { formatDuration, formatElapsed } from '../cards/duration';
import { countedHooks, runsOfStep } from '../cards/hookRuns';
import {
  hasEnded,
  hostAskedAt,
  hostWaitMs,
  type Segment,
  type SegmentState,
  segmentWords,
  stepLabels,
  trackOf,
  waitedMs,
} from '../cards/track';
import { useNow } from '../cards/useNow';
import type { Json } from '../views/JsonTree';
import { JsonTree } from '../views/JsonTree';
import { AskedHosts } from './AskedHosts';
import { HookRuns } from './HookRuns';

const numberLooks: Readonly<Record<SegmentState, string>> = {
  passed: 'bg-allow-tint text-allow',
  skipped: 'bg-undetermined-tint text-muted',
  touched: 'bg-hook-tint text-hook',
  waiting: 'bg-ask-tint text-ask',
  stopped: 'bg-deny-tint text-deny',
  running: 'bg-accent-tint text-accent',
  notReached: 'bg-transparent text-dim border border-line',
};

/** The seven steps, numbered, with what each came to; a person's time apart from the program's. */
export function TraceTab({ call }: { readonly call: ToolCall }) {
  return (
    <div className="px-4 py-3">
      <Times call={call} />
      <ol>
        {trackOf(call).map((segment, index) => (
          <Step key={segment.step} call={call} segment={segment} number={index + 1} />
        ))}
      </ol>
    </div>
  );
}

/** The call's own time, the person's, and how many hooks ran; nothing while there is nothing to say. */
function Times({ call }: { readonly call: ToolCall }) {
  const since = call.status === 'asking' ? call.askedAt : hostAskedAt(call);
  const now = useNow(since !== null);
  const waited = waitedMs(call) + (since === null ? 0 : Math.max(0, now - since));
  const hooks = countedHooks(call.hooks ?? []);
  const pieces = [
    hasEnded(call) && (
      <span key="ran">
        <span className="font-semibold text-text">{formatDuration(call.endedAt - call.createdAt - waited)}</span>{' '}
        running
      </span>
    ),
    waited > 0 && (
      <span key="waited">
        <span className="font-semibold text-ask">
          {hasEnded(call) ? formatDuration(waited) : formatElapsed(waited)}
        </span>{' '}
        waiting for you
      </span>
    ),
    hooks !== '' && <span key="hooks">{hooks}</span>,
  ].filter((piece) => piece !== false);
  if (pieces.length === 0) return null;
  return <p className="mb-3 flex flex-wrap gap-x-4 border-line border-b pb-2.5 text-muted text-small">{pieces}</p>;
}

function Step({
  call,
  segment,
  number,
}: {
  readonly call: ToolCall;
  readonly segment: Segment;
  readonly number: number;
}) {
  const { step, state, trace } = segment;
  const quiet = state === 'notReached';
  const parts = step === 'permission' ? (call.decision?.parts ?? askParts(call)) : [];
  return (
    <li className="relative flex gap-3 pb-3.5 last:pb-1">
      {number < 7 && <span aria-hidden="true" className="absolute top-6 bottom-0 left-[10px] w-px bg-line" />}
      <span
        aria-hidden="true"
        className={`grid size-[21px] shrink-0 place-items-center rounded-small font-semibold text-head ${numberLooks[state]}`}
      >
        {number}
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-2">
          <h3 className={`font-medium ${quiet ? 'text-dim' : ''}`}>{stepLabels[step]}</h3>
          <StepTime call={call} segment={segment} />
        </div>
        <p className={`text-small [overflow-wrap:anywhere] ${quiet ? 'text-dim' : 'text-muted'}`}>
          {state !== 'passed' && state !== 'skipped' && (
            <span className={numberLooks[state].split(' ').find((name) => name.startsWith('text-'))}>
              {segmentWords[state]}
              {trace !== null && trace.note !== '' && ' · '}
            </span>
          )}
          {trace !== null && <VisibleText text={noteOf(trace, state)} />}
        </p>
        {parts.length > 1 && (
          <div className="mt-1.5 border-line border-l pl-2.5">
            <PartList parts={parts} narrow />
          </div>
        )}
        {step === 'execution' && <AskedHosts hosts={call.hosts ?? []} />}
        <HookRuns runs={runsOfStep(call, step)} />
        {trace !== null && <Details trace={trace} />}
      </div>
    </li>
  );
}

function noteOf(trace: StepTrace, state: SegmentState): string {
  if (trace.note !== '') return trace.note;
  return state === 'passed' || state === 'skipped' ? segmentWords[state] : '';
}

function StepTime({ call, segment }: { readonly call: ToolCall; readonly segment: Segment }) {
  const active = segment.state === 'waiting' || segment.state === 'running';
  const now = useNow(active);
  const { trace } = segment;
  const asked = call.status === 'asking' ? call.askedAt : segment.state === 'waiting' ? hostAskedAt(call) : null;
  const since = asked ?? call.steps.at(-1)?.endedAt ?? call.createdAt;
  const hosts = segment.step === 'execution' ? hostWaitMs(call) : 0;
  const waited = active && segment.state === 'waiting' ? now - since : (trace?.waitedMs ?? 0) + hosts;
  const worked =
    trace !== null
      ? Math.max(0, trace.endedAt - trace.startedAt - trace.waitedMs - hosts)
      : active
        ? Math.max(0, now - since - hosts)
        : null;
  return (
    <span className="ml-auto shrink-0 text-right text-small">
      {segment.state === 'waiting' ? (
        <span className="text-ask">{formatElapsed(waited)} for you</span>
      ) : (
        <>
          {waited > 0 && <span className="text-ask">{formatDuration(waited)} for you + </span>}
          {worked !== null && (
            <span className="text-dim">{trace === null ? formatElapsed(worked) : formatDuration(worked)}</span>
          )}
        </>
      )}
    </span>
  );
}

function Details({ trace }: { readonly trace: StepTrace }) {
  const pieces: [string, Json][] = [];
  if (trace.input !== undefined) pieces.push(['In', trace.input]);
  if (trace.output !== undefined) pieces.push(['Out', trace.output]);
  if (pieces.length === 0) return null;
  return (
    <details className="mt-1">
      <summary className="rounded-small text-dim text-small hover:text-text">What went in and came out</summary>
      {pieces.map(([name, value]) => (
        <div key={name} className="mt-1.5 overflow-hidden rounded-control border border-line bg-code">
          <p className="border-line border-b px-2.5 py-0.5 text-dim text-head">{name}</p>
          <JsonTree value={value} />
        </div>
      ))}
    </details>
  );
}

function askParts(call: ToolCall) {
  return call.status === 'asking' && call.ask.kind === 'permission' ? call.ask.parts : [];
}

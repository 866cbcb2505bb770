import { RotateCw, TriangleAlert } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import type { TraceTotals } from '#shared/api/trace';
import { TotalsCounter } from '#shared/trace/totals';
import type { DecisionCause, TraceRow } from '#shared/trace/traceRow';
import { host } from '../../host/client';
import { messageOf } from '../../stores/toasts';
import { Banner } from '../../ui/Banner';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { Select } from '../../ui/Select';
import { Skeleton } from '../../ui/Skeleton';
import { Verdict } from '../../ui/Verdict';
import { VisibleText } from '../../ui/VisibleText';
import { formatDuration } from '../chat/cards/duration';
import { counted } from '../frame/words';

const dayMs = 86_400_000;

const spans = [
  { value: 'day', label: 'Last 24 hours', ms: dayMs },
  { value: 'week', label: 'Last 7 days', ms: 7 * dayMs },
  { value: 'month', label: 'Last 30 days', ms: 30 * dayMs },
  { value: 'all', label: 'All time', ms: null },
] as const;
type Span = (typeof spans)[number]['value'];

/** Who or what decided, in words. */
const causeWords: Readonly<Record<DecisionCause, string>> = {
  rule: 'a rule',
  mode: 'the permission mode',
  readOnly: 'harmless by itself',
  noPermissionNeeded: 'needs no permission',
  safety: 'a safety check',
  tool: 'the tool itself',
  hook: 'a hook',
  classifier: 'the classifier',
  person: 'you',
  noRule: 'no rule spoke of it',
  nobodyToAsk: 'nobody could be asked',
  denialLimit: 'denied too often',
};

/** Sums over the calls that are listed, or over all sessions: where time goes, how often and how fast you answer. */
export function TotalsView({
  rows,
  now,
  filtered,
}: {
  readonly rows: readonly TraceRow[];
  readonly now: number;
  readonly filtered: boolean;
}) {
  const [scope, setScope] = useState<'session' | 'all'>('session');
  const [span, setSpan] = useState<Span>('month');
  const session = useMemo(() => {
    const counter = new TotalsCounter(now);
    counter.addSession(rows);
    return counter.totals();
  }, [rows, now]);
  const everywhere = useAllTotals(span, scope === 'all');
  const totals = scope === 'session' ? session : everywhere.totals;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex w-full max-w-[1080px] flex-col gap-5 px-5 py-4">
        <div className="flex flex-wrap items-center gap-2">
          <fieldset aria-label="Over" className="flex gap-1">
            <Chip aria-pressed={scope === 'session'} onClick={() => setScope('session')}>
              {filtered ? 'This session, filtered' : 'This session'}
            </Chip>
            <Chip aria-pressed={scope === 'all'} onClick={() => setScope('all')}>
              All sessions
            </Chip>
          </fieldset>
          {scope === 'all' ? (
            <>
              <Select<Span>
                label="Since"
                hideLabel
                value={span}
                options={[...spans]}
                onChange={setSpan}
                className="w-40"
              />
              <Button size="small" icon={RotateCw} onClick={everywhere.reload}>
                Count again
              </Button>
            </>
          ) : null}
        </div>
        {scope === 'all' && everywhere.problem !== '' ? (
          <Banner level="error" title="The calls could not be counted.">
            {everywhere.problem}
          </Banner>
        ) : null}
        {totals === null ? (
          everywhere.problem === '' ? (
            <Skeleton label="Counting the calls of all sessions" rows={6} />
          ) : null
        ) : (
          <Sums totals={totals} showSessions={scope === 'all'} />
        )}
      </div>
    </div>
  );
}

function useAllTotals(span: Span, wanted: boolean) {
  const [round, setRound] = useState(0);
  const [totals, setTotals] = useState<TraceTotals | null>(null);
  const [problem, setProblem] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` asks anew.
  useEffect(() => {
    if (!wanted) return;
    let outdated = false;
    const ms = spans.find(({ value }) => value === span)?.ms ?? null;
    setProblem('');
    host()
      .call('trace.totals', { sessionId: null, since: ms === null ? null : Date.now() - ms })
      .then(
        (answer) => {
          if (!outdated) setTotals(answer);
        },
        (error: unknown) => {
          if (!outdated) setProblem(messageOf(error));
        },
      );
    return () => {
      outdated = true;
    };
  }, [span, wanted, round]);
  return { totals, problem, reload: useCallback(() => setRound((before) => before + 1), []) };
}

function Sums({ totals, showSessions }: { readonly totals: TraceTotals; readonly showSessions: boolean }) {
  const { calls, sessions, runningMs, waitedMs, prompts, promptsPerHour, medianAnswerMs, hastyAnswers } = totals;
  if (calls === 0) return <p className="py-8 text-center text-muted">No calls to count here.</p>;
  return (
    <>
      <dl className="grid grid-cols-3 gap-px min-[1100px]:grid-cols-6 overflow-hidden rounded-card border border-line bg-line">
        <Tile name={calls === 1 ? 'call' : 'calls'} value={calls.toLocaleString('en')}>
          {showSessions ? `in ${counted(sessions, 'session')}` : ''}
        </Tile>
        <Tile name="running" value={formatDuration(runningMs)}>
          the program’s own time
        </Tile>
        <Tile name="waiting for you" value={formatDuration(waitedMs)} look={waitedMs > 0 ? 'text-ask' : ''}>
          {runningMs + waitedMs > 0 ? `${Math.round((100 * waitedMs) / (runningMs + waitedMs))} % of all time` : ''}
        </Tile>
        <Tile name={prompts === 1 ? 'prompt' : 'prompts'} value={prompts.toLocaleString('en')}>
          {`${promptsPerHour.toFixed(promptsPerHour < 10 ? 1 : 0)} in an hour with work`}
        </Tile>
        <Tile name="median answer" value={medianAnswerMs === null ? '–' : formatDuration(medianAnswerMs)}>
          {medianAnswerMs === null ? 'nobody answered' : 'from question to answer'}
        </Tile>
        <Tile
          name={hastyAnswers === 1 ? 'hasty answer' : 'hasty answers'}
          value={String(hastyAnswers)}
          look={hastyAnswers > 0 ? 'text-deny' : ''}
        >
          in under a second
        </Tile>
      </dl>
      {hastyAnswers > 0 ? (
        <p className="flex items-start gap-2 text-small">
          <TriangleAlert aria-hidden size={16} strokeWidth={1.75} className="mt-px shrink-0 text-deny" />
          <span>
            {counted(hastyAnswers, 'answer')} came faster than a question can be read. A rule for what you always allow
            saves both the question and the haste.
          </span>
        </p>
      ) : null}
      <ByTool byTool={totals.byTool} />
      <ByCause byCause={totals.byCause} calls={calls} />
    </>
  );
}

function Tile({
  name,
  value,
  look = '',
  children,
}: {
  readonly name: string;
  readonly value: string;
  readonly look?: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="flex flex-col-reverse justify-end bg-panel px-4 py-3">
      <dt className="text-muted text-small">
        {name}
        <span className="block text-dim">{children}</span>
      </dt>
      <dd className={`font-semibold text-page ${look}`}>{value}</dd>
    </div>
  );
}

const headLook = 'px-3 py-1.5 text-left font-semibold text-head text-muted';
const cellLook = 'px-3 py-1.5';

function ByTool({ byTool }: Pick<TraceTotals, 'byTool'>) {
  const longest = Math.max(1, ...byTool.map(({ runningMs, waitedMs }) => runningMs + waitedMs));
  return (
    <section aria-labelledby="trace-by-tool">
      <h2 id="trace-by-tool" className="mb-1.5 font-semibold">
        Time by tool
      </h2>
      <table className="w-full border-collapse">
        <thead>
          <tr className="border-line border-b">
            <th scope="col" className={headLook}>
              Tool
            </th>
            <th scope="col" className={`${headLook} text-right`}>
              Calls
            </th>
            <th scope="col" className={`${headLook} w-1/3`}>
              Running and waiting
            </th>
            <th scope="col" className={`${headLook} text-right`}>
              Running
            </th>
            <th scope="col" className={`${headLook} text-right`}>
              Waiting
            </th>
            <th scope="col" className={`${headLook} text-right max-sidebar:hidden`}>
              Failed
            </th>
            <th scope="col" className={`${headLook} text-right max-sidebar:hidden`}>
              Denied
            </th>
          </tr>
        </thead>
        <tbody>
          {byTool.map((tool) => (
            <tr key={tool.tool} className="border-line/60 border-b">
              <th scope="row" className={`${cellLook} max-w-48 truncate text-left font-semibold`} title={tool.tool}>
                <VisibleText text={tool.tool} />
              </th>
              <td className={`${cellLook} text-right`}>{tool.calls.toLocaleString('en')}</td>
              <td className={cellLook}>
                <span aria-hidden className="relative block h-4">
                  <Part kind="execution" from={0} part={tool.runningMs / longest} />
                  <Part kind="waiting" from={tool.runningMs / longest} part={tool.waitedMs / longest} />
                </span>
              </td>
              <td className={`${cellLook} text-right`}>{formatDuration(tool.runningMs)}</td>
              <td className={`${cellLook} text-right ${tool.waitedMs > 0 ? 'text-ask' : 'text-dim'}`}>
                {tool.waitedMs > 0 ? formatDuration(tool.waitedMs) : '–'}
              </td>
              <td className={`${cellLook} text-right max-sidebar:hidden ${tool.failed > 0 ? '' : 'text-dim'}`}>
                {tool.failed || '–'}
              </td>
              <td className={`${cellLook} text-right max-sidebar:hidden ${tool.denied > 0 ? 'text-deny' : 'text-dim'}`}>
                {tool.denied || '–'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Part({
  kind,
  from,
  part,
}: {
  readonly kind: 'execution' | 'waiting';
  readonly from: number;
  readonly part: number;
}) {
  if (part <= 0) return null;
  return (
    <span
      data-kind={kind}
      className="trace-bar"
      style={{ left: `${from * 100}%`, width: `max(2px, calc(${part * 100}% - 1px))` }}
    />
  );
}

function ByCause({ byCause, calls }: Pick<TraceTotals, 'byCause' | 'calls'>) {
  if (byCause.length === 0) return null;
  return (
    <section aria-labelledby="trace-by-cause">
      <h2 id="trace-by-cause" className="mb-1.5 font-semibold">
        Decisions by cause
      </h2>
      <table className="w-full border-collapse">
        <thead>
          <tr className="border-line border-b">
            <th scope="col" className={headLook}>
              Verdict at first
            </th>
            <th scope="col" className={headLook}>
              Decided by
            </th>
            <th scope="col" className={`${headLook} w-1/3`}>
              Part of all calls
            </th>
            <th scope="col" className={`${headLook} text-right`}>
              Calls
            </th>
          </tr>
        </thead>
        <tbody>
          {byCause.map((one) => (
            <tr key={`${one.cause} ${one.verdict}`} className="border-line/60 border-b">
              <td className={cellLook}>
                <span className="flex text-small">
                  <Verdict verdict={one.verdict} />
                </span>
              </td>
              <th scope="row" className={`${cellLook} text-left font-normal`}>
                {causeWords[one.cause]}
              </th>
              <td className={cellLook}>
                <span aria-hidden className="block h-2 rounded-full bg-segment">
                  <span
                    className="block h-2 rounded-full bg-accent"
                    style={{ width: `${(100 * one.calls) / calls}%` }}
                  />
                </span>
              </td>
              <td className={`${cellLook} text-right`}>
                {one.calls.toLocaleString('en')}
                <span className="pl-1.5 text-dim">{Math.round((100 * one.calls) / calls)} %</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

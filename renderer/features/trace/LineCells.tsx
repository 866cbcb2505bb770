// The cells of one line, in the waterfall and in the list.
import { Bot, TriangleAlert, Webhook } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { ranMs, waitedMs, wholeMs } from '#shared/trace/times';
import type { TraceRow } from '#shared/trace/traceRow';
import { classes } from '../../ui/classes';
import { Verdict } from '../../ui/Verdict';
import { VisibleText } from '../../ui/VisibleText';
import { CardPicture } from '../chat/cards/CardPicture';
import { formatDuration, formatElapsed } from '../chat/cards/duration';
import { outcomeWords } from '../chat/cards/hookRuns';
import { Bars, HookMark } from './Bars';
import { columnsOf } from './columns';
import type { TraceLine } from './lines';
import type { Shown, TimeScale } from './timeScale';

/** The seven states of a call, as the list says them. */
export const stateWords: Readonly<Record<TraceRow['status'], string>> = {
  checking: 'checking',
  asking: 'waits for you',
  running: 'running',
  succeeded: 'done',
  failed: 'failed',
  denied: 'denied',
  interrupted: 'interrupted',
};

const stateLooks: Readonly<Record<TraceRow['status'], string>> = {
  checking: 'text-muted',
  asking: 'font-semibold text-ask',
  running: 'text-accent',
  succeeded: 'text-muted',
  failed: 'text-deny',
  denied: 'text-deny',
  interrupted: 'text-undetermined',
};

export interface LineProps {
  readonly line: TraceLine;
  readonly view: 'waterfall' | 'list';
  readonly scale: TimeScale;
  readonly shown: Shown;
  readonly now: number;
}

export const LineCells = memo(function LineCells({ line, view, scale, shown, now }: LineProps) {
  return (
    <div role="presentation" className={classes(columnsOf(view), 'h-full items-center px-3')}>
      {line.kind === 'hook' ? (
        <HookCells line={line} view={view} scale={scale} shown={shown} />
      ) : view === 'waterfall' ? (
        <WaterfallCells row={line.row} scale={scale} shown={shown} now={now} />
      ) : (
        <ListCells row={line.row} now={now} />
      )}
    </div>
  );
});

function Cell({
  className,
  children,
  title,
  bars = false,
}: {
  readonly className?: string;
  readonly children?: ReactNode;
  readonly title?: string;
  /** The time axis runs here: it can be dragged along. */
  readonly bars?: boolean;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid.
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names the row.
    <div role="gridcell" title={title} data-bars={bars || undefined} className={classes('min-w-0', className)}>
      {children}
    </div>
  );
}

function WaterfallCells({
  row,
  scale,
  shown,
  now,
}: {
  readonly row: TraceRow;
  readonly scale: TimeScale;
  readonly shown: Shown;
  readonly now: number;
}) {
  return (
    <>
      <Cell>
        <CardPicture icon={row.icon} />
      </Cell>
      <Cell className="truncate font-semibold" title={row.title}>
        <VisibleText text={row.title} />
      </Cell>
      <What row={row}>
        {row.status === 'succeeded' || row.status === 'checking' || row.status === 'running' ? null : (
          <span className={classes('shrink-0 pl-2 text-small', stateLooks[row.status])}>{stateWords[row.status]}</span>
        )}
        <HookTrouble row={row} />
      </What>
      <Cell className="@max-2xl:hidden">
        <VerdictOf row={row} />
      </Cell>
      <Cell bars className="relative h-full">
        <Bars row={row} scale={scale} shown={shown} now={now} />
      </Cell>
      <Cell className="text-right text-dim text-small">
        <Took row={row} now={now} />
      </Cell>
    </>
  );
}

function ListCells({ row, now }: { readonly row: TraceRow; readonly now: number }) {
  const waited = waitedMs(row, now);
  const { runs } = row.hooks;
  return (
    <>
      <Cell className="text-right text-dim">{row.number}</Cell>
      <Cell className="truncate font-semibold" title={row.title}>
        <VisibleText text={row.title} />
      </Cell>
      <What row={row}>{null}</What>
      <Cell className="truncate text-muted @max-2xl:hidden" title={row.agent?.name ?? 'the session'}>
        {row.agent === null ? 'session' : <VisibleText text={row.agent.name} />}
      </Cell>
      <Cell>
        <VerdictOf row={row} />
      </Cell>
      <Cell className={classes('truncate', stateLooks[row.status])}>{stateWords[row.status]}</Cell>
      <Cell className="text-right">
        {row.endedAt === null ? formatElapsed(ranMs(row, now)) : formatDuration(ranMs(row, now))}
      </Cell>
      <Cell className={classes('text-right @max-2xl:hidden', waited > 0 ? 'text-ask' : 'text-dim')}>
        {waited > 0 ? formatDuration(waited) : '–'}
      </Cell>
      <Cell className="flex items-center justify-end text-dim @max-2xl:hidden">
        <HookTrouble row={row} />
        <span className="pl-1.5">{runs === 0 ? '–' : runs}</span>
      </Cell>
    </>
  );
}

function HookCells({
  line,
  view,
  scale,
  shown,
}: {
  readonly line: Extract<TraceLine, { kind: 'hook' }>;
  readonly view: 'waterfall' | 'list';
  readonly scale: TimeScale;
  readonly shown: Shown;
}) {
  const { run } = line;
  const took = run.endedAt === null ? '…' : formatDuration(run.endedAt - run.startedAt);
  const state = (
    <span className={run.outcome === 'error' || run.outcome === 'timeout' ? 'text-deny' : 'text-hook'}>
      {outcomeWords[run.outcome]}
    </span>
  );
  const label = (
    <Cell className="flex items-center truncate text-muted" title={run.label}>
      <code className="chat-verbatim truncate font-mono text-mono">
        <VisibleText text={run.label} />
      </code>
    </Cell>
  );
  const name = (
    <Cell className="truncate text-hook" title={`Hook for ${run.event}`}>
      {run.event}
    </Cell>
  );
  return view === 'waterfall' ? (
    <>
      <Cell>
        <Webhook aria-hidden size={16} strokeWidth={1.75} className="text-hook" />
      </Cell>
      {name}
      {label}
      <Cell className="text-small @max-2xl:hidden">{state}</Cell>
      <Cell bars className="relative h-full">
        <HookMark at={run.startedAt} scale={scale} shown={shown} />
      </Cell>
      <Cell className="text-right text-dim text-small">{took}</Cell>
    </>
  ) : (
    <>
      <Cell />
      {name}
      {label}
      <Cell className="text-muted @max-2xl:hidden">session</Cell>
      <Cell className="text-dim">hook</Cell>
      <Cell>{state}</Cell>
      <Cell className="text-right">{took}</Cell>
      <Cell className="text-right text-dim @max-2xl:hidden">–</Cell>
      <Cell className="text-right text-dim @max-2xl:hidden">–</Cell>
    </>
  );
}

/** What the call is about; calls of sub-agents stand a little to the right. */
function What({ row, children }: { readonly row: TraceRow; readonly children: ReactNode }) {
  const by = row.agent === null ? '' : `Made by the sub-agent ${row.agent.name}: `;
  return (
    <Cell className="flex items-center" title={`${by}${row.what}`}>
      {row.agent === null ? null : (
        <span className="flex shrink-0 items-center gap-1 pr-1.5 pl-2 text-dim">
          <Bot aria-hidden size={14} strokeWidth={1.75} />
          <span className="sr-only">{by}</span>
        </span>
      )}
      <code className="min-w-0 flex-1 truncate font-mono text-mono">
        <VisibleText text={row.what} />
      </code>
      {children}
    </Cell>
  );
}

function HookTrouble({ row }: { readonly row: TraceRow }) {
  const { failed } = row.hooks;
  if (failed === 0) return null;
  const words = failed === 1 ? 'a hook failed' : `${failed} hooks failed`;
  return (
    <span className="flex shrink-0 items-center pl-2 text-deny" title={words}>
      <TriangleAlert aria-hidden size={14} strokeWidth={1.75} />
      <span className="sr-only">{words}</span>
    </span>
  );
}

function VerdictOf({ row }: { readonly row: TraceRow }) {
  if (row.verdict === null) return <span className="text-dim">–</span>;
  return (
    <span title={row.because} className="flex text-small">
      <Verdict verdict={row.verdict} />
    </span>
  );
}

function Took({ row, now }: { readonly row: TraceRow; readonly now: number }) {
  const whole = wholeMs(row, now);
  return row.endedAt === null ? <span className="text-accent">{formatElapsed(whole)}…</span> : formatDuration(whole);
}

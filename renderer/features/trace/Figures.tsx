import { FoldHorizontal, Maximize2, ScanLine, ZoomIn, ZoomOut } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { TotalsCounter } from '#shared/trace/totals';
import type { TraceRow } from '#shared/trace/traceRow';
import { useTracePage } from '../../stores/tracePage';
import { IconButton } from '../../ui/IconButton';
import { formatDuration } from '../chat/cards/duration';
import { counted } from '../frame/words';
import { Legend } from './Bars';
import type { Waterfall } from './useWaterfall';

export interface FiguresProps {
  /** The calls that fit the filter. */
  readonly rows: readonly TraceRow[];
  readonly now: number;
  readonly view: 'waterfall' | 'list';
  readonly waterfall: Waterfall;
  /** Shows the time of the lines in view alone. */
  readonly onFit: () => void;
}

/** The sums of what is listed, what the bars mean, and the way along the axis for those who do not drag. */
export function Figures({ rows, now, view, waterfall, onFit }: FiguresProps) {
  const foldIdle = useTracePage((page) => page.foldIdle);
  const show = useTracePage((page) => page.show);
  const { calls, runningMs, waitedMs, prompts } = useMemo(() => {
    const counter = new TotalsCounter(now);
    counter.addSession(rows);
    return counter.totals();
  }, [rows, now]);
  const byRules = rows.filter(({ verdict, cause }) => verdict === 'allow' && cause === 'rule').length;
  return (
    <div className="@container shrink-0">
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-3 py-1 text-muted text-small">
        <Figure value={calls.toLocaleString('en')}>{calls === 1 ? 'call' : 'calls'}</Figure>
        <Figure value={formatDuration(runningMs)}>running</Figure>
        {waitedMs > 0 ? (
          <Figure value={formatDuration(waitedMs)} look="text-ask">
            waiting for you
          </Figure>
        ) : null}
        <Figure value={String(prompts)}>{prompts === 1 ? 'prompt' : 'prompts'}</Figure>
        {byRules > 0 ? <Figure value={String(byRules)}>allowed by rules</Figure> : null}
        {view === 'waterfall' ? (
          <div className="ml-auto flex items-center gap-3">
            <Legend className="@max-[1080px]:hidden" />
            <fieldset aria-label="Time axis" className="flex">
              <IconButton
                size="small"
                icon={FoldHorizontal}
                label={foldIdle ? 'Idle time is folded' : 'Fold idle time'}
                aria-pressed={foldIdle}
                onClick={() => show({ foldIdle: !foldIdle })}
              />
              <IconButton
                size="small"
                icon={ZoomOut}
                label="Farther"
                keys="-"
                disabled={!waterfall.zoomed}
                onClick={() => waterfall.zoom(1.6)}
              />
              <IconButton size="small" icon={ZoomIn} label="Closer" keys="+" onClick={() => waterfall.zoom(1 / 1.6)} />
              <IconButton size="small" icon={ScanLine} label="Only the lines in view" keys="V" onClick={onFit} />
              <IconButton
                size="small"
                icon={Maximize2}
                label="All of it"
                keys="0"
                disabled={!waterfall.zoomed}
                onClick={waterfall.whole}
              />
            </fieldset>
            <span role="status" className="sr-only">
              {waterfall.zoomed
                ? `${counted(Math.round((100 * (waterfall.shown.to - waterfall.shown.from)) / waterfall.scale.length), 'percent', 'percent')} of the time is in view`
                : ''}
            </span>
          </div>
        ) : null}
      </div>
    </div>
  );
}

function Figure({
  value,
  look = 'text-text',
  children,
}: {
  readonly value: string;
  readonly look?: string;
  readonly children: ReactNode;
}) {
  return (
    <span className="whitespace-nowrap">
      <span className={`font-semibold ${look}`}>{value}</span> {children}
    </span>
  );
}

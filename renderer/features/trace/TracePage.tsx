// The calls of a session as a waterfall, a list or sums, with the details of one beside them.
import { ArrowLeft, Workflow } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { changesWithTime, type FilterTerm, parseFilter } from '#shared/trace/filter';
import type { TraceRow } from '#shared/trace/traceRow';
import { useApp } from '../../stores/app';
import { followTracePage, type SessionHook, useTracePage } from '../../stores/tracePage';
import { Banner } from '../../ui/Banner';
import { Button } from '../../ui/Button';
import { classes } from '../../ui/classes';
import { Skeleton } from '../../ui/Skeleton';
import '../chat/chat.css';
import { useNow } from '../chat/cards/useNow';
import { NeedsFolder } from '../frame/NeedsFolder';
import { useMedia } from '../frame/useMedia';
import { Figures } from './Figures';
import { FilterField } from './FilterField';
import { hookKey, linesOf, sortedLines } from './lines';
import { NoCalls } from './NoCalls';
import { TotalsView } from './TotalsView';
import { HookDetail, TraceDetail } from './TraceDetail';
import { TraceExport } from './TraceExport';
import { TraceGrid, traceGridId } from './TraceGrid';
import { TraceToolbar } from './TraceToolbar';
import './trace.css';
import { useWaterfall } from './useWaterfall';

/** From this width on the details stand beside the calls. */
const besideFits = '(min-width: 1000px)';
/** Pixels of the axis before it has been measured. */
const firstWidth = 600;

export function TracePage() {
  useEffect(() => followTracePage(), []);
  const known = useApp((app) => app.sessions !== null);
  const sessionId = useTracePage((page) => page.sessionId);
  const rows = useTracePage((page) => page.rows);
  const hooks = useTracePage((page) => page.hooks);
  const problem = useTracePage((page) => page.problem);
  const refresh = useTracePage((page) => page.refresh);
  if (!known) return <Skeleton label="Loading the trace" className="p-8" rows={5} />;
  if (sessionId === null)
    return (
      <NeedsFolder icon={Workflow}>
        The trace shows what became of calls. Open a folder and let something run.
      </NeedsFolder>
    );
  return (
    <div className="chat-colors flex min-h-0 flex-1 flex-col">
      {problem === '' ? null : (
        <Banner
          level="error"
          title="The trace could not be loaded."
          action={
            <Button size="small" onClick={() => void refresh()}>
              Try again
            </Button>
          }
        >
          {problem}
        </Banner>
      )}
      <Trace sessionId={sessionId} rows={rows} hooks={hooks} />
    </div>
  );
}

const noRows: readonly TraceRow[] = [];
const noTerms: readonly FilterTerm[] = [];

function Trace(props: {
  readonly sessionId: string;
  readonly rows: readonly TraceRow[] | null;
  readonly hooks: readonly SessionHook[];
}) {
  const { sessionId, rows: loaded, hooks } = props;
  const rows = loaded ?? noRows;
  const { view, filter, order, descending, active, exporting, show } = useTracePage();
  const title = useApp((app) => app.sessions?.find((session) => session.sessionId === sessionId)?.title ?? '');
  const goesOn = useMemo(() => rows.some(({ endedAt }) => endedAt === null), [rows]);
  const ticking = useNow(goesOn);
  // What has been told since the last tick has not ended before it began.
  const now = useMemo(
    () => rows.reduce((latest, row) => Math.max(latest, row.endedAt ?? row.createdAt), ticking),
    [rows, ticking],
  );
  const parsed = useMemo(() => parseFilter(filter), [filter]);
  // Of a filter that cannot be read, or not yet, what stands before the fault holds.
  const readable = useMemo(
    () => (parsed.ok ? parsed : parseFilter(filter.slice(0, parsed.error.from))),
    [parsed, filter],
  );
  const terms = readable.ok ? readable.value : noTerms;
  const timely = changesWithTime(terms) && goesOn ? now : 0;
  const fitting = useMemo(
    () => linesOf({ rows, hooks }, { terms, now: timely === 0 ? Date.now() : timely }),
    [rows, hooks, terms, timely],
  );
  const lines = useMemo(
    () => (view === 'list' ? sortedLines(fitting, { order, descending, now: Date.now() }) : fitting),
    [fitting, view, order, descending],
  );
  const shownRows = useMemo(() => fitting.flatMap((line) => (line.kind === 'call' ? [line.row] : [])), [fitting]);
  const tools = useMemo(() => [...new Set(rows.map(({ name }) => name))].sort(), [rows]);
  const agents = useMemo(() => [...new Set(rows.flatMap(({ agent }) => (agent === null ? [] : [agent.name])))], [rows]);
  const [width, setWidth] = useState(firstWidth);
  const waterfall = useWaterfall({ rows, hooks, now: goesOn ? now : 0, width });
  const fit = useRef<() => void>(() => undefined);
  const field = useRef<HTMLInputElement>(null);
  const toGrid = () => document.getElementById(traceGridId)?.focus({ preventScroll: true });

  const row = rows.find(({ callId }) => callId === active);
  const hook = hooks.find(({ run }) => hookKey(run.runId) === active);
  const detail =
    view === 'totals' ? null : row !== undefined ? (
      <TraceDetail sessionId={sessionId} row={row} />
    ) : hook !== undefined ? (
      <HookDetail run={hook.run} />
    ) : null;
  const close = () => {
    show({ active: null });
    requestAnimationFrame(toGrid);
  };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.code !== 'KeyF') return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);

  return (
    <div className="flex min-h-0 flex-1">
      <Split
        detail={detail}
        onBack={close}
        list={
          <>
            <TraceToolbar canExport={rows.length > 0}>
              <FilterField
                ref={field}
                problem={parsed.ok ? null : parsed.error}
                fits={shownRows.length}
                all={rows.length}
                tools={tools}
                agents={agents}
                onDone={toGrid}
              />
            </TraceToolbar>
            {loaded === null ? (
              <Skeleton label="Loading the calls" className="flex-1 p-6" rows={8} />
            ) : view === 'totals' ? (
              <TotalsView rows={shownRows} now={now} filtered={terms.length > 0} />
            ) : rows.length === 0 && hooks.length === 0 ? (
              <NoCalls sessionId={sessionId} />
            ) : (
              <>
                <Figures rows={shownRows} now={now} view={view} waterfall={waterfall} onFit={() => fit.current()} />
                {lines.length === 0 ? (
                  <div className="px-5 py-8 text-center">
                    <p className="font-medium">No call fits the filter</p>
                    <Button className="mt-3" onClick={() => show({ filter: '' })}>
                      Show all {rows.length}
                    </Button>
                  </div>
                ) : (
                  <TraceGrid lines={lines} view={view} waterfall={waterfall} now={now} onWidth={setWidth} fit={fit} />
                )}
              </>
            )}
          </>
        }
      />
      {exporting ? (
        <TraceExport
          sessionId={sessionId}
          title={title}
          filtered={terms.length > 0 ? shownRows.map(({ callId }) => callId) : null}
          all={rows.length}
        />
      ) : null}
    </div>
  );
}

/** The calls, and beside them the details of one; on narrow windows one of the two. */
function Split({
  list,
  detail,
  onBack,
}: {
  readonly list: ReactNode;
  readonly detail: ReactNode;
  readonly onBack: () => void;
}) {
  const beside = useMedia(besideFits);
  const alone = !beside && detail !== null;
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The list, and the focus in it, has just gone.
    if (alone) back.current?.focus();
  }, [alone]);
  return (
    <>
      <div hidden={alone} className="flex min-h-0 min-w-0 flex-1 flex-col">
        {list}
      </div>
      {detail === null ? null : (
        <aside
          aria-label="Details of the call"
          data-pane
          tabIndex={-1}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || event.defaultPrevented) return;
            event.preventDefault();
            onBack();
          }}
          className={classes(
            'flex min-h-0 flex-col bg-panel outline-none',
            alone ? 'min-w-0 flex-1' : 'w-[32%] min-w-95 max-w-140 shrink-0 border-line border-l',
          )}
        >
          {alone ? (
            <div className="border-line border-b px-3 py-1.5">
              <Button ref={back} size="small" variant="ghost" icon={ArrowLeft} onClick={onBack}>
                All calls
              </Button>
            </div>
          ) : null}
          {detail}
        </aside>
      )}
    </>
  );
}

// The steps of a session in time: chosen by mouse, by arrow keys, or by drawing the slider through them.
import { defaultRangeExtractor, observeElementRect, useVirtualizer } from '@tanstack/react-virtual';
import { Bot, FileMinus2, FilePen, FilePlus2, RotateCcw } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { type Step, useChanges } from '../../stores/changes';
import { useSession } from '../../stores/session';
import { VisibleText } from '../../ui/VisibleText';
import { baseName, counted } from '../frame/words';
import { shortPath } from './words';

const rowHeight = 46;
/** Of a list that has not been laid out yet. */
const assumedHeight = 600;

export function Timeline() {
  const steps = useChanges((changes) => changes.steps);
  const selected = useChanges((changes) => changes.selected);
  const scope = useChanges((changes) => changes.scope);
  const select = useChanges((changes) => changes.select);
  // Newest first, as one looks for what has just happened.
  const at = steps.findIndex(({ key }) => key === selected);
  const moment = scope === 'since' && at >= 0 ? at : steps.length;
  return (
    <>
      <div className="flex shrink-0 items-center gap-3 border-line border-b px-4 py-2">
        <label htmlFor="changes-moment" className="shrink-0 text-muted text-small">
          Go back to
        </label>
        <input
          id="changes-moment"
          type="range"
          min={0}
          max={steps.length}
          value={moment}
          aria-valuetext={momentWords(steps[moment])}
          className="h-1 min-w-0 flex-1 cursor-pointer appearance-none rounded-full bg-control accent-(--accent-fill) [&::-webkit-slider-thumb]:size-3.5 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:bg-accent-fill"
          onChange={(event) => {
            const step = steps[Number(event.target.value)];
            if (step !== undefined) select(step.key, 'since');
            // At its end nothing goes back but what is chosen in the list.
            else if (selected !== null) select(selected, 'step');
          }}
        />
        <span className="w-17 shrink-0 text-right font-mono text-mono text-muted" aria-hidden="true">
          {moment === steps.length ? 'now' : timeOf(steps[moment]?.at ?? 0)}
        </span>
      </div>
      <StepList at={at} />
    </>
  );
}

function StepList({ at }: { readonly at: number }) {
  const { steps, scope, these, select } = useChanges();
  const folder = useSession(({ state }) => state.folder);
  const scroller = useRef<HTMLDivElement>(null);
  const count = steps.length;
  const shownAt = count - 1 - at;
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    observeElementRect: (instance, take) =>
      observeElementRect(instance, (rect) => take(rect.height === 0 ? { ...rect, height: assumedHeight } : rect)),
    // The chosen step is always there, or nobody could tell assistive technology about it.
    rangeExtractor: (range) => {
      const kept = at >= 0 && shownAt < range.count ? [shownAt] : [];
      return [...new Set([...defaultRangeExtractor(range), ...kept])].sort((a, b) => a - b);
    },
  });
  useEffect(() => {
    if (at >= 0) virtualizer.scrollToIndex(shownAt);
  }, [at, shownAt, virtualizer]);
  // The arrow keys work at once, unless the person is already somewhere in the panel.
  useEffect(() => {
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.contains(scroller.current) === true)
      scroller.current?.focus();
  }, []);
  const move = (event: KeyboardEvent) => {
    const to = nextIndex(event.key, { index: shownAt, count });
    const step = to === null ? undefined : steps[count - 1 - to];
    if (step === undefined) return;
    event.preventDefault();
    select(step.key);
  };
  const chosen = new Set(these);
  return (
    <div
      ref={scroller}
      role="listbox"
      aria-label="Steps, newest first"
      tabIndex={0}
      aria-activedescendant={at < 0 ? undefined : `step-${steps[at]?.key}`}
      onKeyDown={move}
      className="group/steps min-h-0 flex-1 overflow-y-auto outline-none"
    >
      <div role="presentation" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const step = steps[count - 1 - index];
          if (step === undefined) return null;
          const goesBack =
            scope === 'these'
              ? step.entries.some(({ change }) => chosen.has(change.changeId))
              : scope === 'since'
                ? at >= 0 && index <= shownAt
                : index === shownAt;
          return (
            <StepRow
              key={step.key}
              step={step}
              folder={folder}
              place={{ index, count, top: start }}
              selected={index === shownAt}
              goesBack={goesBack}
              onSelect={() => select(step.key)}
            />
          );
        })}
      </div>
    </div>
  );
}

function StepRow(props: {
  readonly step: Step;
  readonly folder: string;
  readonly place: { readonly index: number; readonly count: number; readonly top: number };
  readonly selected: boolean;
  readonly goesBack: boolean;
  readonly onSelect: () => void;
}) {
  const { step, folder, place, selected, goesBack, onSelect } = props;
  const Picture = pictureOf(step);
  const [first] = step.entries;
  const path = first === undefined ? '' : shortPath(first.change.path, folder);
  const name = baseName(path);
  const where = path.slice(0, path.length - name.length);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list around it takes the keys.
    <div
      id={`step-${step.key}`}
      role="option"
      tabIndex={-1}
      aria-selected={selected}
      aria-setsize={place.count}
      aria-posinset={place.index + 1}
      onClick={onSelect}
      style={{ position: 'absolute', top: place.top, height: rowHeight, left: 0, right: 0 }}
      className={`flex cursor-default items-center gap-2.5 border-l-2 py-1 pr-4 pl-3.5 outline-accent -outline-offset-2 ${
        selected ? 'group-focus-visible/steps:outline-2' : ''
      } ${
        goesBack ? 'border-accent' : 'border-transparent'
      } ${selected ? 'bg-selected' : goesBack ? 'bg-accent-tint' : 'hover:bg-hover'}`}
    >
      <Picture aria-hidden="true" size={16} strokeWidth={1.75} className="shrink-0 text-muted" />
      <span className="min-w-0 flex-1">
        <span className="flex min-w-0 items-baseline gap-1.5">
          <span className="min-w-0 truncate font-medium" title={path}>
            <VisibleText text={step.entries.length > 1 ? counted(step.entries.length, 'file') : name} />
          </span>
          <Counts step={step} />
          {goesBack && <span className="sr-only">, goes back</span>}
        </span>
        <span className="flex min-w-0 items-center gap-1.5 text-muted text-small">
          {step.agentId !== null && (
            <Bot aria-label="by a sub-agent" size={13} strokeWidth={1.75} className="shrink-0" />
          )}
          <span className="min-w-0 truncate">
            <VisibleText text={step.restore || where === '' ? toolOf(step) : `${toolOf(step)} · ${where}`} />
          </span>
          <time className="ml-auto shrink-0 font-mono text-mono" dateTime={new Date(step.at).toISOString()}>
            {timeOf(step.at)}
          </time>
        </span>
      </span>
    </div>
  );
}

function Counts({ step }: { readonly step: Step }) {
  const lines = step.entries.map(({ change }) => change.lines);
  if (lines.some((one) => one === null)) return <span className="shrink-0 text-muted text-small">bytes</span>;
  const sum = (of: 'added' | 'removed') => lines.reduce((total, one) => total + (one?.[of] ?? 0), 0);
  return (
    <span className="shrink-0 font-mono text-mono">
      <span className="text-added">+{sum('added')}</span> <span className="text-removed">−{sum('removed')}</span>
    </span>
  );
}

/** Titles of calls begin with the tool; what follows is the path, which stands there already. */
function toolOf(step: Step): string {
  return step.restore ? step.title : (step.title.split(' ', 1)[0] ?? step.title);
}

function pictureOf({ restore, entries }: Step) {
  if (restore) return RotateCcw;
  const [first] = entries;
  if (first?.change.before === null) return FilePlus2;
  return first?.change.after === null ? FileMinus2 : FilePen;
}

function nextIndex(key: string, { index, count }: { readonly index: number; readonly count: number }): number | null {
  const page = 8;
  const to: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + page,
    PageUp: index - page,
    Home: 0,
    End: count - 1,
  };
  const wanted = Object.hasOwn(to, key) ? to[key] : undefined;
  return wanted === undefined ? null : Math.max(0, Math.min(count - 1, wanted));
}

function momentWords(step: Step | undefined): string {
  return step === undefined ? 'now' : `right before ${step.title}, ${timeOf(step.at)}`;
}

function timeOf(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB');
}

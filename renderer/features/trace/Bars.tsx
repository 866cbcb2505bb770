import { memo } from 'react';
import { ranMs, waitedMs } from '#shared/trace/times';
import type { TraceRow } from '#shared/trace/traceRow';
import { formatDuration } from '../chat/cards/duration';
import { barsOf, type SegmentKind } from './segments';
import { pixelOf, placeOf, type Shown, type TimeScale } from './timeScale';

export const segmentNames: Readonly<Record<SegmentKind, string>> = {
  early: 'steps 1–3',
  preHook: 'pre-hook',
  permission: 'permission',
  waiting: 'waiting for you',
  execution: 'execution',
  postHook: 'post-hook',
};

/** The bars of a call, and the same in words for those who do not see them. */
export const Bars = memo(function Bars(props: {
  readonly row: TraceRow;
  readonly scale: TimeScale;
  readonly shown: Shown;
  readonly now: number;
}) {
  const { row, scale, shown, now } = props;
  return (
    <>
      <span className="sr-only">{barWords(row, scale, now)}</span>
      <span aria-hidden className="absolute inset-0 overflow-hidden">
        {barsOf(row, { scale, shown, now }).map(({ kind, x, width, stopped, open }) => (
          <span
            key={`${kind} ${x}`}
            data-kind={kind}
            data-stopped={stopped || undefined}
            data-open={open || undefined}
            className="trace-bar"
            style={{ left: x, width }}
          />
        ))}
      </span>
    </>
  );
});

function barWords(row: TraceRow, scale: TimeScale, now: number): string {
  const waited = waitedMs(row, now);
  const begun = `begins after ${formatDuration(row.createdAt - scale.start)}`;
  const took = `${row.endedAt === null ? 'has run' : 'ran'} ${formatDuration(ranMs(row, now))}`;
  return [begun, took, ...(waited > 0 ? [`waited ${formatDuration(waited)} for you`] : [])].join(', ');
}

/** A hook that ran for no call: one mark. */
export function HookMark({
  at,
  scale,
  shown,
}: {
  readonly at: number;
  readonly scale: TimeScale;
  readonly shown: Shown;
}) {
  const x = pixelOf(shown, placeOf(scale, at));
  if (x < -4 || x > shown.width) return null;
  return (
    <span aria-hidden className="absolute inset-0 overflow-hidden">
      <span data-kind="preHook" className="trace-bar" style={{ left: x, width: 4 }} />
    </span>
  );
}

/** What the colours and patterns of the bars mean. */
export function Legend({ className = '' }: { readonly className?: string }) {
  const kinds: readonly SegmentKind[] = ['early', 'preHook', 'permission', 'waiting', 'execution'];
  return (
    <ul aria-label="What the bars mean" className={`flex items-center gap-3.5 text-muted text-small ${className}`}>
      {kinds.map((kind) => (
        <li key={kind} className="flex items-center gap-1.5 whitespace-nowrap">
          <span aria-hidden className="trace-swatch">
            <span data-kind={kind} className="trace-bar" />
          </span>
          {kind === 'preHook' ? 'hooks' : segmentNames[kind]}
        </li>
      ))}
    </ul>
  );
}

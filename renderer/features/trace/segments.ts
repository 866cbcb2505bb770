// The bars of one call in the waterfall: what each step took, waiting for a person apart. Also what never took a pixel is to
// be seen, so bars have a least width and later ones give way to the right.
import type { TraceRow } from '#shared/trace/traceRow';
import { pixelOf, placeOf, type Shown, type TimeScale } from './timeScale';

export type SegmentKind = 'early' | 'preHook' | 'permission' | 'waiting' | 'execution' | 'postHook';

export interface Bar {
  readonly kind: SegmentKind;
  /** Pixels. */
  readonly x: number;
  readonly width: number;
  /** The call ended in this step. */
  readonly stopped: boolean;
  /** It goes on. */
  readonly open: boolean;
}

interface Piece {
  readonly kind: SegmentKind;
  readonly from: number;
  readonly to: number;
  readonly stopped: boolean;
  readonly open: boolean;
}

const leastWidth = 2;

/** What a call's time went into, in order; `now` ends what goes on. */
export function piecesOf(row: TraceRow, now: number): readonly Piece[] {
  const pieces = row.steps.flatMap((step): Piece[] => {
    const { startedAt, endedAt, outcome } = step;
    const kind = kindOf(step.step);
    const piece = {
      kind,
      from: startedAt,
      to: endedAt ?? now,
      stopped: outcome === 'stopped' && endedAt !== null,
      open: endedAt === null,
    };
    // A step that had nothing to do, and took no time over it.
    if (outcome === 'skipped' && endedAt !== null && endedAt - startedAt < 1) return [];
    return kind === 'permission' || kind === 'execution' ? aroundWaits(piece, row, now) : [piece];
  });
  // The permission step is told of when it ends; what is asked meanwhile is known.
  const waits = pieces.some(({ kind }) => kind === 'permission' || kind === 'waiting') ? [] : waitsOf(row, now);
  return joined([...pieces, ...waits].sort((a, b) => a.from - b.from || a.to - b.to));
}

function waitsOf({ prompts }: TraceRow, now: number): Piece[] {
  return prompts.map(({ askedAt, answeredAt }) => ({
    kind: 'waiting',
    from: askedAt,
    to: answeredAt ?? now,
    stopped: false,
    open: answeredAt === null,
  }));
}

/** A step cut where a person was waited for: the permission step by the ask, the execution by asks about hosts. */
function aroundWaits(step: Piece, row: TraceRow, now: number): Piece[] {
  const pieces: Piece[] = [];
  let from = step.from;
  for (const wait of waitsOf(row, now)) {
    if (wait.to <= from || wait.from >= step.to) continue;
    if (wait.from > from) pieces.push({ ...step, from, to: wait.from, stopped: false });
    pieces.push({ ...wait, from: Math.max(wait.from, from) });
    from = wait.to;
  }
  if (from < step.to || pieces.length === 0 || step.stopped) pieces.push({ ...step, from: Math.min(from, step.to) });
  return pieces;
}

/** The first three steps count as one. */
function joined(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const before = all.at(-1);
    if (piece.kind === 'early' && before?.kind === 'early')
      all[all.length - 1] = { ...before, to: Math.max(before.to, piece.to), stopped: piece.stopped, open: piece.open };
    else all.push(piece);
  }
  return all;
}

function kindOf(step: TraceRow['steps'][number]['step']): SegmentKind {
  return step === 'lookup' || step === 'input' || step === 'validation' ? 'early' : step;
}

/** The bars that are in view, left to right, none over another. */
export function barsOf(
  row: TraceRow,
  about: { readonly scale: TimeScale; readonly shown: Shown; readonly now: number },
): Bar[] {
  const { scale, shown, now } = about;
  const bars: Bar[] = [];
  let free = Number.NEGATIVE_INFINITY;
  for (const { kind, from, to, stopped, open } of piecesOf(row, now)) {
    const exact = pixelOf(shown, placeOf(scale, from));
    const x = Math.max(exact, free);
    const end = Math.max(pixelOf(shown, placeOf(scale, to)), x + leastWidth);
    free = end + 1;
    if (end < 0 || x > shown.width) continue;
    const left = Math.max(x, -4);
    bars.push({ kind, x: left, width: Math.min(end, shown.width + 4) - left, stopped, open });
  }
  return bars;
}

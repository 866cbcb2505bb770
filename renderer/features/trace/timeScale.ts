// The time axis: from moments to places and back. Long stretches in which nothing happened are folded: they take a fixed,
// small part, and the moments around them keep their distances.

/** One stretch of the axis: busy ones keep their length, folded ones do not. */
interface Stretch {
  /** Epoch milliseconds. */
  readonly from: number;
  readonly to: number;
  /** Place of `from` on the axis, in axis milliseconds. */
  readonly at: number;
  /** Length on the axis. */
  readonly length: number;
  readonly folded: boolean;
}

export interface TimeScale {
  readonly stretches: readonly Stretch[];
  /** Length of the whole axis, in axis milliseconds; never 0. */
  readonly length: number;
  readonly start: number;
  readonly end: number;
}

export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Shorter stretches are never folded, in milliseconds. */
const leastFold = 2_000;
/** Only what is longer than this part of all the busy time is folded. */
const foldShare = 0.15;
/** What a folded stretch takes of the busy time. */
const foldedShare = 0.03;
/** An axis is at least so long, so that a single quick call does not fill it. */
const leastLength = 10;

/** The axis over some intervals, which may overlap and stand in any order. Nothing: an axis at time 0. */
export function timeScale(intervals: readonly Interval[], { fold }: { readonly fold: boolean }): TimeScale {
  const busy = mergedIntervals(intervals);
  const first = busy[0];
  const last = busy.at(-1);
  if (first === undefined || last === undefined)
    return { stretches: [], length: leastLength, start: 0, end: leastLength };
  const worked = busy.reduce((sum, { from, to }) => sum + to - from, 0);
  const longestGap = fold ? Math.max(leastFold, worked * foldShare) : Number.POSITIVE_INFINITY;
  const foldedLength = Math.max(1, worked * foldedShare);
  const stretches: Stretch[] = [];
  let at = 0;
  const add = (from: number, to: number, folded: boolean): void => {
    const length = folded ? foldedLength : to - from;
    const before = stretches.at(-1);
    if (!folded && before !== undefined && !before.folded)
      stretches[stretches.length - 1] = { ...before, to, length: before.length + length };
    else stretches.push({ from, to, at, length, folded });
    at += length;
  };
  let done = first.from;
  for (const { from, to } of busy) {
    if (from > done) add(done, from, from - done > longestGap);
    add(from, to, false);
    done = to;
  }
  const end = Math.max(last.to, first.from + leastLength);
  if (end > done) add(done, end, false);
  return { stretches, length: at, start: first.from, end };
}

function mergedIntervals(intervals: readonly Interval[]): Interval[] {
  const sorted = [...intervals].sort((a, b) => a.from - b.from);
  const busy: Interval[] = [];
  for (const { from, to } of sorted) {
    const before = busy.at(-1);
    if (before !== undefined && from <= before.to)
      busy[busy.length - 1] = { from: before.from, to: Math.max(before.to, to) };
    else busy.push({ from, to: Math.max(from, to) });
  }
  return busy;
}

/** Place of a moment, in axis milliseconds; moments outside the axis stand at its ends. */
export function placeOf(scale: TimeScale, time: number): number {
  const { stretches, length } = scale;
  let low = 0;
  let high = stretches.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((stretches[middle]?.from ?? 0) <= time) low = middle;
    else high = middle - 1;
  }
  const stretch = stretches[low];
  if (stretch === undefined) return 0;
  const { from, to, at } = stretch;
  if (time <= from) return at;
  const share = to === from ? 1 : Math.min(1, (time - from) / (to - from));
  return Math.min(length, at + share * stretch.length);
}

/** The moment at a place of the axis. */
export function timeAt(scale: TimeScale, place: number): number {
  const stretch = scale.stretches.find(({ at, length }) => place <= at + length) ?? scale.stretches.at(-1);
  if (stretch === undefined) return scale.start;
  const { from, to, at, length } = stretch;
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, (place - at) / length));
  return from + share * (to - from);
}

/** What of the axis is shown, in axis milliseconds, on so many pixels. */
export interface Shown {
  readonly from: number;
  readonly to: number;
  readonly width: number;
}

/** Pixels from the left edge. */
export function pixelOf(shown: Shown, place: number): number {
  return ((place - shown.from) / (shown.to - shown.from)) * shown.width;
}

export interface Tick {
  readonly x: number;
  /** Since the start of the axis: "0 s", "1 m 20 s". */
  readonly label: string;
}

const steps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  1_800_000, 3_600_000, 7_200_000, 21_600_000, 86_400_000,
];
/** Pixels between ticks. */
const leastDistance = 64;
const mostTicks = 60;

/** Marks at round times since the start, far enough apart to be read. */
export function ticks(scale: TimeScale, shown: Shown): Tick[] {
  const perPixel = (shown.to - shown.from) / Math.max(1, shown.width);
  const step = steps.find((one) => one / perPixel >= leastDistance) ?? 86_400_000;
  const marks: Tick[] = [];
  for (const { from, to, at, folded, length } of scale.stretches) {
    if (folded || at + length < shown.from || at > shown.to) continue;
    const visibleFrom = from + Math.max(0, shown.from - at);
    for (let time = Math.ceil((visibleFrom - scale.start) / step) * step; time <= to - scale.start; time += step) {
      const x = pixelOf(shown, at + time + scale.start - from);
      if (x > shown.width - 8 || marks.length >= mostTicks) break;
      if (x - (marks.at(-1)?.x ?? Number.NEGATIVE_INFINITY) >= leastDistance - 0.5)
        marks.push({ x, label: offsetWords(time, step) });
    }
  }
  return marks;
}

/** As fine as the marks stand apart, so that no two of them read the same. */
function offsetWords(ms: number, step: number): string {
  if (ms === 0) return '0 s';
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 60_000) return `${ms / 1_000} s`;
  const seconds = Math.floor(ms / 1_000) % 60;
  const minutes = Math.floor(ms / 60_000) % 60;
  const hours = Math.floor(ms / 3_600_000);
  if (step < 1_000 || (hours > 0 && step < 60_000)) {
    const clock = [...(hours > 0 ? [hours] : []), minutes, seconds].map((part, at) =>
      at === 0 ? `${part}` : `${part}`.padStart(2, '0'),
    );
    const fraction = step < 1_000 ? `.${`${Math.round(ms % 1_000)}`.padStart(3, '0').replace(/0+$/, '')}` : '';
    return `${clock.join(':')}${fraction === '.' ? '' : fraction}`;
  }
  if (hours > 0) return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} m`;
  return seconds === 0 ? `${minutes} m` : `${minutes} m ${seconds} s`;
}

/** Folded stretches that are in view. */
export function folds(
  scale: TimeScale,
  shown: Shown,
): readonly { readonly x: number; readonly width: number; readonly ms: number }[] {
  return scale.stretches
    .filter(({ folded, at, length }) => folded && at + length >= shown.from && at <= shown.to)
    .map(({ at, length, from, to }) => ({
      x: pixelOf(shown, at),
      width: pixelOf(shown, at + length) - pixelOf(shown, at),
      ms: to - from,
    }));
}

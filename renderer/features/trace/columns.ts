// The columns of both views; the same list for heads and rows.
import type { TraceOrder, TraceView } from '../../stores/tracePage';

/** Grid columns of the waterfall: picture, tool, call, verdict, bars, time. */
export const waterfallColumns =
  'grid grid-cols-[18px_76px_minmax(90px,1fr)_76px_minmax(180px,1.6fr)_64px] gap-x-3 @max-2xl:grid-cols-[18px_64px_minmax(70px,1fr)_minmax(150px,1.4fr)_58px]';

/** Grid columns of the list: number, tool, call, made by, verdict, state, ran, waited, hooks. */
export const listColumns =
  'grid grid-cols-[36px_84px_minmax(100px,1.4fr)_minmax(84px,0.7fr)_76px_84px_64px_72px_52px] gap-x-3 @max-2xl:grid-cols-[32px_72px_minmax(80px,1fr)_72px_76px_60px]';

export interface Column {
  readonly name: string;
  readonly order: TraceOrder;
  readonly right?: boolean;
  /** Only where there is room. */
  readonly wide?: boolean;
  /** The largest come first. */
  readonly descending?: boolean;
}

export const listHeads: readonly Column[] = [
  { name: '#', order: 'number', right: true },
  { name: 'Tool', order: 'tool' },
  { name: 'Call', order: 'what' },
  { name: 'Made by', order: 'by', wide: true },
  { name: 'Verdict', order: 'verdict' },
  { name: 'State', order: 'status' },
  { name: 'Ran', order: 'ran', right: true, descending: true },
  { name: 'Waited', order: 'waited', right: true, wide: true, descending: true },
  { name: 'Hooks', order: 'hooks', right: true, wide: true, descending: true },
];

/** In pixels. */
export const rowHeight = 35;
export const headHeight = 31;

export function columnsOf(view: Exclude<TraceView, 'totals'>): string {
  return view === 'waterfall' ? waterfallColumns : listColumns;
}

// Where rows stand in a list that may be longer than a page can be high.
import type { RowPlace } from '../../../stores/resultsPage';

/** Browsers draw nothing beyond some tens of millions of pixels; longer lists move proportionally to the scroll bar. */
export const maxPixels = 8_000_000;

export interface Geometry {
  readonly count: number;
  /** Pixels of a row; the least where rows are of different height. */
  readonly rowHeight: number;
  /** Pixels in which rows show. */
  readonly height: number;
  /** Height of a row that was measured; absent where all are alike. */
  readonly heightOf?: (row: number) => number;
}

/** Pixels of the whole list, as far as the scroll bar is concerned. */
export function spacerHeight({ count, rowHeight }: Geometry): number {
  return Math.min(maxPixels, count * rowHeight);
}

/** Whether a pixel of the scroll bar is a pixel of the list. */
export function isExact(geometry: Geometry): boolean {
  return geometry.heightOf === undefined && geometry.count * geometry.rowHeight <= maxPixels;
}

/** The place that a position of the scroll bar stands for. */
export function placeAt(geometry: Geometry, scrollTop: number): RowPlace {
  const { count, rowHeight, height, heightOf } = geometry;
  const scrollMax = spacerHeight(geometry) - height;
  if (scrollMax <= 0 || count === 0) return { row: 0, offset: 0 };
  const part = Math.min(1, Math.max(0, scrollTop / scrollMax));
  if (heightOf === undefined) return fromPixels(geometry, part * (count * rowHeight - height));
  if (scrollTop >= scrollMax - 1) return settle(geometry, { row: count, offset: -height });
  const row = Math.min(count - 1, Math.floor(part * count));
  return { row, offset: (part * count - row) * heightOf(row) };
}

/** The position of the scroll bar for a place. */
export function scrollTopOf(geometry: Geometry, { row, offset }: RowPlace): number {
  const { count, rowHeight, height, heightOf } = geometry;
  const scrollMax = spacerHeight(geometry) - height;
  if (scrollMax <= 0 || count === 0) return 0;
  if (heightOf === undefined) {
    const most = count * rowHeight - height;
    return most <= 0 ? 0 : ((row * rowHeight + offset) / most) * scrollMax;
  }
  return Math.min(scrollMax, ((row + offset / heightOf(row)) / count) * scrollMax);
}

function fromPixels({ count, rowHeight, height }: Geometry, pixels: number): RowPlace {
  const within = Math.min(Math.max(0, count * rowHeight - height), Math.max(0, pixels));
  const row = Math.floor(within / rowHeight);
  return { row, offset: within - row * rowHeight };
}

/** The place `pixels` further down. */
export function moved(geometry: Geometry, { row, offset }: RowPlace, pixels: number): RowPlace {
  if (geometry.heightOf === undefined) return fromPixels(geometry, row * geometry.rowHeight + offset + pixels);
  return settle(geometry, { row, offset: offset + pixels });
}

/** Brings the offset into its row, as far as heights are known, and leaves no room below the last row. */
export function settle(geometry: Geometry, place: RowPlace): RowPlace {
  const { count, rowHeight, height, heightOf = () => rowHeight } = geometry;
  if (count === 0) return { row: 0, offset: 0 };
  if (geometry.heightOf === undefined) return fromPixels(geometry, place.row * rowHeight + place.offset);
  let { row, offset } = place;
  const upwards = (): void => {
    while (offset < 0 && row > 0) {
      row -= 1;
      offset += heightOf(row);
    }
    offset = Math.max(0, offset);
  };
  upwards();
  while (row < count - 1 && offset >= heightOf(row)) {
    offset -= heightOf(row);
    row += 1;
  }
  let below = -offset;
  for (let next = row; next < count && below < height; next += 1) below += heightOf(next);
  if (below < height) {
    offset -= height - below;
    upwards();
  }
  return { row: Math.min(row, count - 1), offset };
}

/** Rows that are to be drawn, the last included; some more than those in view, so that scrolling finds them there. */
export function drawnRows(geometry: Geometry, place: RowPlace): { readonly first: number; readonly last: number } {
  const { count, rowHeight, height, heightOf } = geometry;
  const spare = 8;
  const first = Math.max(0, Math.min(place.row, count - 1) - spare);
  if (heightOf === undefined)
    return { first, last: Math.min(count - 1, place.row + Math.ceil(height / rowHeight) + spare) };
  let last = place.row;
  for (let filled = -place.offset; last < count - 1 && filled < height + spare * rowHeight; last += 1)
    filled += heightOf(last);
  return { first, last: Math.min(count - 1, last) };
}

/** The place from which a row is in view: as near to the present one as can be, or with the row in the middle. */
export function placeFor(
  geometry: Geometry,
  present: RowPlace,
  wanted: { readonly row: number; readonly align: 'nearest' | 'middle' },
): RowPlace {
  const { rowHeight, height, heightOf = () => rowHeight } = geometry;
  const { row, align } = wanted;
  const own = heightOf(row);
  if (isInView(geometry, present, row)) return present;
  if (align === 'middle') return settle(geometry, { row, offset: -Math.max(0, (height - own) / 2) });
  if (row <= present.row || own >= height) return settle(geometry, { row, offset: 0 });
  return settle(geometry, { row, offset: own - height });
}

function isInView({ count, rowHeight, height, heightOf = () => rowHeight }: Geometry, place: RowPlace, row: number) {
  if (row < place.row || row >= count || (row === place.row && place.offset > 0)) return false;
  if ((row - place.row) * rowHeight > height) return false;
  let top = -place.offset;
  for (let one = place.row; one < row; one += 1) top += heightOf(one);
  return top + Math.min(heightOf(row), height) <= height;
}

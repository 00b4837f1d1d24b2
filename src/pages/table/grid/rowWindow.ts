import { rowHeight } from './gridRows.ts';

/** The places of the rows that are drawn: from the first up to but without the last. */
export type RowWindow = { readonly from: number; readonly to: number };

/** How many rows are drawn beyond the visible ones, and by how many at once the window moves. */
const [beyond, step] = [4, 4];

/** Moves in steps, so that most scroll events draw nothing. */
export function rowWindow(scrollTop: number, height: number): RowWindow {
  const first = Math.floor(scrollTop / rowHeight / step) * step;
  const visible = Math.ceil(height / rowHeight / step) * step;
  return { from: Math.max(0, first - beyond), to: first + visible + step + beyond };
}

/** The drawn places; the active row always, because assistive technology reads it by its element. */
export function drawnPlaces(
  { from, to }: RowWindow,
  rows: number,
  active: number,
): readonly number[] {
  const end = Math.min(to, rows);
  const places = Array.from({ length: Math.max(0, end - from) }, (_, index) => from + index);
  if (active < 0 || active >= rows) return places;
  if (active < from) return [active, ...places];
  return active >= end ? [...places, active] : places;
}

import type { CellPosition, Selection } from '../selection/selection.ts';
import type { GridPage } from '../state/pageState.ts';
import { gridPositions } from './gridPositions.ts';
import type { GridState } from './gridState.ts';

/** A page of the grid with a name for the record of each row. */
export type KeyedPage = { readonly page: GridPage; readonly keys: readonly string[] };

/**
 * The grid once the same rows were read again: the active cell and the selection stay with their
 * records, which may have other places now, and the scroll position stays as it is.
 */
export function followRecords(before: KeyedPage, after: KeyedPage): GridState {
  const { grid } = before.page;
  const [from, to] = [gridPositions(before.page), gridPositions(after.page)];
  if (!from || !to) return grid;
  const placeByKey = new Map(to.order.rows.map((row, place) => [after.keys[row], place]));
  const placeOf = (place: number): number | undefined =>
    place < 0 ? place : placeByKey.get(before.keys[from.order.rows[place] ?? -1]);
  const { active, selection } = from;
  return {
    ...grid,
    active: { ...active, row: placeOf(active.row) ?? active.row },
    selection: selection.flatMap((range) => moveRange(range, from.order.rows.length, placeOf)),
    pageId: to.page.id,
    scroll: grid.scroll && { ...grid.scroll, pageId: to.page.id },
  };
}

type CellRange = Selection[number];

/** More than one range if other rows stand between the records now; none if they are gone. */
function moveRange(
  range: CellRange,
  rowCount: number,
  placeOf: (place: number) => number | undefined,
): CellRange[] {
  const { anchor, end } = range;
  const first = Math.max(0, Math.min(anchor.row, end.row));
  const last = Math.min(Math.max(anchor.row, end.row), rowCount - 1);
  const places = Array.from({ length: last - first + 1 }, (_, index) => placeOf(first + index))
    .filter((place) => place !== undefined)
    .sort((one, other) => one - other);
  const at = ({ column }: CellPosition, row: number): CellPosition => ({ row, column });
  const isUpward = end.row < anchor.row;
  return runsOf(places).map(([top, bottom]) => ({
    ...range,
    anchor: at(anchor, isUpward ? bottom : top),
    end: at(end, isUpward ? top : bottom),
  }));
}

/** The first and the last of each series of adjacent numbers, which are in order. */
function runsOf(numbers: readonly number[]): [first: number, last: number][] {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run?.[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs;
}

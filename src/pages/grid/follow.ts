import { gridPositions, type Grid, type GridState } from './model.ts';
import { rowHeight } from './rows.ts';
import type { CellPosition, Selection } from './selection.ts';

/**
 * The state of a grid once the same rows were read again: the active cell and the selection stay with
 * their records, which may have other places now, and the scroll position stays as it is.
 */
export function followRecords(before: Grid, after: Grid): GridState {
  return moveTo(placesAfter(before, after), before, after);
}

/** The same, but the first visible row stays in its place. At the top, the rows that come first are shown. */
export function followVisible(before: Grid, after: Grid): GridState {
  const placeOf = placesAfter(before, after);
  const state = moveTo(placeOf, before, after);
  const { scroll } = state;
  const first = Math.floor((scroll?.top ?? 0) / rowHeight);
  const place = placeOf(first);
  if (!scroll || scroll.top === 0 || place === undefined) return state;
  return { ...state, scroll: { ...scroll, top: scroll.top + (place - first) * rowHeight } };
}

function moveTo(placeOf: PlaceOf, before: Grid, { page: { id } }: Grid): GridState {
  const { state } = before;
  const { active, selection, order } = gridPositions(before);
  return {
    ...state,
    active: { ...active, row: placeOf(active.row) ?? active.row },
    selection: selection.flatMap((range) => moveRange(range, order.rows.length, placeOf)),
    pageId: id,
    scroll: { top: 0, left: 0, ...state.scroll, pageId: id },
  };
}

type PlaceOf = (place: number) => number | undefined;

/** Where the record of each place is now; places before the first row stay. */
function placesAfter(before: Grid, after: Grid): PlaceOf {
  const from = gridPositions(before).order.rows;
  const to = gridPositions(after).order.rows;
  const [keysBefore, keysAfter] = [before.keys(), after.keys()];
  const placeByKey = new Map(to.map((row, place) => [keysAfter[row], place]));
  return (place) => (place < 0 ? place : placeByKey.get(keysBefore[from[place] ?? -1]));
}

/** More than one range if other rows stand between the records now; none if they are gone. */
function moveRange(range: Selection[number], rowCount: number, placeOf: PlaceOf): Selection {
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

import type { Column } from '../../protocol/table.ts';
import { gridPositions } from './positions.ts';
import { rowHeight } from './rows.ts';
import type { CellPosition, Selection } from './selection.ts';
import type { Grid, GridPage, GridState } from './state.ts';

/** A grid with a name for the record of each row. */
export type KeyedGrid = { readonly grid: Grid; readonly keys: readonly string[] };

/** Records of two types, assets or symbols may have the same id; those of reference data have none but a symbol. */
const keyFields: ReadonlySet<string> = new Set(['type', 'asset', 'symbol']);

/** Rows by their ids, or by what is in their place. Records may share one: then they are counted. */
export function rowKeys(columns: readonly Column[], rows: GridPage['rows']): readonly string[] {
  const isOfKey = columns.map(({ field, kind }) => kind === 'id' || keyFields.has(field));
  const counts = new Map<string, number>();
  return rows.map((cells) => {
    const key = cells.filter((_cell, index) => isOfKey[index]).join(' ');
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return `${key} ${count}`;
  });
}

/**
 * The state of a grid once the same rows were read again: the active cell and the selection stay with
 * their records, which may have other places now, and the scroll position stays as it is.
 */
export function followRecords(before: KeyedGrid, after: KeyedGrid): GridState {
  const { state } = before.grid;
  const { active, selection, order } = gridPositions(before.grid);
  const placeOf = placesAfter(before, after);
  const { id } = after.grid.page;
  return {
    ...state,
    active: { ...active, row: placeOf(active.row) ?? active.row },
    selection: selection.flatMap((range) => moveRange(range, order.rows.length, placeOf)),
    pageId: id,
    scroll: { top: 0, left: 0, ...state.scroll, pageId: id },
  };
}

/**
 * The same, but the first visible row stays in its place, and details that still hold stay open. At the top,
 * the rows that come first are shown.
 */
export function followVisible(before: KeyedGrid, after: KeyedGrid): GridState {
  const followed = followRecords(before, after);
  const state = { ...followed, details: followDetails(followed.details, before, after) };
  const first = Math.floor((state.scroll?.top ?? 0) / rowHeight);
  const place = placesAfter(before, after)(first);
  if (!state.scroll || state.scroll.top === 0 || place === undefined) return state;
  const top = state.scroll.top + (place - first) * rowHeight;
  return { ...state, scroll: { ...state.scroll, top } };
}

/** Those of a record that says what it said before. An answer that is awaited is of the row as it was. */
function followDetails(
  details: GridState['details'],
  before: KeyedGrid,
  after: KeyedGrid,
): GridState['details'] {
  const { page } = after.grid;
  const index = details?.row.row ?? -1;
  const row = after.keys.indexOf(before.keys[index] ?? '');
  const isAwaited = [details?.details, ...Object.values(details?.related ?? {})].some(
    (answer) => answer?.kind === 'loading',
  );
  const isSame = JSON.stringify(page.rows[row]) === JSON.stringify(before.grid.page.rows[index]);
  return details && !isAwaited && isSame ? { ...details, row: { pageId: page.id, row } } : details;
}

type PlaceOf = (place: number) => number | undefined;

/** Where the record of each place is now; places before the first row stay. */
function placesAfter(before: KeyedGrid, after: KeyedGrid): PlaceOf {
  const from = gridPositions(before.grid).order.rows;
  const to = gridPositions(after.grid).order.rows;
  const placeByKey = new Map(to.map((row, place) => [after.keys[row], place]));
  return (place) => (place < 0 ? place : placeByKey.get(before.keys[from[place] ?? -1]));
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

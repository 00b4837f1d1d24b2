import type { CellPosition, Selection } from './selection.ts';
import { shownRows, type GridPage } from '../table/state/pageState.ts';
import { gridPositions } from './positions.ts';
import { rowHeight } from './rows.ts';
import type { GridState } from './state.ts';

/** A page of the grid with a name for the record of each row. */
export type KeyedPage = { readonly page: GridPage; readonly keys: readonly string[] };

/** Records of two types, assets or symbols may have the same id; those of reference data have none but a symbol. */
const keyFields: ReadonlySet<string> = new Set(['type', 'asset', 'symbol']);

/** The rows of a table page by their ids, or by what is in their place. Records may share one: then they are counted. */
export function keyedPage(page: GridPage): KeyedPage {
  const { columns } = page.description;
  const isOfKey = columns.map(({ field, kind }) => kind === 'id' || keyFields.has(field));
  const counts = new Map<string, number>();
  const keys = (shownRows(page.body)?.page.rows ?? []).map((cells) => {
    const key = cells.filter((_cell, index) => isOfKey[index]).join(' ');
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return `${key} ${count}`;
  });
  return { page, keys };
}

/**
 * The grid once the same rows were read again: the active cell and the selection stay with their
 * records, which may have other places now, and the scroll position stays as it is.
 */
export function followRecords(before: KeyedPage, after: KeyedPage): GridState {
  const { grid } = before.page;
  const moves = movesBetween(before, after);
  if (!moves) return grid;
  const { from, to, placeOf } = moves;
  const { active, selection } = from;
  return {
    ...grid,
    active: { ...active, row: placeOf(active.row) ?? active.row },
    selection: selection.flatMap((range) => moveRange(range, from.order.rows.length, placeOf)),
    pageId: to.page.id,
    scroll: { top: 0, left: 0, ...grid.scroll, pageId: to.page.id },
  };
}

/**
 * The same, but the first visible row stays in its place, and details that still hold stay open. At the top,
 * the rows that come first are shown.
 */
export function followVisible(before: KeyedPage, after: KeyedPage): GridState {
  const followed = followRecords(before, after);
  const grid = { ...followed, details: followDetails(followed.details, before, after) };
  const first = Math.floor((grid.scroll?.top ?? 0) / rowHeight);
  const place = movesBetween(before, after)?.placeOf(first);
  if (!grid.scroll || grid.scroll.top === 0 || place === undefined) return grid;
  return {
    ...grid,
    scroll: { ...grid.scroll, top: grid.scroll.top + (place - first) * rowHeight },
  };
}

/** Those of a record that says what it said before. An answer that is awaited is of the row as it was. */
function followDetails(
  details: GridState['details'],
  before: KeyedPage,
  after: KeyedPage,
): GridState['details'] {
  const page = shownRows(after.page.body)?.page;
  const index = details?.row.row ?? -1;
  const row = after.keys.indexOf(before.keys[index] ?? '');
  const cells = shownRows(before.page.body)?.page.rows[index];
  const isAwaited = [details?.details, ...Object.values(details?.related ?? {})].some(
    (answer) => answer?.kind === 'loading',
  );
  const isSame = JSON.stringify(page?.rows[row]) === JSON.stringify(cells);
  if (!details || !page || isAwaited || !isSame) return details;
  return { ...details, row: { pageId: page.id, row } };
}

/** Where the record of each place is now; places before the first row stay. */
function movesBetween(before: KeyedPage, after: KeyedPage) {
  const [from, to] = [gridPositions(before.page), gridPositions(after.page)];
  if (!from || !to) return null;
  const placeByKey = new Map(to.order.rows.map((row, place) => [after.keys[row], place]));
  const placeOf = (place: number): number | undefined =>
    place < 0 ? place : placeByKey.get(before.keys[from.order.rows[place] ?? -1]);
  return { from, to, placeOf };
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

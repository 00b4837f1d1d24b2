import { compare, isNumberText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { isNumeric } from '../../protocol/cellRules.ts';
import type { ColumnLayout } from '../../protocol/gridMessages.ts';
import type { Cell, Column } from '../../protocol/table.ts';
import { columnWidthLimits } from '../../protocol/values.ts';

/** Sorts rows by a column. */
export type Sort = { readonly field: string; readonly isDescending: boolean };

/** Ascending, descending, then as the rows were read. */
export function nextSort(sort: Sort | null, field: string): Sort | null {
  if (sort?.field !== field) return { field, isDescending: false };
  return sort.isDescending ? null : { field, isDescending: true };
}

/** What the grid shows of a page, and in which order: indices of its columns and rows. */
export type GridOrder = { readonly columns: readonly number[]; readonly rows: readonly number[] };

type Rows = readonly (readonly Cell[])[];

/** The same object for the same arguments as in the last call: sorting 500 rows takes milliseconds. */
export const gridOrder = rememberLast(
  (
    columns: readonly Column[],
    rows: Rows,
    layout: ColumnLayout,
    sort: Sort | null,
    display: Display,
  ): GridOrder => ({
    columns: shownColumns(columns, layout),
    rows: sortedRows(columns, rows, sort, display),
  }),
);

/** Cells without a value come last in both directions. Masked figures have no order. */
function sortedRows(
  columns: readonly Column[],
  rows: Rows,
  sort: Sort | null,
  display: Display,
): readonly number[] {
  const indices = [...rows.keys()];
  const index = columns.findIndex(({ field }) => field === sort?.field);
  const column = columns[index];
  if (!sort || !column || display.hides(column.field)) return indices;
  const direction = sort.isDescending ? -1 : 1;
  const { kind } = column;
  const isOfNumbers = isNumeric(kind) || kind === 'time' || kind === 'distance';
  const compareCells = isOfNumbers ? byNumber : byText;
  return indices.sort((one, other) => {
    const [first, second] = [rows[one]?.[index] ?? null, rows[other]?.[index] ?? null];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    return direction * compareCells(first, second) || one - other;
  });
}

/** Text that is not a number comes after the numbers. */
function byNumber(first: string, second: string): number {
  const [isFirst, isSecond] = [isNumberText(first), isNumberText(second)];
  if (isFirst && isSecond) return compare(first, second);
  return isFirst === isSecond ? byText(first, second) : Number(isSecond) - Number(isFirst);
}

function byText(first: string, second: string): number {
  return first < second ? -1 : Number(first > second);
}

export function rememberLast<Arguments extends readonly unknown[], Result>(
  compute: (...values: Arguments) => Result,
): (...values: Arguments) => Result {
  let last: { readonly values: Arguments; readonly result: Result } | undefined;
  return (...values) => {
    if (!last || values.some((value, index) => value !== last?.values[index]))
      last = { values, result: compute(...values) };
    return last.result;
  };
}

type Fields = readonly Pick<Column, 'field'>[];

/** The indices of all columns in the user's order. */
export function orderedColumns(columns: Fields, { order }: ColumnLayout): readonly number[] {
  const place = (index: number): number => {
    const at = order.indexOf(String(columns[index]?.field));
    return at < 0 ? order.length : at;
  };
  return [...columns.keys()].sort((one, other) => place(one) - place(other));
}

/** The indices of the columns that are shown, in the user's order: always at least one. */
export function shownColumns(columns: Fields, layout: ColumnLayout): readonly number[] {
  const ordered = orderedColumns(columns, layout);
  const shown = ordered.filter((index) => !isHidden(layout, columns[index]?.field));
  return shown.length > 0 ? shown : ordered.slice(0, 1);
}

export function isHidden({ hidden }: ColumnLayout, field: string | undefined): boolean {
  return field !== undefined && hidden.includes(field);
}

/** Moves a column to the place that another one has. */
export function moveColumn(
  columns: Fields,
  layout: ColumnLayout,
  field: string,
  target: string,
): ColumnLayout {
  const order = orderedColumns(columns, layout).map((index) => String(columns[index]?.field));
  const to = order.indexOf(target);
  if (to < 0 || !order.includes(field)) return layout;
  const others = order.filter((other) => other !== field);
  return { ...layout, order: [...others.slice(0, to), field, ...others.slice(to)] };
}

/** Shows a hidden column, or hides a shown one unless it is the last. */
export function toggleColumn(columns: Fields, layout: ColumnLayout, field: string): ColumnLayout {
  if (isHidden(layout, field))
    return { ...layout, hidden: layout.hidden.filter((other) => other !== field) };
  const isLast = shownColumns(columns, layout).length < 2;
  return isLast ? layout : { ...layout, hidden: [...layout.hidden, field] };
}

/** Null makes the column fit its cells. */
export function resizeColumn(
  layout: ColumnLayout,
  field: string,
  width: number | null,
): ColumnLayout {
  const others = Object.entries(layout.widths).filter(([name]) => name !== field);
  const widths = Object.fromEntries(others);
  if (width === null) return { ...layout, widths };
  const { min, max } = columnWidthLimits;
  const limited = Math.round(Math.max(min, Math.min(width, max)));
  return { ...layout, widths: { ...widths, [field]: limited } };
}

import { compare, isNumberText } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { isNumeric } from '../../protocol/cellRules.ts';
import type { ColumnLayout } from '../../protocol/gridMessages.ts';
import type { Cell, Column } from '../../protocol/table.ts';
import { shownColumns } from './layout.ts';

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
  const compareCells = isNumeric(column.kind) || isOrdered(column.kind) ? byNumber : byText;
  return indices.sort((one, other) => {
    const [first, second] = [rows[one]?.[index] ?? null, rows[other]?.[index] ?? null];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    return direction * compareCells(first, second) || one - other;
  });
}

/** Numbers that are not figures. */
function isOrdered(kind: Column['kind']): boolean {
  return kind === 'time' || kind === 'distance';
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

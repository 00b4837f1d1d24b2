import { average, extremes, isNumberText, sum, type NumberText } from '../../../base/decimal.ts';
import type { Display } from '../../../base/display.ts';
import { unitNamed } from '../../../protocol/cellRules.ts';
import type { CellSelection } from '../../../protocol/gridMessages.ts';
import type { Cell, Column } from '../../../protocol/table.ts';

/** The exact figures of the selected numbers of one column that have the same unit. */
export type ColumnSums = {
  readonly column: Column;
  /** The exchange's own name, such as an asset or a symbol. */
  readonly unit: string;
  readonly count: number;
  /** How many selected rows of this unit lack the number. */
  readonly lacking: number;
  readonly sum: NumberText;
  readonly min: NumberText;
  readonly max: NumberText;
  readonly average: { readonly text: NumberText; readonly isExact: boolean };
};

/** Only columns whose unit a field of the record names, and no column that privacy hides. */
export function selectionSums(
  { columns: selected, rows: selectedRows }: CellSelection,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  display: Display,
): readonly ColumnSums[] {
  return selected.flatMap((index) => {
    const column = columns[index];
    const unitIndex = columns.findIndex(({ field }) => field === column?.unitField);
    if (!column || unitIndex < 0 || display.hides(column.field)) return [];
    const byUnit = new Map<string, Cell[]>();
    for (const { row, columns: own } of selectedRows) {
      const [cell, name] = [rows[row]?.[index] ?? null, rows[row]?.[unitIndex] ?? null];
      if (name === null || !own.includes(index)) continue;
      const unit = unitNamed(name, column);
      const cells = byUnit.get(unit) ?? [];
      cells.push(cell);
      byUnit.set(unit, cells);
    }
    return [...byUnit].flatMap(([unit, cells]) => {
      const numbers = cells.filter((cell) => cell !== null && isNumberText(cell));
      const lacking = cells.length - numbers.length;
      return numbers.length === 0 ? [] : [sumsOf(column, unit, numbers, lacking)];
    });
  });
}

function sumsOf(
  column: Column,
  unit: string,
  numbers: readonly NumberText[],
  lacking: number,
): ColumnSums {
  const total = sum(numbers);
  return {
    column,
    unit,
    count: numbers.length,
    lacking,
    sum: total,
    ...extremes(numbers),
    average: average(numbers, total),
  };
}

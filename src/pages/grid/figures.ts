import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../base/cleanText.ts';
import { type NumberText, average, extremes, isNumberText, sum } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { fullFigure, unitNamed } from '../../protocol/cellRules.ts';
import type { CellSelection } from '../../protocol/gridMessages.ts';
import type { Cell, Column } from '../../protocol/table.ts';
import { rememberLast } from './order.ts';
import { gridPositions } from './positions.ts';
import type { GridPage } from '../table/state/pageState.ts';
import type { GridTexts } from '../table/state/pageTexts.ts';
import { figuresView } from './figuresView.ts';
import { cellCount, selectedCells } from './selection.ts';

/**
 * How much is selected, and the exact figures of it, which a press opens line by line: the footer may
 * have no room for them. What was copied last comes first.
 */
export function selectionText(state: GridPage): TemplateResult | typeof nothing {
  const { description, display, texts, grid } = state;
  const positions = gridPositions(state);
  if (!positions) return nothing;
  const { page, order, active, selection: ranges } = positions;
  const isSelected = ranges.length > 0;
  const copied = grid.pageId === page.id ? grid.copied : '';
  if (!isSelected && copied === '') return nothing;
  const selection = selectionFor(ranges, active, order, page.id);
  const figures = isSelected
    ? figuresOf(selection, description.columns, page.rows, display, texts)
    : [];
  const first =
    copied === ''
      ? html`<span>${countText(selection, texts)}</span>`
      : html`<strong>${copied}</strong>`;
  return html`<div class="selected">
    ${figures.length === 0 ? html`<p class="selection">${first}</p>` : figuresView(first, figures, texts.figures)}
  </div>`;
}

/** The same object while nothing else is selected: sums are computed once. */
const selectionFor = rememberLast(selectedCells);

function countText(selection: CellSelection, texts: GridTexts): string {
  return selection.isRows
    ? texts.rowsRead(selection.rows.length)
    : texts.cells(cellCount(selection));
}

const figuresOf = rememberLast(
  (
    selection: CellSelection,
    columns: readonly Column[],
    rows: readonly (readonly Cell[])[],
    display: Display,
    texts: GridTexts,
  ): readonly string[] =>
    selectionSums(selection, columns, rows, display).map((sums) =>
      figureText(sums, display, texts),
    ),
);

/** An average that had to be rounded is marked. */
function figureText(
  { column: { label, field }, unit, lacking, sum, min, max, average }: ColumnSums,
  display: Display,
  texts: GridTexts,
): string {
  const rounded = average.isExact ? '' : '≈ ';
  const shown = (figure: NumberText): string => fullFigure(figure, field, display);
  const figures = [shown(sum), shown(min), shown(max), rounded + shown(average.text)] as const;
  return texts.lacking(texts.sums(`${label} ${cleanText(unit, 40)}`, figures), lacking);
}

/** The exact figures of the selected numbers of one column that have the same unit. */
type ColumnSums = {
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

import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../base/cleanText.ts';
import { type NumberText, average, extremes, isNumberText, sum } from '../../base/decimal.ts';
import type { Display } from '../../base/display.ts';
import { fullFigure, unitNamed } from '../../protocol/cellRules.ts';
import type { CellSelection } from '../../protocol/gridMessages.ts';
import type { Cell, Column } from '../../protocol/table.ts';
import { textWithFigures } from '../figure.ts';
import { rememberLast } from './order.ts';
import { gridPositions, type Grid } from './model.ts';
import { cellCount, selectedCells } from './selection.ts';
import type { GridTexts } from './texts.ts';

/**
 * How much is selected, and the exact figures of it, which a press opens line by line: the footer may
 * have no room for them. What was copied last comes first.
 */
export function selectionText(grid: Grid): TemplateResult | typeof nothing {
  const { columns, page, display, texts, state } = grid;
  const { order, active, selection: ranges } = gridPositions(grid);
  const isSelected = ranges.length > 0;
  const copied = state.pageId === page.id ? state.copied : '';
  if (!isSelected && copied === '') return nothing;
  const selection = selectionFor(ranges, active, order, page.id);
  const figures = isSelected ? figuresOf(texts, selection, columns, page.rows, display) : [];
  const { isRows, rows } = selection;
  const count = isRows ? texts.rowsRead(rows.length) : texts.cells(cellCount(selection));
  const first = copied === '' ? html`<span>${count}</span>` : html`<strong>${copied}</strong>`;
  return html`<div class="selected">
    ${figures.length === 0 ? html`<p class="selection">${first}</p>` : figuresView(first, figures, texts.figures, display)}
  </div>`;
}

/** A figure as the footer has it, and with what a press opens beside it. */
export type Figure = { readonly short: string; readonly line: string };

/** Figures of the footer, which a press opens line by line: the footer may have no room for them. */
export function figuresView(
  first: TemplateResult,
  figures: readonly Figure[],
  label: string,
  display: Display,
  remark: string | null = null,
): TemplateResult {
  return html`<span class="popoverButton">
    <button class="tool selection" type="button" aria-haspopup="dialog" popovertarget="figures">
      ${first} ${figures.map(({ short }) => html`<span>${partsView(short, display)}</span>`)}
    </button>
    <div
      id="figures"
      class="popover figures"
      popover
      role="dialog"
      aria-label=${label}
      tabindex="0"
      autofocus
    >
      ${remark === null ? nothing : html`<strong>${remark}</strong>`}
      <ul>
        ${figures.map(({ line }) => html`<li>${partsView(line, display)}</li>`)}
      </ul>
    </div>
  </span>`;
}

/** A line may end only between two figures. */
function partsView(text: string, display: Display): TemplateResult[] {
  return text.split(' · ').map((part, index) => {
    const separator = index === 0 ? '' : ' · ';
    return html`${separator}<span>${textWithFigures(part, display)}</span>`;
  });
}

/** The same object while nothing else is selected: sums are computed once. */
const selectionFor = rememberLast(selectedCells);

const figuresOf = rememberLast((texts: GridTexts, ...selected: Parameters<typeof selectionSums>) =>
  selectionSums(...selected).map((sums) => figureText(sums, selected[3], texts)),
);

/** An average that had to be rounded is marked. */
function figureText(
  { column, unit, lacking, sum, min, max, average }: ReturnType<typeof selectionSums>[number],
  display: Display,
  texts: GridTexts,
): Figure {
  const shown = (figure: NumberText): string => fullFigure(figure, column, display);
  const rounded = `${average.isExact ? '' : '≈ '}${shown(average.text)}`;
  const name = `${column.label} ${cleanText(unit, 40)}`;
  const line = texts.sums(name, shown(sum), shown(min), shown(max), rounded);
  return { short: line, line: texts.lacking(line, lacking) };
}

/** By column and unit. Only columns whose unit a field of the record names, and no column that privacy hides. */
export function selectionSums(
  { columns: selected, rows: selectedRows }: Pick<CellSelection, 'columns' | 'rows'>,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  display: Display,
) {
  return selected.flatMap((index) => {
    const column = columns[index];
    const unitIndex = columns.findIndex(({ field }) => field === column?.unitField);
    if (!column || unitIndex < 0 || display.hides(column.field)) return [];
    const found = selectedRows.flatMap(({ row, columns: own }) => {
      const [cell, name] = [rows[row]?.[index] ?? null, rows[row]?.[unitIndex] ?? null];
      return name === null || !own.includes(index) ? [] : { cell, unit: unitNamed(name, column) };
    });
    const byUnit = Map.groupBy(found, ({ unit }) => unit);
    return [...byUnit].flatMap(([unit, cells]) => sumsOf(column, unit, cells) ?? []);
  });
}

/** `unit` is the exchange's own name, such as an asset or a symbol. */
function sumsOf(column: Column, unit: string, cells: readonly { readonly cell: Cell }[]) {
  const numbers = cells.flatMap(({ cell }) => (cell !== null && isNumberText(cell) ? cell : []));
  if (numbers.length === 0) return null;
  const total = sum(numbers);
  return {
    column,
    unit,
    /** How many selected rows of this unit lack the number. */
    lacking: cells.length - numbers.length,
    sum: total,
    ...extremes(numbers),
    average: average(numbers, total),
  };
}

import { html, nothing, type TemplateResult } from 'lit';
import { cleanText } from '../../../base/cleanText.ts';
import type { NumberText } from '../../../base/decimal.ts';
import type { Display } from '../../../base/display.ts';
import { fullFigure } from '../../../protocol/cellRules.ts';
import type { CellSelection } from '../../../protocol/gridMessages.ts';
import type { Cell, Column } from '../../../protocol/table.ts';
import { rememberLast } from '../grid/gridOrder.ts';
import { gridPositions } from '../grid/gridPositions.ts';
import type { GridPage } from '../state/pageState.ts';
import type { GridTexts } from '../state/pageTexts.ts';
import { figuresView } from './figuresView.ts';
import { cellCount, selectedCells } from './selection.ts';
import { selectionSums, type ColumnSums } from './selectionSums.ts';

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
